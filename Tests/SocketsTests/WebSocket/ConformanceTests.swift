import NIOCore
import Sockets
import TestKit
import Testing
import Values

/// The cases of the public conformance suite for WebSocket servers (its sections 1 to 7, 9 and 10), over real sockets.
@Suite(.timeLimit(.minutes(2))) struct ConformanceTests {
    /// The fragmentation of a case's bytes.
    enum Cut: CaseIterable, Sendable {
        case whole
        case byFrame
        case anywhere
    }

    private static let endpoint: EchoEndpoint = {
        var endpoint = EchoEndpoint()
        endpoint.limits.messageSize = 131_072
        endpoint.limits.unsentSize = 4 * 1024 * 1024
        return endpoint
    }()

    @Test(arguments: Cut.allCases) func conformanceCases_atAnyFragmentation_pass(_ cut: Cut) async throws {
        try await SocketService.run(Self.endpoint) { service in
            var random = SplitMix(state: 7)
            for one in ConformanceCase.all {
                let connection = try await RawConnection.open(service)
                for piece in Self.pieces(one.sent, cut, &random) {
                    // The server may close before all pieces are sent.
                    do { try await connection.send(ByteBuffer(bytes: piece)) } catch { break }
                }
                for expected in one.answered {
                    let frame = await connection.readFrame()
                    #expect(frame == expected, "\(one): \(cut)")
                }
                let close = await connection.readFrame()
                #expect(close?.first == 0x88 && close?.isMasked == false, "\(one): \(cut)")
                let code = close?.payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
                #expect(close?.payload.isEmpty == true ? one.closeCode == nil : code == one.closeCode, "\(one): \(cut)")
                #expect(await connection.readToEnd().isEmpty, "\(one): \(cut)")
                await connection.close()
            }
        }
    }

    private static func pieces(_ frames: [Wire], _ cut: Cut, _ random: inout SplitMix) -> [[UInt8]] {
        switch cut {
        case .whole: return [frames.flatMap(\.bytes)]
        case .byFrame: return frames.map(\.bytes)
        case .anywhere:
            var rest = frames.flatMap(\.bytes)[...]
            var pieces: [[UInt8]] = []
            let longest = max(3, rest.count / 8)
            while !rest.isEmpty {
                let count = min(rest.count, Int.random(in: 1...longest, using: &random))
                pieces.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            return pieces
        }
    }
}
