import Authentication
import Contracts
import HummingbirdTesting
import TestKit
import Testing

@testable import Chat

/// A phone whose socket moves between copies of the service, each of which ends when the socket has left it.
struct MovingPhone<World: ServiceWorld> {
    private(set) var copy: RunningCopy<World>
    private var socket: MovableSocket
    private let start: @Sendable () async throws -> RunningCopy<World>
    /// What the last copy sent and was not read before the move.
    private var unread: [MovableSocket.Frame] = []

    /// - Parameters:
    ///   - path: the path with its query.
    ///   - start: starts another copy.
    init(
        _ path: String,
        as identity: InternalIdentity,
        headers: [(String, String)] = [],
        start: @escaping @Sendable () async throws -> RunningCopy<World>
    ) async throws {
        self.start = start
        copy = try await start()
        let port = try #require(copy.value.client.port)
        socket = try await MovableSocket.open(at: port, of: .chat, path, as: identity, headers: headers)
    }

    /// Moves the socket to a new copy.
    ///
    /// - Parameter between: runs while no copy has the socket.
    mutating func move(_ between: () async throws -> Void = {}) async throws {
        let (old, next) = (copy, try await start())
        copy = next
        old.beginEnd()
        let (before, state) = try await socket.leave()
        await socket.connection.close()
        unread += before
        try await between()
        socket = try await socket.arrive(at: try #require(next.value.client.port), with: state)
        try await old.end()
    }

    func send(_ text: String) async throws { try await socket.send(text) }

    /// The next text; nil when the socket was closed. Pings are answered.
    mutating func next() async throws -> String? {
        while let frame = try await nextFrame() {
            switch frame.opcode {
            case 0x1: return frame.text
            case 0x9: try await socket.send(MovableSocket.Frame(opcode: 0xa, payload: frame.payload))
            default: return nil
            }
        }
        return nil
    }

    private mutating func nextFrame() async throws -> MovableSocket.Frame? {
        unread.isEmpty ? await socket.read() : unread.removeFirst()
    }

    /// Closes the socket and ends its copy.
    func end() async throws {
        await socket.connection.close()
        try await copy.end()
    }
}
