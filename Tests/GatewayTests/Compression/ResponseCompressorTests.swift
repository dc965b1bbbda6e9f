import NIOCore
import Testing

@testable import Gateway

struct ResponseCompressorTests {
    private let compressor = ResponseCompressor(limit: 1000)

    private func hold(_ size: Int) -> HeldResponse? { compressor.hold(ResponseHead(), ByteBuffer(), size: size) }

    @Test func contentsThatAreHeld_haveALimit() {
        var first = hold(600)
        #expect(first != nil && compressor.heldSize == 600)
        #expect(hold(401) == nil)
        let second = hold(400)
        #expect(second != nil && compressor.heldSize == 1000)
        #expect(hold(1) == nil)
        first = nil
        #expect(compressor.heldSize == 400)
        #expect(hold(600) != nil)
        #expect(second?.content.readableBytes == 0)
    }

    @Test(arguments: [["hello"], ["h", "ello"], ["he", "l", "lo"]])
    func pieces_areCompressedTogether(_ pieces: [String]) throws {
        let held = try #require(hold(5))
        for piece in pieces { held.append(ByteBuffer(string: piece)) }
        #expect(String(buffer: held.content) == "hello")
        #expect(held.compressed().flatMap(gunzip) == "hello")
    }
}
