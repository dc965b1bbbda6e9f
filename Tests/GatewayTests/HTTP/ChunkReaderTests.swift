import NIOCore
import Testing

@testable import Gateway

struct ChunkReaderTests {
    /// The content of a chunked body that is read in pieces of a size, and the count of bytes after it.
    private func read(_ text: String, piece: Int) throws -> (content: String, isWhole: Bool, rest: Int) {
        var reader = ChunkReader()
        var content = ""
        let all = Array(text.utf8)
        var position = 0
        while position < all.count, !reader.isAtEnd {
            let end = min(position + piece, all.count)
            let bytes = ByteBuffer(bytes: all[position..<end])
            var index = 0
            while index < bytes.readableBytes, !reader.isAtEnd {
                let step = try reader.step(bytes.readableBytesUInt8Span, from: index)
                if case .content(let range) = step {
                    content += bytes.getString(at: range.lowerBound, length: range.count) ?? ""
                }
                index = step.upperBound
            }
            position += index
        }
        return (content, reader.isAtEnd, all.count - position)
    }

    @Test func body_isReadAtAnyFragmentation() throws {
        let text = "5\r\nhello\r\n00a\r\n0123456789\r\nA\r\n\r\n\r\n\r\n\r\n\r\n\r\n0\r\nX-T: v\r\n\r\nGET"
        for piece in 1...text.utf8.count {
            let result = try read(text, piece: piece)
            #expect(result.content == "hello0123456789\r\n\r\n\r\n\r\n\r\n")
            #expect(result.isWhole && result.rest == 3)
        }
    }

    @Test(
        arguments: [
            "\r\n", "g\r\n", "-1\r\n", "+1\r\n", " 1\r\n", "1 \r\n", "0x1\r\n", "1\n", "1\ra", "1;a=b\r\n", "1;\r\n",
            "1\t\r\n",
            "12345678\r\n", "FFFFFFFFFFFFFFFF1\r\n", "1\r\nab\r\n", "1\r\na\n", "1\r\na\rb", "1\r\na0\r\n\r\n",
        ]
    )
    func ambiguousFraming_isRefused(_ text: String) {
        #expect(throws: HTTPFault.chunk) { try read(text, piece: 1) }
        #expect(throws: HTTPFault.chunk) { try read(text, piece: 100) }
    }

    @Test(arguments: [
        "0\r\nA B: c\r\n", "0\r\n: c\r\n", "0\r\nA: \u{0}\r\n", "0\r\nA: b\n", "0\r\n A: b\r\n", "0\r\nA\r\n",
    ])
    func malformedTrailers_areRefused(_ text: String) {
        #expect(throws: HTTPFault.trailer) { try read(text, piece: 1) }
    }

    @Test func trailers_beyondLimit_areRefused() {
        let line = "A: " + String(repeating: "b", count: 500) + "\r\n"
        #expect(throws: HTTPFault.trailer) { try read("0\r\n" + String(repeating: line, count: 20), piece: 1000) }
    }
}
