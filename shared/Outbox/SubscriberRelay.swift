import Contracts
import InternalClient
import Logging
import Metrics
import ServiceContextModule
import ServiceHost
import ServiceLifecycle

/// Carries events to one subscriber, so that nobody waits for another who is slow or away.
///
/// What is fresh goes in batches, each confirmed by one statement. What failed goes by itself on a lane of its own: the
/// events of a batch that was refused, so that only those that the subscriber does not want are counted and parked, and
/// whatever got no answer, so that an event that takes too long holds up no others. On shutdown a request that is under
/// way is finished.
final class SubscriberRelay: Sendable {
    let name: String

    private static let triedAtOnce = 32

    private let client: InternalClient
    private let store: DeliveryStore
    private let patience: OutboxRelay.Patience
    private let logger: Logger
    private let delivered = Counter(label: "outbox_delivered_total")
    private let fresh = Waker()
    private let tried = Waker()
    private let retry = Retry()

    init(_ subscriber: Subscriber, store: DeliveryStore, patience: OutboxRelay.Patience, logger: Logger) {
        self.name = subscriber.name.rawValue
        self.client = subscriber.client
        self.store = store
        self.patience = patience
        self.logger = logger
    }

    /// There may be something fresh.
    func wake() {
        fresh.wake()
    }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.follow(self.carryFresh) }
            group.addTask { await self.follow(self.carryTried) }
        }
    }

    /// Goes on with a lane until the service ends.
    ///
    /// - Parameter carry: delivers what one look at the table finds, and returns how long to leave the lane alone.
    private func follow(_ carry: (inout Pace) async throws -> Pause) async {
        var pace = Pace(patience)
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            var pause = Pause.rest(.seconds(1))
            do {
                pause = try await carry(&pace)
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning("the outbox cannot be read", error: error, metadata: ["subscriber": "\(name)"])
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
        /// Until woken.
        case sleep(Waker, atMost: Duration)
    }

    // MARK: Lanes

    private func carryFresh(_ pace: inout Pace) async throws -> Pause {
        let taken = try await store.take(.fresh, to: name, limit: pace.size, for: patience.lease)
        guard !taken.isEmpty else { return .sleep(fresh, atMost: patience.sweep) }
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

    private func carryTried(_ pace: inout Pace) async throws -> Pause {
        retry.forgetPast()
        let taken = try await store.take(.tried, to: name, limit: Self.triedAtOnce, for: patience.lease)
        guard !taken.isEmpty else { return .sleep(tried, atMost: min(retry.wait ?? patience.sweep, patience.sweep)) }
        let isThere = await withTaskGroup(of: Bool.self) { group in
            for delivery in taken { group.addTask { await self.carry(delivery) } }
            return await group.allSatisfy { $0 }
        }
        // What comes after it under its key may be fresh.
        fresh.wake()
        guard isThere else { return .rest(pace.missed()) }
        pace.answered()
        return .none
    }

    /// Delivers an event by itself.
    ///
    /// - Returns: whether the subscriber answered.
    private func carry(_ delivery: Delivery) async -> Bool {
        do {
            guard let error = try await failure(of: DeliveryBatch(delivery)) else { return true }
            try await setBack(delivery, error)
            return error.isRefusal
        } catch {
            guard !Task.isCancelled else { return true }
            logger.warning("a delivery could not be recorded", error: error, metadata: ["event": "\(delivery.id)"])
            return true
        }
    }

    // MARK: One request

    /// Delivers a batch, and records that it is.
    ///
    /// - Returns: why the subscriber has not taken it; nil when it has.
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

    /// Hands what failed together over to the lane on which each goes by itself.
    private func putOff(_ batch: DeliveryBatch, for pause: Duration, _ error: InternalCallError) async throws {
        try await store.putOff(batch.deliveries, to: name, for: pause, error: "\(error)")
        retry.expect(in: pause)
        tried.wake()
    }

    /// Puts an event off that failed by itself, or parks it.
    private func setBack(_ delivery: Delivery, _ error: InternalCallError) async throws {
        if error.isRefusal, delivery.refusals + 1 >= patience.refusals {
            try await store.park(delivery, to: name, error: "\(error)")
            logger.error(
                "event parked",
                error: error,
                metadata: ["event": "\(delivery.id)", "name": "\(delivery.name)", "subscriber": "\(name)"]
            )
        } else {
            let doubled = patience.firstPause * (1 << min(delivery.refusals, 8))
            let pause = min(doubled, .seconds(60)) * Double.random(in: 0.75...1.25)
            try await store.putOff([delivery], to: name, for: pause, refused: error.isRefusal, error: "\(error)")
            retry.expect(in: pause)
        }
    }
}

extension InternalCallError {
    /// The subscriber was there, and did not want it.
    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}
