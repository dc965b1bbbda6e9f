import Contracts
import FoundationEssentials
import Logging
import Metrics
import NIOCore
import ServiceKit
import ServiceLifecycle
import Tracing
import Values

/// Delivers events to one subscriber, so that a slow or unavailable subscriber does not delay the others.
///
/// Untried events are sent in batches, each confirmed by one statement. If the subscriber names the events that it
/// refuses, the others are sent again without them. After any other failure the events of the batch are sent
/// individually on a second lane, so that one that fails or is slow does not delay others. On shutdown a request in
/// flight is completed.
final class SubscriberRelay: Sendable {
    let name: String

    private static let triedAtOnce = 32

    private let client: InternalClient
    private let store: DeliveryStore
    private let policy: OutboxRelay.RetryPolicy
    private let logger: Logger
    private let delivered = Counter(label: "outbox_delivered_total")
    private let fresh = AsyncSignal()
    private let tried = AsyncSignal()
    private let retry = Retry()
    private let unsubscribed = HeldNames()

    init(_ subscriber: Subscriber, store: DeliveryStore, policy: OutboxRelay.RetryPolicy, logger: Logger) {
        self.name = subscriber.name.rawValue
        self.client = subscriber.client
        self.store = store
        self.policy = policy
        self.logger = logger
    }

