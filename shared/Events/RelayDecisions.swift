import FoundationEssentials
import ServiceKit
import Values

/// The decisions of a relay to one subscriber, without I/O and clock: what becomes of the deliveries that it takes and
/// of its requests, and when it reads the table again. `SubscriberRelay` performs them.
///
/// Untried events are sent in batches. If the subscriber names the events that it refuses, the others are sent again
/// without them. After any other failure the events of the batch are sent individually on a second lane, so that one
/// that fails or is slow does not delay others.
struct RelayDecisions: Sendable {
    /// The outcome of a request.
    enum Outcome: Sendable {
        case delivered
        /// The events that the subscriber named.
        case refused([UUID: EventRefusals.Refusal])
        /// The cause may be the subscriber or any of the events.
        case failed(InternalCallError)
    }

    enum Action: Sendable {
        case confirm([Delivery])
        /// Postpones failed deliveries, and parks those of events that have been malformed for long.
        case setBack([Delivery.Failure])
        /// Without an error, untried deliveries stay on their lane.
        case putOff([Delivery], for: Duration, error: String?)
        /// Calls `expectRetry` with the present instant, so that the table is not read before the retry is due.
        case expectRetry(in: Duration)
        case wake(Delivery.Lane)
    }

    /// The pause of a lane before it reads the table again.
    enum Pause: Sendable {
        case none
        case rest(Duration)
        /// Until the lane is woken.
        case sleep(atMost: Duration)
    }

    struct Step: Sendable {
        /// Performed in order. If one fails, the rest of the step is left out.
        var actions: [Action] = []
        /// Sent afterwards: the first one on the lane of untried events, all at once on the other.
        var requests: [DeliveryBatch] = []
        /// nil while there are requests.
        var pause: Pause?
    }

    private static let triedAtOnce = 32

    private let policy: OutboxRelay.RetryPolicy
    private var freshPace: AdaptiveBatch
    private var triedPace: AdaptiveBatch
    private var unsubscribed = HeldNames()
    private var retry = Retry()

    init(_ policy: OutboxRelay.RetryPolicy) {
        self.policy = policy
        freshPace = AdaptiveBatch(policy)
        triedPace = AdaptiveBatch(policy)
    }

    // MARK: Reading the table

    /// The number of deliveries to take next. The lane is about to read the table.
    mutating func limit(of lane: Delivery.Lane, at now: ContinuousClock.Instant) -> Int {
        switch lane {
        case .fresh: return freshPace.size
        case .tried:
            retry.forgetPast(now)
            return Self.triedAtOnce
        }
    }

    /// Sends the deliveries, and postpones those with names that the subscriber does not know yet.
    func take(
        _ taken: DeliveryStore.Taken,
        on lane: Delivery.Lane,
        at now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) -> Step {
        guard !taken.deliveries.isEmpty || taken.postponed > 0 else {
            return Step(pause: .sleep(atMost: longestSleep(on: lane, at: now)))
        }
        var failures: [Delivery.Failure] = []
        for delivery in taken.deliveries where unsubscribed.isHeld(delivery.name, at: now) {
            failures.append(failure(of: delivery, "\(delivery.name) is not subscribed to", using: &random))
        }
        let deliveries = taken.deliveries.filter { !unsubscribed.isHeld($0.name, at: now) }
        return Step(
            actions: failures.isEmpty ? [] : setBack(failures),
            requests: lane == .fresh ? DeliveryBatch.batches(of: deliveries) : deliveries.map { DeliveryBatch($0) }
        )
    }

    private func longestSleep(on lane: Delivery.Lane, at now: ContinuousClock.Instant) -> Duration {
        switch lane {
        case .fresh: Sabotage.relayWithoutSweep.isBuiltIn ? .seconds(86_400) : policy.sweep
        case .tried: min(retry.wait(from: now) ?? policy.sweep, policy.sweep)
        }
    }

    mutating func expectRetry(in pause: Duration, from now: ContinuousClock.Instant) {
        retry.expect(at: now + pause)
    }

    // MARK: Untried events

