import Authentication
import Contracts
import NIOCore
import TestKit
import Testing

@testable import Gateway

struct IdentityLineTests {
    private let identity = InternalIdentity(caller: "gateway", app: .moup, account: 7, session: "s")

    private func read(_ line: ByteBuffer, now: Int64) -> InternalIdentity? {
        let text = String(buffer: line)
        guard text.hasPrefix("X-Madang-Identity: "), text.hasSuffix("\r\n") else { return nil }
        return InternalIdentity(text.dropFirst("X-Madang-Identity: ".count).dropLast(), secret: .development, now: now)
    }

    @Test func line_isReused_andValidForThirtySeconds() {
        var line = IdentityLine()
        var signed: Set<String> = []
        for now in Int64(1_000_000)..<1_000_100 {
            let text = line.line(identity, secret: .development, now: now)
            signed.insert(String(buffer: text))
            // Every request reaches its service in less than half a minute.
            #expect(read(text, now: now + 30) == identity)
        }
        #expect(signed.count == 5)
    }

    @Test func line_clockSetBack_isSignedAgain() {
        var line = IdentityLine()
        _ = line.line(identity, secret: .development, now: 1_000_000)
        #expect(read(line.line(identity, secret: .development, now: 500_000), now: 500_000) == identity)
        let text = String(buffer: line.line(identity, secret: .development, now: 500_000))
        #expect(text.contains(".500060."))
    }
}
