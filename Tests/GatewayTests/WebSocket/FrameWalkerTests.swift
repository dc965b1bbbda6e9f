import FoundationEssentials
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

    private func walk(_ walker: inout FrameWalker, _ bytes: [UInt8], _ stop: FrameWalker.Stop) -> Int {
        let buffer = ByteBuffer(bytes: bytes)
        return walker.walk(buffer.readableBytesUInt8Span, stoppingBefore: stop)
    }

    @Test func walk_stopsBeforeFrame() {
        var walker = FrameWalker()
        _ = walk(&walker, [0x81, 0x03, 1], .never)
        let rest: [UInt8] = [2, 3, 0x81, 0x01, 9]
        #expect(walk(&walker, rest, .frame) == 2)
        #expect(walker.isBetweenFrames)
        #expect(walk(&walker, rest, .frame) == 0)
    }

    @Test func walk_stopsBeforeMessage_notBetweenItsFragments() {
        let first: [UInt8] = [0x01, 0x81, 9, 9, 9, 9, 1]
        let ping: [UInt8] = [0x89, 0x80, 9, 9, 9, 9]
        let middle: [UInt8] = [0x00, 0x80, 9, 9, 9, 9]
        let last: [UInt8] = [0x80, 0x82, 9, 9, 9, 9, 1, 2]
        let message = first + ping + middle + ping + last
        for length in 1..<message.count {
            var walker = FrameWalker()
            #expect(walk(&walker, Array(message[..<length]), .never) == length)
            #expect(!walker.isBetweenMessages || length == 0)
            let rest = Array(message[length...])
            #expect(walk(&walker, rest + ping, .message) == rest.count)
            #expect(walker.isBetweenMessages)
        }
    }

    @Test(arguments: [[0x8b, 0x00], [0x8b, 0x08, 1], [0x83, 127]])
    func walk_stopsBeforeMove(_ move: [UInt8]) {
        for before in Self.frames {
            var walker = FrameWalker()
            #expect(walk(&walker, before + move, .move) == before.count)
            #expect(walk(&walker, move, .move) == 0)
        }
    }

    @Test(arguments: [0x0b, 0x03, 0xcb, 0x8a, 0x82])
    func walk_passesOtherOpcodes(_ first: UInt8) {
        var walker = FrameWalker()
        #expect(walk(&walker, [first, 0x01, 0x8b], .move) == 3)
    }

    @Test func stateOfOlderGateway_isRead() throws {
        let json = Data(#"{"header":[129],"remaining":0}"#.utf8)
        var walker = try JSONDecoder().decode(FrameWalker.self, from: json)
        #expect(walk(&walker, [0x01, 7], .never) == 2)
        #expect(walker.isBetweenMessages)
        let again = try JSONDecoder().decode(FrameWalker.self, from: try JSONEncoder().encode(walker))
        #expect(again == walker)
    }
}
