import NIOCore
import Testing

@testable import Gateway

struct FrameWalkerTests {
    private static let frames: [[UInt8]] = [
        [0x81, 0x02, 1, 2],
        [0x81, 0x82, 9, 9, 9, 9, 1, 2],
        [0x89, 0x00],
        [0x82, 126, 0x01, 0x00] + Array(repeating: 7, count: 256),
        [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0] + Array(repeating: 7, count: 65_536),
        [0x88, 0x80, 1, 2, 3, 4],
    ]

    @Test func frameEnds_areFoundAtAnyFragmentation() {
        let all = Self.frames.flatMap { $0 }
        var ends: Set<Int> = [0]
        for frame in Self.frames { ends.insert((ends.max() ?? 0) + frame.count) }
        for piece in [1, 2, 3, 7, 100, all.count] {
            var walker = FrameWalker()
            var position = 0
            while position < all.count {
                let next = min(position + piece, all.count)
                let bytes = ByteBuffer(bytes: all[position..<next])
                #expect(walker.walk(bytes.readableBytesUInt8Span) == next - position)
                position = next
                #expect(walker.isBetweenFrames == ends.contains(position))
            }
        }
    }

    @Test func walk_stoppingAtFrameEnd_stops() {
        var walker = FrameWalker()
        let start = ByteBuffer(bytes: [0x81, 0x03, 1])
        _ = walker.walk(start.readableBytesUInt8Span)
        let rest = ByteBuffer(bytes: [2, 3, 0x81, 0x01, 9])
        #expect(walker.walk(rest.readableBytesUInt8Span, stoppingAtFrameEnd: true) == 2)
        #expect(walker.isBetweenFrames)
        #expect(walker.walk(rest.readableBytesUInt8Span, stoppingAtFrameEnd: true) == 0)
    }
}
