import NIOCore
import Testing

@testable import Gateway

struct UpgradeRequestTests {
    private func read(_ lines: String, method: String = "GET") throws -> UpgradeRequest {
        let text = "\(method) /chat HTTP/1.1\r\nHost: h\r\n\(lines)\r\n\r\n"
        return try UpgradeRequest(try readHead(text).head, ByteBuffer(string: text).readableBytesUInt8Span)
    }

    private static let good = """
        Connection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
        """

    /// The example of RFC 6455 §1.3.
    @Test func acceptKey_matchesRFC6455Example() throws {
        #expect(try String(decoding: read(Self.good).accept, as: UTF8.self) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    static let bad: [(String, String, UpgradeRequest.Fault)] = [
        (good, "POST", .notAnUpgrade),
        (good.replacing("keep-alive, Upgrade", with: "keep-alive"), "GET", .notAnUpgrade),
        (good.replacing("Upgrade: WebSocket", with: "Upgrade: h2c"), "GET", .notAnUpgrade),
        (good.replacing("Version: 13", with: "Version: 8"), "GET", .version),
        (good.replacing("Sec-WebSocket-Version: 13\r\n", with: ""), "GET", .version),
        (good.replacing("dGhlIHNhbXBsZSBub25jZQ==", with: "dGhlIHNhbXBsZSBub25jZ==="), "GET", .malformed),
        (good.replacing("dGhlIHNhbXBsZSBub25jZQ==", with: "dGhlIHNhbXBsZSBub25jZR=="), "GET", .malformed),
        (good.replacing("dGhlIHNhbXBsZSBub25jZQ==", with: "c2hvcnQ="), "GET", .malformed),
        (good.replacing("dGhlIHNhbXBsZSBub25jZQ==", with: "dGhlIHNhbXBsZSBub25*ZQ=="), "GET", .malformed),
        (good + "\r\nContent-Length: 1", "GET", .malformed),
        (good + "\r\nTransfer-Encoding: chunked", "GET", .malformed),
    ]

    @Test(arguments: bad)
    func invalidUpgrade_isRefused(_ lines: String, _ method: String, _ fault: UpgradeRequest.Fault) {
        #expect(throws: fault) { try read(lines, method: method) }
    }
}
