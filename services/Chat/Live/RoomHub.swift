import Contracts
import Postgres
import ServiceKit
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

/// The subscribers of each room in this process. The announcements about rooms with subscribers are watched.
final class RoomHub: Sendable {
    private let rooms = Mutex<[RoomID: [ObjectIdentifier: any RoomListener]]>([:])
    private let announcer: any Announcer

    init(_ announcer: any Announcer) {
        self.announcer = announcer
    }

    /// - Returns: Whether it is the room's first subscriber.
    func add(_ listener: any RoomListener, to room: RoomID) -> Bool {
        rooms.withLock { rooms in
            let isFirst = rooms[room] == nil
            rooms[room, default: [:]][ObjectIdentifier(listener)] = listener
            if isFirst { announcer.watch(ChangeNotification.key(room), on: ChangeNotification.channel) }
            return isFirst
        }
    }

    func remove(_ listener: any RoomListener, from room: RoomID) {
        rooms.withLock { rooms in
            rooms[room]?[ObjectIdentifier(listener)] = nil
            guard rooms[room]?.isEmpty == true else { return }
            rooms[room] = nil
            announcer.unwatch(ChangeNotification.key(room), on: ChangeNotification.channel)
        }
    }

    func publish(_ signal: RoomSignal, in room: RoomID) {
        let listeners = rooms.withLock { $0[room].map { Array($0.values) } ?? [] }
        let send = {
            for listener in listeners { listener.receive(signal, in: room) }
            return listeners.count
        }
        guard case .event(let event) = signal else { return _ = send() }
        withDeliverySpan(
            "deliver room event",
            following: event.trace,
            destination: "\(room)",
            id: "\(event.sequence)",
            send
        )
    }

    func hasSubscribers(_ room: RoomID) -> Bool {
        rooms.withLock { $0[room] != nil }
    }

    /// The rooms with at least one subscriber.
    var subscribedRooms: Set<RoomID> {
        rooms.withLock { Set($0.keys) }
    }
}