    /// Signals that there may be untried events.
    func wake() {
        fresh.wake()
    }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.follow(self.carryFresh) }
            group.addTask { await self.follow(self.carryTried) }
        }
    }

    /// Processes a lane until shutdown.
    ///
    /// - Parameter carry: Delivers the events of one read of the table, and returns the pause before the next read.
    private func follow(_ carry: (inout AdaptiveBatch) async throws -> Pause) async {
        var pace = AdaptiveBatch(policy)
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            var pause = Pause.rest(.seconds(1))
            do {
                pause = try await carry(&pace)
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning("outbox: database error, will retry", error: error, metadata: ["subscriber": "\(name)"])
            }
            await cancelWhenGracefulShutdown { [pause] in
                switch pause {
                case .none: break
                case .rest(let time): try? await Task.sleep(for: time)
                case .sleep(let waker, let time): await waker.sleep(atMost: time)
                }
            }
        }
    }

    private enum Pause: Sendable {
        case none
        case rest(Duration)
        /// Pauses until woken.
        case sleep(AsyncSignal, atMost: Duration)
    }

    // MARK: Lanes

    private func carryFresh(_ pace: inout AdaptiveBatch) async throws -> Pause {
        guard let taken = try await take(.fresh, limit: pace.size) else {
            return .sleep(fresh, atMost: Sabotage.relayWithoutSweep.isBuiltIn ? .seconds(86_400) : policy.sweep)
        }
        var batches = DeliveryBatch.batches(of: taken)[...]
        while let batch = batches.popFirst() {
            switch try await send(batch) {
            case .delivered:
                pace.answered()
            case .refused(let refusals):
                pace.answered()
                try await setBack(batch.deliveries, refusals)
                if let rest = batch.without(Set(refusals.keys)) { batches = [rest] + batches }
            case .failed(let error):
                let pause = pace.missed()
                try await store.putOff(batch.deliveries, to: name, for: pause, error: "\(error)")
                try await store.putOff(batches.flatMap(\.deliveries), to: name, for: pause, error: nil)
                retry.expect(in: pause)
                tried.wake()
                return .rest(pause)
            }
        }
        return .none
    }

    private func carryTried(_ pace: inout AdaptiveBatch) async throws -> Pause {
        retry.forgetPast()
        guard let taken = try await take(.tried, limit: Self.triedAtOnce) else {
            return .sleep(tried, atMost: min(retry.wait ?? policy.sweep, policy.sweep))
        }
        let hasAnswered = await withTaskGroup(of: Bool.self) { group in
            for delivery in taken { group.addTask { await self.carry(delivery) } }
            return await group.reduce(taken.isEmpty) { $0 || $1 }
        }
        // The next event of the same key may be untried.
        fresh.wake()
        guard hasAnswered else { return .rest(pace.missed()) }
        pace.answered()
        return .none
    }

    /// Leases due deliveries, and postpones those with names that the subscriber does not know yet.
    ///
    /// - Returns: nil if no delivery is due.
    private func take(_ lane: Delivery.Lane, limit: Int) async throws -> [Delivery]? {
        let taken = try await store.take(
            lane,
            to: name,
            limit: limit,
            for: policy.lease,
            pause: policy.firstPause
        )
        guard !taken.deliveries.isEmpty || taken.postponed > 0 else { return nil }
        let held = taken.deliveries.filter { unsubscribed.isHeld($0.name) }
        guard !held.isEmpty else { return taken.deliveries }
        try await setBack(held.map { failure(of: $0, "\($0.name) is not subscribed to") })
        let events = Set(held.map(\.event))
        return taken.deliveries.filter { !events.contains($0.event) }
    }

    /// Delivers a single event.
    ///
    /// - Returns: Whether the subscriber is available: it applied the event, or explained why it does not.
    private func carry(_ delivery: Delivery) async -> Bool {
        do {
            switch try await send(DeliveryBatch(delivery)) {
            case .delivered:
                return true
            case .refused(let refusals):
                try await setBack([delivery], refusals)
                return true
            case .failed(let error) where error.isAboutSubscriber:
                try await store.putOff([delivery], to: name, for: policy.firstPause, error: "\(error)")
                retry.expect(in: policy.firstPause)
            case .failed(let error):
                try await setBack([failure(of: delivery, "\(error)")])
            }
        } catch {
            guard !Task.isCancelled else { return true }
            logger.warning("outbox: delivery not recorded", error: error, metadata: ["event": "\(delivery.id)"])
        }
        return false
    }

    // MARK: One request

    private enum Outcome {
        case delivered
        /// The events that the subscriber named.
        case refused([UUID: EventRefusals.Refusal])
        /// The cause may be the subscriber or any of the events.
        case failed(InternalCallError)
    }

    /// Delivers a batch and records the delivery.
    private func send(_ batch: DeliveryBatch) async throws -> Outcome {
        if Sabotage.eventConfirmedFirst.isBuiltIn { try await store.confirm(batch.deliveries, to: name) }
        do {
            let response = try await traced(batch) {
                try await client.post(
                    EventPath.path,
                    json: batch.json,
                    repeatable: true,
                    accepting: EventRefusals.status
                )
            }
            guard response.status != EventRefusals.status else {
                let answer = try? JSONDecoder().decode(EventRefusals.self, from: Data(response.body.readableBytesView))
                let ids = Set(batch.deliveries.map(\.id))
                let named = answer?.refusals.filter { ids.contains($0.id) } ?? []
                guard !named.isEmpty else { return .failed(.refused(name, status: response.status)) }
                return .refused(Dictionary(named.map { ($0.id, $0) }) { first, _ in first })
            }
        } catch let error as InternalCallError {
            return .failed(error)
        }
        try await store.confirm(batch.deliveries, to: name)
        delivered.increment(by: batch.deliveries.count)
        return .delivered
    }

    /// Sends a batch in a span of the trace that its events belong to, or in one with links to their traces.
    private func traced<Value>(_ batch: DeliveryBatch, _ send: () async throws -> Value) async throws -> Value {
        var context = ServiceContext.topLevel
        context.trace = batch.trace
        return try await InstrumentationSystem.tracer.withSpan(
            "deliver to \(name)",
            context: context,
            ofKind: .producer
        ) { span in
            span.attributes["messaging.batch.message_count"] = batch.deliveries.count
            if batch.trace == nil { for trace in batch.traces { span.addLink(to: trace) } }
            return try await send()
        }
    }

    // MARK: Failures

    private func failure(of delivery: Delivery, _ error: String, isMalformed: Bool = false) -> Delivery.Failure {
        let backoff = Backoff(from: policy.firstPause, to: policy.longestPause)
        return Delivery.Failure(
            delivery: delivery,
            pause: backoff.pause(after: delivery.refusals + 1),
            error: error,
            isMalformed: isMalformed
        )
    }

    /// Postpones the deliveries that the subscriber named.
    private func setBack(_ deliveries: [Delivery], _ refusals: [UUID: EventRefusals.Refusal]) async throws {
        try await setBack(
            deliveries.compactMap { delivery in
                guard let refusal = refusals[delivery.id] else { return nil }
                if refusal.reason == .unsubscribed { unsubscribed.hold(delivery.name, for: policy.longestPause / 2) }
                return failure(of: delivery, refusal.message, isMalformed: refusal.reason == .malformed)
            }
        )
    }

    /// Postpones failed deliveries, and parks those of events that have been malformed for long.
    private func setBack(_ failures: [Delivery.Failure]) async throws {
        let parked = try await store.setBack(failures, to: name, parkAfter: policy.parkAfter)
        for failure in failures where parked.contains(failure.delivery.event) {
            logger.error(
                "outbox: event parked",
                metadata: [
                    "event": "\(failure.delivery.id)", "name": "\(failure.delivery.name)", "subscriber": "\(name)",
                    "reason": "\(failure.error)",
                ]
            )
        }
        if let pause = failures.map(\.pause).min() {
            retry.expect(in: pause)
            tried.wake()
        }
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
