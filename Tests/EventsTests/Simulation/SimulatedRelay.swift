import TestKit
import Values

@testable import Events

/// A copy of the relay, in memory.
struct SimulatedRelay: Sendable {
    struct Lane: Sendable {
        /// The number of the last pause.
        var pause = 0
        /// Whether a signal ends the pause.
        var isAsleep = false
        /// Whether a signal came while the lane was not asleep.
        var isWoken = false
        /// On the lane of untried events: the request in flight, and those after it.
        var requests: [DeliveryBatch] = []
        /// On the other: the number of requests in flight, and whether one was answered.
        var inFlight = 0
        var hasAnswered = false
        /// The number of failures in a row, as the model counts them.
        var misses = 0
        /// For the defect whose pauses grow for ever.
        var backoff: Backoff
    }

    struct Request: Sendable {
        var lane: Delivery.Lane
        var batch: DeliveryBatch
    }

    var decisions: RelayDecisions
    var fresh: Lane
    var tried: Lane
    var waiting: [Int: Request] = [:]
    /// The next statement fails.
    var failsStatement = false

    init(_ policy: OutboxRelay.RetryPolicy) {
        decisions = RelayDecisions(policy)
        let lane = Lane(backoff: Backoff(from: policy.firstPause, to: policy.sweep))
        (fresh, tried) = (lane, lane)
    }

    subscript(lane: Delivery.Lane) -> Lane {
        get {
            switch lane {
            case .fresh: fresh
            case .tried: tried
            }
        }
        set {
            switch lane {
            case .fresh: fresh = newValue
            case .tried: tried = newValue
            }
        }
    }
}

/// The requests that the subscriber has not answered.
struct UnansweredRequests: Sendable {
    /// The limit of requests a minute: with six keys and two relays of two lanes, whose pauses grow to 2.5 to 5 seconds and
    /// begin again when a relay crashes.
    static let limit = 400

    private var instants: [Int64] = []

    mutating func answered() { instants = [] }

    mutating func sent(at now: Int64) -> BrokenPromise? {
        instants.removeAll { $0 <= now - 60_000 }
        instants.append(now)
        guard instants.count > Self.limit else { return nil }
        return BrokenPromise("an unavailable subscriber gets few requests", "\(instants.count) in a minute")
    }
}
