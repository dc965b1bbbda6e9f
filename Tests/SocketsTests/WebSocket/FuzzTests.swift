import NIOCore
import NIOEmbedded
import TestKit
import Testing
import Values

@testable import Sockets

/// A socket answers any input or closes: nothing crashes, and nothing is leaked.
struct FuzzTests {
    private static let frames: [Wire] = [
        .text("hello"), .text("안녕", isFinal: false), .more([0x61]), .more([0x62], isFinal: true), .ping([1, 2]),
        .pong(),
        .data(2, Array(repeating: 9, count: 300)), .close(1000), .close(), .data(3), Wire(first: 0x91, payload: [1]),
        .data(1, [0xff]), Wire(first: 0x81, payload: [1], isMasked: false),
    ]

    @Test(arguments: 0..<8) func mutatedFrames_neitherCrashNorLeak(_ seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for _ in 0..<400 {
            var bytes = (0..<Int.random(in: 1...6, using: &random)).flatMap { _ in
                Self.frames.randomElement(using: &random)?.bytes ?? []
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0 ... .max, using: &random)
            }
            try feed(bytes, &random)
        }
    }

    private func feed(_ bytes: [UInt8], _ random: inout SplitMix) throws {
        weak var left: Witness?
        let channel = EmbeddedChannel()
        do {
            let witness = Witness()
            left = witness
            var limits = WebSocketLimits()
            limits.messageSize = 1000
            let socket = WebSocket(.server, on: channel.eventLoop, limits: limits, delegate: witness)
            try channel.pipeline.syncOperations.addHandler(socket)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            var rest = bytes[...]
            while !rest.isEmpty, channel.isActive {
                let count = Int.random(in: 1...rest.count, using: &random)
                try channel.writeInbound(ByteBuffer(bytes: rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            channel.embeddedEventLoop.advanceTime(by: .seconds(60))
            #expect(!channel.isActive, "a silent connection is closed")
            #expect(witness.ends == 1)
            while try channel.readOutbound(as: ByteBuffer.self) != nil {}
        }
        _ = try channel.finish(acceptAlreadyClosed: true)
        #expect(left == nil)
    }

    private final class Witness: WebSocketDelegate {
        var ends = 0
        func opened(_ socket: WebSocket) {}
        func received(_ message: WebSocketMessage) {}
        func closed(_ end: WebSocketEnd) { ends += 1 }
    }
}