    /// - Parameter requests: The one that has ended, and those after it.
    mutating func end(
        _ outcome: Outcome,
        of requests: [DeliveryBatch],
        at now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) -> Step {
        guard let batch = requests.first else { return Step() }
        let rest = Array(requests.dropFirst())
        switch outcome {
        case .delivered:
            freshPace.answered()
            return Step(actions: [.confirm(batch.deliveries)], requests: rest)
        case .refused(let refusals):
            freshPace.answered()
            let others = batch.without(Set(refusals.keys))
            let actions = setBack(refused(refusals, of: batch, at: now, using: &random))
            return Step(actions: actions, requests: (others.map { [$0] } ?? []) + rest)
        case .failed(let error):
            let pause = freshPace.missed(using: &random)
            return Step(
                actions: [
                    .putOff(batch.deliveries, for: pause, error: "\(error)"),
                    .putOff(rest.flatMap(\.deliveries), for: pause, error: nil),
                    .expectRetry(in: pause),
                    .wake(.tried),
                ],
                pause: .rest(pause)
            )
        }
    }

    // MARK: Events tried before

    /// - Returns: The actions, and whether the subscriber is available: it applied the event, or explained why it does not.
    mutating func end(
        _ outcome: Outcome,
        ofTried batch: DeliveryBatch,
        at now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) -> (actions: [Action], hasAnswered: Bool) {
        switch outcome {
        case .delivered: return ([.confirm(batch.deliveries)], true)
        case .refused(let refusals): return (setBack(refused(refusals, of: batch, at: now, using: &random)), true)
        case .failed(let error) where error.isAboutSubscriber:
            let pause = policy.firstPause
            return ([.putOff(batch.deliveries, for: pause, error: "\(error)"), .expectRetry(in: pause)], false)
        case .failed(let error):
            return (setBack(batch.deliveries.map { failure(of: $0, "\(error)", using: &random) }), false)
        }
    }

    /// - Parameter hasAnswered: Whether the subscriber was available to any request, or there was none.
    mutating func endTried(hasAnswered: Bool, using random: inout some RandomNumberGenerator) -> Pause {
        guard hasAnswered else { return .rest(triedPace.missed(using: &random)) }
        triedPace.answered()
        return .none
    }

    // MARK: Failures

    private func failure(
        of delivery: Delivery,
        _ error: String,
        isMalformed: Bool = false,
        using random: inout some RandomNumberGenerator
    ) -> Delivery.Failure {
        let backoff = Backoff(from: policy.firstPause, to: policy.longestPause)
        return Delivery.Failure(
            delivery: delivery,
            pause: backoff.pause(after: delivery.refusals + 1, using: &random),
            error: error,
            isMalformed: isMalformed
        )
    }

    /// The deliveries that the subscriber named.
    private mutating func refused(
        _ refusals: [UUID: EventRefusals.Refusal],
        of batch: DeliveryBatch,
        at now: ContinuousClock.Instant,
        using random: inout some RandomNumberGenerator
    ) -> [Delivery.Failure] {
        var failures: [Delivery.Failure] = []
        for delivery in batch.deliveries {
            guard let refusal = refusals[delivery.id] else { continue }
            if refusal.reason == .unsubscribed {
                unsubscribed.hold(delivery.name, until: now + policy.longestPause / 2)
            }
            let isMalformed = refusal.reason == .malformed
            failures.append(failure(of: delivery, refusal.message, isMalformed: isMalformed, using: &random))
        }
        return failures
    }

    private func setBack(_ failures: [Delivery.Failure]) -> [Action] {
        let retry = failures.map(\.pause).min().map { [Action.expectRetry(in: $0), .wake(.tried)] }
        return [.setBack(failures)] + (retry ?? [])
    }
}

extension InternalCallError {
    /// Whether the failure says nothing about the event: there was no answer, the caller's identity was not accepted,
    /// or the address does not exist.
    fileprivate var isAboutSubscriber: Bool {
        switch self {
        case .unavailable: true
        case .refused(_, let status): [401, 403, 404, 405].contains(status)
        case .unreadable: false
        }
    }
}
