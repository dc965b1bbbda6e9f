enum FeedParty: Hashable, Sendable, CustomStringConvertible {
    case phone(Int), copy(Int)
    case database

    var description: String {
        switch self {
        case .phone(let number): "phone \(number)"
        case .copy(let number): "copy \(number)"
        case .database: "database"
        }
    }
}

enum FeedInput: Sendable, CustomStringConvertible {
    /// An event is written by a copy.
    case write(copy: Int)
    case disconnect(phone: Int)
    /// A copy hears no notifications for some milliseconds.
    case deafen(copy: Int, for: Int64)
    case databaseAway(for: Int64)

    var description: String {
        switch self {
        case .write(let copy): "copy \(copy) writes an event"
        case .disconnect(let phone): "phone \(phone) loses its connection"
        case .deafen(let copy, let time): "copy \(copy) hears no notifications for \(time) ms"
        case .databaseAway(let time): "the database is away for \(time) ms"
        }
    }
}

enum FeedMessage: Sendable, CustomStringConvertible {
    /// A phone subscribes to the events after a number.
    case subscribe(Int, after: Int64)
    case events([Int64], on: Int)
    /// The copies learn of an event, with the event or without.
    case announced(Int64, isWhole: Bool)

    var description: String {
        switch self {
        case .subscribe(let connection, let number): "subscribes as \(connection) after \(number)"
        case .events(let numbers, let connection): "events \(numbers) on \(connection)"
        case .announced(let number, let isWhole): isWhole ? "event \(number)" : "events up to \(number)"
        }
    }
}

enum FeedTimer: Sendable, CustomStringConvertible {
    case connect
    /// A phone looks whether its connection has ended.
    case watch
    /// A copy delivers an event that it has written.
    case publish(Int64)
    case closed(Int)
    case listens
    // Ends of operations on the database.
    case locate, catchUp
    case read(after: Int64)
    case page(Int)

    var description: String {
        switch self {
        case .connect: "connects"
        case .watch: "looks after its connection"
        case .publish(let number): "has written \(number)"
        case .closed(let connection): "\(connection) has ended"
        case .listens: "hears notifications again"
        case .locate, .catchUp: "has read the last number"
        case .read(let number): "has read events after \(number)"
        case .page(let connection): "has read past events for \(connection)"
        }
    }
}
