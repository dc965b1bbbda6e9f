import Contracts
import Synchronization

/// An event of a room for its subscribers.
enum RoomSignal: Sendable {
    case event(RoomEvent)
    /// An account has read up to a number.
    case read(by: AccountID, through: Int64)
    /// An account is typing. Dropped first when a socket is congested.
    case typing(by: AccountID)
    /// An account has entered the room (true) or left it (false). Dropped when a socket is congested.
    case present(AccountID, Bool)
    /// The room was deleted.
    case gone
}

/// A subscriber of rooms. Called in the order of a room's numbers, from any thread; must not block.
protocol RoomListener: AnyObject, Sendable {
    func receive(_ signal: RoomSignal, in room: RoomID)
}

/// The subscribers of each room in this process.
final class RoomHub: Sendable {
    private let rooms = Mutex<[RoomID: [ObjectIdentifier: any RoomListener]]>([:])

    /// - Returns: Whether it is the room's first subscriber.
    @discardableResult
    func add(_ listener: any RoomListener, to room: RoomID) -> Bool {
        rooms.withLock { rooms in
            rooms[room, default: [:]][ObjectIdentifier(listener)] = listener
            return rooms[room]?.count == 1
        }
    }

    func remove(_ listener: any RoomListener, from room: RoomID) {
        rooms.withLock { rooms in
            rooms[room]?[ObjectIdentifier(listener)] = nil
            if rooms[room]?.isEmpty == true { rooms[room] = nil }
        }
    }

    func publish(_ signal: RoomSignal, in room: RoomID) {
        let listeners = rooms.withLock { $0[room].map { Array($0.values) } ?? [] }
        for listener in listeners { listener.receive(signal, in: room) }
    }

    func hasSubscribers(_ room: RoomID) -> Bool {
        rooms.withLock { $0[room] != nil }
    }

    /// The rooms with at least one subscriber.
    var subscribedRooms: Set<RoomID> {
        rooms.withLock { Set($0.keys) }
    }
}
