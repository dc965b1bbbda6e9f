import Synchronization

/// What a socket hears of a room that it looks into.
enum RoomSignal: Sendable {
    case event(RoomEvent)
    /// Somebody has read up to a number.
    case read(by: Int64, through: Int64)
    /// Somebody is writing. The first to be dropped where much waits.
    case typing(by: Int64)
    /// Somebody came, or went. Dropped as early.
    case present(Int64, Bool)
    /// The room is no more.
    case gone
}

/// Hears what happens in a room. Called in the order of the room's numbers, from any thread, without blocking.
protocol RoomListener: AnyObject, Sendable {
    func hear(_ signal: RoomSignal, in room: Int64)
}

/// Who of this process listens to which room.
final class RoomHub: Sendable {
    private let rooms = Mutex<[Int64: [ObjectIdentifier: any RoomListener]]>([:])

    /// - Returns: whether it is the room's first listener.
    @discardableResult
    func add(_ listener: any RoomListener, to room: Int64) -> Bool {
        rooms.withLock { rooms in
            rooms[room, default: [:]][ObjectIdentifier(listener)] = listener
            return rooms[room]?.count == 1
        }
    }

    func remove(_ listener: any RoomListener, from room: Int64) {
        rooms.withLock { rooms in
            rooms[room]?[ObjectIdentifier(listener)] = nil
            if rooms[room]?.isEmpty == true { rooms[room] = nil }
        }
    }

    func publish(_ signal: RoomSignal, in room: Int64) {
        for listener in rooms.withLock({ $0[room].map { Array($0.values) } ?? [] }) { listener.hear(signal, in: room) }
    }

    func isWatched(_ room: Int64) -> Bool {
        rooms.withLock { $0[room] != nil }
    }

    /// The rooms that somebody listens to.
    var watched: Set<Int64> {
        rooms.withLock { Set($0.keys) }
    }
}
