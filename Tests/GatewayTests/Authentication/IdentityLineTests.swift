import Authentication
import Contracts
import NIOCore
import TestKit
import Testing

@testable import Gateway

struct IdentityLineTests {
    private let identity = InternalIdentity(caller: .gateway, app: .moup, account: 7, session: "s")

    /// - Parameter skipped: Bytes of the buffer that have been read.
    private func line(_ start: String, now: Int64, skipping skipped: Int = 0) -> String {
        var out = ByteBuffer(string: String(repeating: "x", count: skipped))
        out.moveReaderIndex(forwardBy: skipped)
        let first = out.writerIndex
        out.writeString(start)
        let key = InternalKeys.development(.gateway).key(to: .workforce).unshared
        let line = IdentityLine(identity)
        line.write(for: first..<out.writerIndex, key: key, now: now, to: &out)
        out.moveReaderIndex(forwardBy: start.utf8.count)
        return String(buffer: out)
    }

    private func read(_ line: String, _ start: String, now: Int64) -> InternalIdentity? {
        guard line.hasPrefix("X-Madang-Identity: "), line.hasSuffix("\r\n") else { return nil }
        let value = String(line.dropFirst("X-Madang-Identity: ".count).dropLast())
        return InternalIdentity(sent: value, in: "\(start)HTTP/1.1", to: .workforce, now: now)
    }

    @Test(arguments: ["GET / ", "POST /works?a=%EA%B0%80&b ", "DELETE /\(String(repeating: "a", count: 5000)) "])
    func line_isForItsRequest(start: String) {
        for skipped in [0, 7] {
            let line = line(start, now: 1_000_000, skipping: skipped)
            #expect(line.contains(": 2.gateway.moup.7.s.1000000."))
            #expect(read(line, start, now: 1_000_060) == identity)
            #expect(read(line, start, now: 1_000_061) == nil)
            #expect(read(line, "PATCH /works ", now: 1_000_000) == nil)
        }
    }

    /// The gateway writes what any caller would.
    @Test func line_isThatOfIdentity() {
        let key = InternalKeys.development(.gateway).key(to: .workforce)
        let value = identity.signed("GET", "/works?a=b", with: key, now: 1_900_000_000)
        #expect(line("GET /works?a=b ", now: 1_900_000_000) == "X-Madang-Identity: \(value)\r\n")
    }
}
