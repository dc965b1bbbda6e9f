import NIOCore
import TestKit
import Testing
import Values

@testable import Gateway

struct GzipEncoderTests {
    private func text(_ size: Int, seed: UInt64) -> String {
        var numbers = SplitMix(state: seed)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: (0..<size).map { _ in digits[Int(numbers.next() & 15)] }, as: UTF8.self)
    }

    @Test(arguments: [1, 9] as [Int32])
    func contents_areCompressedOneAfterTheOther(level: Int32) throws {
        let encoder = try #require(GzipEncoder(level: level))
        for (number, size) in [0, 1, 1025, 70_000, 256 * 1024, 10, 600_000].enumerated() {
            let content = text(size, seed: UInt64(number))
            let compressed = try #require(encoder.encode(ByteBuffer(string: content)))
            #expect(gunzip(compressed) == content, "\(size)")
            if size > 1000 { #expect(compressed.readableBytes < size * 2 / 3) }
        }
    }

    @Test func result_outlivesTheNext() throws {
        let encoder = try #require(GzipEncoder(level: 1))
        let contents = (0..<20).map { text(5000, seed: $0) }
        let compressed = contents.compactMap { encoder.encode(ByteBuffer(string: $0)) }
        #expect(compressed.compactMap(gunzip) == contents)
    }

    @Test func content_thatStartsLater_isCompressed() throws {
        let encoder = try #require(GzipEncoder(level: 1))
        var content = ByteBuffer(string: "headcontent")
        content.moveReaderIndex(forwardBy: 4)
        #expect(encoder.encode(content).flatMap(gunzip) == "content")
    }
}
