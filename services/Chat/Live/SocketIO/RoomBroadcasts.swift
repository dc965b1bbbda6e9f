import NIOCore
import People
import SocketIO
import Synchronization

/// The rooms of Anlaka into which somebody looks here: each hears the feed once, for all of its sockets.
final class RoomBroadcasts: Sendable {
    private let feed: LiveFeed
    private let people: People
    private let rooms = Mutex<[Int64: RoomBroadcast]>([:])

    init(feed: LiveFeed, people: People) {
        self.feed = feed
        self.people = people
    }

    /// From now on what is written in a room is kept for a socket, until `begin`. Whoever joins leaves, also where this fails.
    ///
    /// - Throws: `PostgresError`.
    func join(_ socket: SocketIOSocket, _ room: Room) async throws {
        let broadcast = rooms.withLock { rooms in
            let broadcast = rooms[room.id] ?? RoomBroadcast(room, people: people)
            rooms[room.id] = broadcast
            broadcast.hold(socket)
            return broadcast
        }
        // Listening twice is listening once. Where it fails there was no place in the room yet, so nobody has begun.
        _ = try await feed.watch(room.id, broadcast)
    }

    /// Tells a socket what went before, then what was kept of what came after that number, then what comes.
    func begin(_ socket: SocketIOSocket, _ room: Room, with before: [SocketIOEvent], through sequence: Int64) {
        rooms.withLock { $0[room.id] }?.begin(socket, with: before, through: sequence)
    }

    func leave(_ socket: SocketIOSocket, _ room: Room) {
        rooms.withLock { rooms in
            guard let broadcast = rooms[room.id], broadcast.leave(socket) else { return }
            rooms[room.id] = nil
            feed.unwatch(room.id, broadcast)
        }
    }

    /// Messages as the app hears them.
    ///
    /// - Throws: `PostgresError`.
    func events(of messages: [Message], in room: Room) async throws -> [SocketIOEvent] {
        guard !messages.isEmpty else { return [] }
        return try await messages.events(in: room, people: people)
    }
}
