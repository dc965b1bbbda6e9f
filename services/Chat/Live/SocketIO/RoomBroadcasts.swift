import Contracts
import NIOCore
import Profiles
import Sockets
import Synchronization

/// The rooms of Anlaka with local sockets. Each room subscribes to the feed once for all its sockets.
final class RoomBroadcasts: Sendable {
    private let feed: LiveFeed
    private let people: People
    private let rooms = Mutex<[RoomID: RoomBroadcast]>([:])

    init(feed: LiveFeed, people: People) {
        self.feed = feed
        self.people = people
    }

    /// Starts to buffer a room's messages for a socket, until `begin`. Every `join` needs a `leave`, also when it
    /// throws.
    ///
    /// - Throws: `PostgresError`.
    func join(_ socket: SocketIOSocket, _ room: Room) async throws {
        let broadcast = rooms.withLock { rooms in
            let broadcast = rooms[room.id] ?? RoomBroadcast(room, people: people)
            rooms[room.id] = broadcast
            broadcast.buffer(socket)
            return broadcast
        }
        // Subscribing twice has no effect. If it fails, the room has no cursor yet, so no socket has begun.
        _ = try await feed.subscribe(room.id, broadcast)
    }

    /// Sends a socket the events in `before`, then the buffered ones after `sequence`, and from now on all new ones.
    func begin(_ socket: SocketIOSocket, _ room: Room, with before: [SocketIOEvent], through sequence: Int64) {
        rooms.withLock { $0[room.id] }?.begin(socket, with: before, through: sequence)
    }

    /// Sends a socket nothing more.
    ///
    /// - Returns: The number of the last message that was sent to it.
    @discardableResult
    func leave(_ socket: SocketIOSocket, _ room: Room) -> Int64 {
        rooms.withLock { rooms in
            guard let broadcast = rooms[room.id] else { return 0 }
            let (through, isLast) = broadcast.leave(socket)
            guard isLast else { return through }
            rooms[room.id] = nil
            feed.unsubscribe(room.id, broadcast)
            return through
        }
    }

    /// Messages as events of Anlaka's socket.
    ///
    /// - Throws: `PostgresError`.
    func events(of messages: [Message], in room: Room) async throws -> [SocketIOEvent] {
        guard !messages.isEmpty else { return [] }
        return try await messages.events(in: room, people: people)
    }
}
