import TestKit

@testable import Chat

enum SocketParty: Hashable, Sendable, CustomStringConvertible {
    case phone, database
    /// A copy of the chat service.
    case copy(Int)

    var description: String {
        switch self {
        case .phone: "phone"
        case .database: "database"
        case .copy(let number): "copy \(number)"
        }
    }
}

enum SocketInput: Sendable, CustomStringConvertible {
    /// The other member writes.
    case peerWrites
    case phoneWrites
    /// The phone opens the room, which joins it.
    case open
    case leave
    /// The connection of the phone ends without a word.
    case disconnect
    /// A copy hears no notifications for some milliseconds.
    case deafen(copy: Int, for: Int64)
    /// The copies cannot reach the database for some milliseconds.
    case databaseAway(for: Int64)

    var description: String {
        switch self {
        case .peerWrites: "the peer writes"
        case .phoneWrites: "the phone writes"
        case .open: "the phone opens the room"
        case .leave: "the phone leaves the room"
        case .disconnect: "the phone loses its connection"
        case .deafen(let copy, let time): "copy \(copy) hears no notifications for \(time) ms"
        case .databaseAway(let time): "the database is away for \(time) ms"
        }
    }
}

/// What is sent over a connection, or announced to a copy.
enum SocketMessage: Sendable, CustomStringConvertible {
    case connect(Int)
    case connected(Int)
    /// The numbers of messages, in frames.
    case frames([Int64], on: Int)
    case ping(RoomPosition, on: Int)
    case pong(RoomPosition, on: Int)
    case write(on: Int)
    case announced(through: Int64)
    case assignmentChanged

    var description: String {
        switch self {
        case .connect(let number): "connects as \(number)"
        case .connected(let number): "\(number) is connected"
        case .frames(let numbers, let connection): "messages \(numbers) on \(connection)"
        case .ping(let shown, let connection): "ping after \(shown.sequence) on \(connection)"
        case .pong(let shown, let connection): "pong after \(shown.sequence) on \(connection)"
        case .write(let connection): "a message on \(connection)"
        case .announced(let number): "events up to \(number)"
        case .assignmentChanged: "the assignment has changed"
        }
    }
}

enum SocketTimer: Sendable, CustomStringConvertible {
    /// The phone connects, unless it is connected.
    case reconnect
    /// The phone looks whether its connection has ended.
    case watch
    /// A socket's next operation on the database ends.
    case operation(Int)
    case listPauseEnded(Int)
    /// A copy notices that a connection has ended.
    case closed(Int)
    case listens
    /// The sockets of a copy that has crashed are released.
    case release(copy: Int, life: Int)

    var description: String {
        switch self {
        case .reconnect: "connects again"
        case .watch: "looks after its connection"
        case .operation(let socket): "the operation of \(socket) ends"
        case .listPauseEnded: "may send a list again"
        case .closed(let socket): "\(socket) has ended"
        case .listens: "hears notifications again"
        case .release(let copy, _): "releases the sockets of copy \(copy)"
        }
    }
}
