import Contracts
import FoundationEssentials
import Logging
import Metrics
import NIOCore
import ServiceKit
import ServiceLifecycle
import Synchronization
import Tracing
import Values

/// Delivers events to one subscriber, so that a slow or unavailable subscriber does not delay the others.
///
/// `RelayDecisions` decides what is sent and recorded. On shutdown a request in flight is completed.
final class SubscriberRelay: Sendable {
    let name: String

    private let client: InternalClient
    private let store: DeliveryStore
    private let policy: OutboxRelay.RetryPolicy
    private let logger: Logger
    private let delivered = Counter(label: "outbox_delivered_total")
    private let fresh = AsyncSignal()
    private let tried = AsyncSignal()
    private let decisions: Mutex<RelayDecisions>

    init(_ subscriber: Subscriber, store: DeliveryStore, policy: OutboxRelay.RetryPolicy, logger: Logger) {
        self.name = subscriber.name.rawValue
        self.client = subscriber.client
        self.store = store
        self.policy = policy
        self.decisions = Mutex(RelayDecisions(policy))
        self.logger = logger
    }

    /// Signals that there may be untried events.
    func wake() {
        fresh.wake()
    }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.follow(.fresh, self.carryFresh) }
            group.addTask { await self.follow(.tried, self.carryTried) }
        }
    }

    /// Processes a lane until shutdown.
    ///
    /// - Parameter carry: Delivers the events of one read of the table, and returns the pause before the next read.
    private func follow(_ lane: Delivery.Lane, _ carry: () async throws -> RelayDecisions.Pause) async {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            var pause = RelayDecisions.Pause.rest(.seconds(1))
            do {
                pause = try await carry()
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning("outbox: database error, will retry", error: error, metadata: ["subscriber": "\(name)"])
            }
            await cancelWhenGracefulShutdown { [pause] in
                switch pause {
                case .none: break
                case .rest(let time): try? await Task.sleep(for: time)
                case .sleep(let time): await self.signal(of: lane).sleep(atMost: time)
                }
            }
        }
    }

    private func signal(of lane: Delivery.Lane) -> AsyncSignal {
        switch lane {
        case .fresh: fresh
        case .tried: tried
        }
    }

    // MARK: Lanes

    private func carryFresh() async throws -> RelayDecisions.Pause {
        var step = try await take(.fresh)
        while let batch = step.requests.first {
            let outcome = try await send(batch)
            step = decide { [step] in $0.end(outcome, of: step.requests, at: .now, using: &$1) }
            try await perform(step.actions)
        }
        return step.pause ?? .none
    }

    private func carryTried() async throws -> RelayDecisions.Pause {
        let step = try await take(.tried)
        if let pause = step.pause { return pause }
        let hasAnswered = await withTaskGroup(of: Bool.self) { group in
            for batch in step.requests { group.addTask { await self.carry(batch) } }
            return await group.reduce(step.requests.isEmpty) { $0 || $1 }
        }
        // The next event of the same key may be untried.
        fresh.wake()
        return decide { $0.endTried(hasAnswered: hasAnswered, using: &$1) }
    }

    /// Leases due deliveries.
    private func take(_ lane: Delivery.Lane) async throws -> RelayDecisions.Step {
        let taken = try await store.take(
            lane,
            to: name,
            limit: decide { decisions, _ in decisions.limit(of: lane, at: .now) },
            for: policy.lease,
            pause: policy.firstPause
        )
        let step = decide { $0.take(taken, on: lane, at: .now, using: &$1) }
        try await perform(step.actions)
        return step
    }

    /// Delivers a single event.
    ///
    /// - Returns: Whether the subscriber is available.
    private func carry(_ batch: DeliveryBatch) async -> Bool {
        do {
            let outcome = try await send(batch)
            let end = decide { $0.end(outcome, ofTried: batch, at: .now, using: &$1) }
            try await perform(end.actions)
            return end.hasAnswered
        } catch {
            guard !Task.isCancelled else { return true }
            let event = batch.deliveries.first.map { "\($0.id)" } ?? ""
            logger.warning("outbox: delivery not recorded", error: error, metadata: ["event": "\(event)"])
        }
        return false
    }

    // MARK: Decisions

    private func decide<Value: Sendable>(
        _ decision: (inout RelayDecisions, inout SystemRandomNumberGenerator) -> Value
    ) -> Value {
        decisions.withLock { decisions in
            var random = SystemRandomNumberGenerator()
            return decision(&decisions, &random)
        }
    }

    private func perform(_ actions: [RelayDecisions.Action]) async throws {
        for action in actions {
            switch action {
            case .confirm(let deliveries):
                try await store.confirm(deliveries, to: name)
                delivered.increment(by: deliveries.count)
            case .setBack(let failures): try await setBack(failures)
            case .putOff(let deliveries, let pause, let error):
                try await store.putOff(deliveries, to: name, for: pause, error: error)
            case .expectRetry(let pause):
                decide { decisions, _ in decisions.expectRetry(in: pause, from: .now) }
            case .wake(let lane): signal(of: lane).wake()
            }
        }
    }

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
    }

    // MARK: One request

    private func send(_ batch: DeliveryBatch) async throws -> RelayDecisions.Outcome {
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
}
