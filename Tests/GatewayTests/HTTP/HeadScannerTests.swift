import NIOCore
import Testing

@testable import Gateway

struct HeadScannerTests {
    private static let head = "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n\r\n"

    /// The scanner's result when the bytes arrive in pieces that end at these positions.
    private func scan(_ text: String, cuts: [Int], sizeLimit: Int = 1000, lineLimit: Int = 100) throws -> Int? {
        var scanner = HeadScanner()
        for cut in cuts + [text.utf8.count] {
            let bytes = ByteBuffer(bytes: text.utf8.prefix(cut))
            let span = bytes.readableBytesUInt8Span
            if let end = try scanner.end(of: span, sizeLimit: sizeLimit, lineLimit: lineLimit) { return end }
        }
        return nil
    }

    @Test func end_isFoundAtAnyFragmentation() throws {
        let text = Self.head + "GET /next"
        for cut in 0...text.utf8.count { #expect(try scan(text, cuts: [cut]) == Self.head.utf8.count) }
        #expect(try scan(text, cuts: Array(0...text.utf8.count)) == Self.head.utf8.count)
        #expect(try scan(String(Self.head.dropLast()), cuts: []) == nil)
    }

    @Test func malformedStart_isRefusedAtOnce() {
        #expect(throws: HTTPFault.lineEnd) { try scan("GET / HTTP/1.1\n", cuts: []) }
        #expect(throws: HTTPFault.requestLine) { try scan("\u{16}\u{3}\u{1}", cuts: []) }
        #expect(throws: HTTPFault.requestLine) { try scan("\r\n\r\n", cuts: []) }
    }

    @Test func sizeAndLines_areBounded() {
        #expect(throws: HTTPFault.headTooLarge) { try scan(Self.head, cuts: [], sizeLimit: 20) }
        #expect(throws: HTTPFault.headTooLarge) { try scan("GET /aaaaaaaaaaaaaaaaaaaaaaaaa", cuts: [], sizeLimit: 20) }
        #expect(throws: HTTPFault.tooManyFields) { try scan(Self.head, cuts: [], lineLimit: 2) }
    }
}
