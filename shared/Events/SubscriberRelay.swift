import Contracts
import Logging
import Metrics
import ServiceContextModule
import ServiceKit
import ServiceLifecycle
import Values

/// Delivers events to one subscriber, so that a slow or unavailable subscriber does not delay the others.
///
/// Untried events are sent in batches, each confirmed by one statement. Failed events are sent individually on a second
/// lane: those of a refused batch, so that only the offending ones are counted and parked, and those without a
/// response, so that a slow event does not delay others. On shutdown a request in flight is completed.
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
        let taken = try await store.take(.fresh, to: name, limit: pace.size, for: policy.lease)
        guard !taken.isEmpty else { return .sleep(fresh, atMost: policy.sweep) }
        var batches = DeliveryBatch.batches(of: taken)[...]
        while let batch = batches.popFirst() {
            guard let error = try await failure(of: batch) else {
                pace.answered()
                continue
            }
            guard error.isRefusal else {
                let pause = pace.missed()
                try await putOff(batch, for: pause, error)
                try await store.putOff(batches.flatMap(\.deliveries), to: name, for: pause, error: nil)
                return .rest(pause)
            }
            pace.answered()
            if let only = batch.only {
                try await setBack(only, error)
            } else {
                try await putOff(batch, for: .zero, error)
            }
            tried.wake()
        }
        return .none
    }

    private func carryTried(_ pace: inout AdaptiveBatch) async throws -> Pause {
        retry.forgetPast()
        let taken = try await store.take(.tried, to: name, limit: Self.triedAtOnce, for: policy.lease)
        guard !taken.isEmpty else { return .sleep(tried, atMost: min(retry.wait ?? policy.sweep, policy.sweep)) }
        let isThere = await withTaskGroup(of: Bool.self) { group in
            for delivery in taken { group.addTask { await self.carry(delivery) } }
            return await group.allSatisfy { $0 }
        }
        // The next event of the same key may be untried.
        fresh.wake()
        guard isThere else { return .rest(pace.missed()) }
        pace.answered()
        return .none
    }

    /// Delivers a single event.
    ///
    /// - Returns: Whether the subscriber responded.
    private func carry(_ delivery: Delivery) async -> Bool {
        do {
            guard let error = try await failure(of: DeliveryBatch(delivery)) else { return true }
            try await setBack(delivery, error)
            return error.isRefusal
        } catch {
            guard !Task.isCancelled else { return true }
            logger.warning("outbox: delivery not recorded", error: error, metadata: ["event": "\(delivery.id)"])
            return true
        }
    }

    // MARK: One request

    /// Delivers a batch and records the delivery.
    ///
    /// - Returns: The error of a failed delivery; nil on success.
    private func failure(of batch: DeliveryBatch) async throws -> InternalCallError? {
        var scope = ServiceContext.topLevel
        scope.trace = batch.trace
        do {
            try await ServiceContext.withValue(scope) {
                try await client.post(EventPath.path, json: batch.json, repeatable: true)
            }
        } catch let error as InternalCallError {
            return error
        }
        try await store.confirm(batch.deliveries, to: name)
        delivered.increment(by: batch.deliveries.count)
        return nil
    }

    /// Moves the deliveries of a failed batch to the lane of individual retries.
    private func putOff(_ batch: DeliveryBatch, for pause: Duration, _ error: InternalCallError) async throws {
        try await store.putOff(batch.deliveries, to: name, for: pause, error: "\(error)")
        retry.expect(in: pause)
        tried.wake()
    }

    /// Postpones a delivery that failed individually, or parks it.
    private func setBack(_ delivery: Delivery, _ error: InternalCallError) async throws {
        if error.isRefusal, delivery.refusals + 1 >= policy.refusals {
            try await store.park(delivery, to: name, error: "\(error)")
            logger.error(
                "outbox: event parked",
                error: error,
                metadata: ["event": "\(delivery.id)", "name": "\(delivery.name)", "subscriber": "\(name)"]
            )
        } else {
            let pause = Backoff(from: policy.firstPause, to: .seconds(60)).pause(after: delivery.refusals + 1)
            try await store.putOff([delivery], to: name, for: pause, refused: error.isRefusal, error: "\(error)")
            retry.expect(in: pause)
        }
    }
}

extension InternalCallError {
    /// Whether the subscriber responded and refused the events.
    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}
