import TestKit

@testable import Events

enum RelayParty: Hashable, Sendable, CustomStringConvertible {
    /// The database of the publisher, which announces events.
    case database
    /// A copy of the relay. All share the database.
    case relay(Int)
    case subscriber

    var description: String {
        switch self {
        case .database: "database"
        case .relay(let number): "relay \(number)"
        case .subscriber: "subscriber"
        }
    }
}

struct SimulatedEvent: Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        case fine
        /// Refused for ever, when it is read.
        case malformed
        /// Refused for ever, by its handler.
        case poisonous
    }

    var number: Int64
    var key: Int
    var kind: Kind

    static let keys = 6

    /// Each key has events of one name; there are two names.
    static func name(ofKey key: Int) -> String { "name \(key % 2)" }

    var name: String { Self.name(ofKey: key) }

    var description: String { "\(number)" }
}

enum RelayInput: Sendable, CustomStringConvertible {
    case publish(key: Int, SimulatedEvent.Kind)
    /// The subscriber does not know a name, or the values of its events, for some milliseconds.
    case refuse(name: String, EventRefusals.Reason, for: Int64)
    /// The subscriber's port is closed.
    case close(for: Int64)
    /// The subscriber answers each request with an error.
    case fail(for: Int64)
    /// The next statement of a relay fails, before or after its effect.
    case failStatement(relay: Int)

    var description: String {
        switch self {
        case .publish(let key, let kind): "an event of key \(key) is published, \(kind)"
        case .refuse(let name, let reason, let time): "\(name) is \(reason) for \(time) ms"
        case .close(let time): "the subscriber's port is closed for \(time) ms"
        case .fail(let time): "the subscriber fails for \(time) ms"
        case .failStatement(let relay): "the next statement of relay \(relay) fails"
        }
    }
}

enum RelayMessage: Sendable, CustomStringConvertible {
    case announced
    case deliver([SimulatedEvent], request: Int)
    case answer(SimulatedAnswer, request: Int)

    var description: String {
        switch self {
        case .announced: "an event is published"
        case .deliver(let events, _): "deliver \(events)"
        case .answer(let answer, _): "\(answer)"
        }
    }
}

enum SimulatedAnswer: Sendable {
    case applied
    /// Empty if it is not known which of the events is the cause.
    case refused([(event: Int64, reason: EventRefusals.Reason)])
    case failed
    /// The answer of the subscriber's machine, not of the subscriber.
    case closed
}

enum RelayTimer: Sendable, CustomStringConvertible {
    /// A lane's pause is over, unless another has begun.
    case read(Delivery.Lane, pause: Int)
    /// The statement that takes what is due writes.
    case take(SimulatedOutbox.Reading)
    case timeout(request: Int)
    /// The subscriber's transaction ends.
    case commit(request: Int)

    var description: String {
        switch self {
        case .read(let lane, _): "reads what is due (\(lane))"
        case .take(let reading): "takes \(reading.rows.map(\.event))"
        case .timeout: "no answer"
        case .commit: "commits"
        }
    }
}
