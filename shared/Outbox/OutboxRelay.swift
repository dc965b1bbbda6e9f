import Contracts
import InternalClient
package import Logging
import Metrics
package import Postgres
import ServiceContextModule
import ServiceHost
import ServiceLifecycle

/// Carries events from the outbox to the subscribers: woken by a notification when one is published, and by a timer for
/// what is due again. Any number of relays may run beside each other.
///
/// An event that a subscriber does not take is tried again after a growing pause, without end while the subscriber does
/// not answer; one that it refuses eight times is parked: `outbox_parked` counts those, and the log names each.
package final class OutboxRelay: Service, Sendable {
    /// How patient a relay is.
    package struct Patience: Sendable {
        /// Refusals after which an event is parked.
        package var refusals = 8
        /// The pause after the first failure; it doubles up to a minute.
        package var firstPause: Duration = .milliseconds(200)
        /// After this long a delivery that a relay took and did not finish is taken again.
        package var lease: Duration = .seconds(30)
        /// Longest time between two looks at the table.
        package var sweep: Duration = .seconds(5)

        package init() {}
    }

    private static let batch = 32

    private let store: DeliveryStore
    private let database: PostgresClient
    private let subscribers: [String: InternalClient]
    private let patience: Patience
    private let logger: Logger
    private let parked: Gauge
    private let delivered: Counter

    package init(_ outbox: Outbox, database: PostgresClient, patience: Patience = Patience(), logger: Logger) {
        self.store = DeliveryStore(database: database)
        self.database = database
        self.subscribers = Dictionary(outbox.subscribers.map { ($0.name.rawValue, $0.client) }) { first, _ in first }
        self.patience = patience
        self.logger = logger
        self.parked = Gauge(label: "outbox_parked")
        self.delivered = Counter(label: "outbox_delivered_total")
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                let waker = Waker()
                group.addTask {
                    let channel = "outbox_\(self.database.configuration.schema ?? "public")"
                    for await _ in self.database.notifications(on: channel) { waker.wake() }
                }
                while !Task.isCancelled { await waker.sleep(atMost: await self.drain()) }
                group.cancelAll()
            }
        }
    }

    /// Delivers everything that is due.
    ///
    /// - Returns: how long until there may be more.
    private func drain() async -> Duration {
        do {
            while !Task.isCancelled {
                let deliveries = try await store.take(limit: Self.batch, for: patience.lease)
                guard !deliveries.isEmpty else { break }
                await withDiscardingTaskGroup { group in
                    for delivery in deliveries { group.addTask { await self.deliver(delivery) } }
                }
            }
            try await store.sweep()
            parked.record(try await store.parkedCount())
            return min(try await store.untilNextDue() ?? patience.sweep, patience.sweep)
        } catch {
            guard !Task.isCancelled else { return .zero }
            logger.warning("the outbox cannot be read", error: error)
            return .seconds(1)
        }
    }

    private func deliver(_ delivery: Delivery) async {
        do {
            guard let client = subscribers[delivery.subscriber] else {
                return try await store.park(delivery, error: "there is no subscriber of this name any more")
            }
            var scope = ServiceContext.topLevel
            scope.trace = delivery.trace.flatMap { TraceContext(header: $0) }
            let event = #"{"id":"\#(delivery.id)","name":"\#(delivery.name)","body":\#(delivery.body)}"#
            try await ServiceContext.withValue(scope) {
                try await client.post(EventPath.path, json: event, repeatable: true)
            }
            try await store.confirm(delivery)
            delivered.increment()
        } catch let error as InternalCallError {
            await failed(delivery, error)
        } catch {
            logger.warning("a delivery could not be recorded", error: error, metadata: ["event": "\(delivery.id)"])
        }
    }

    private func failed(_ delivery: Delivery, _ error: InternalCallError) async {
        let refused = if case .refused = error { true } else { false }
        do {
            if refused, delivery.refusals + 1 >= patience.refusals {
                try await store.park(delivery, error: "\(error)")
                logger.error(
                    "event parked",
                    error: error,
                    metadata: [
                        "event": "\(delivery.id)", "name": "\(delivery.name)", "subscriber": "\(delivery.subscriber)",
                    ]
                )
            } else {
                let doubled = patience.firstPause * (1 << min(delivery.refusals, 8))
                let pause = min(doubled, .seconds(60)) * Double.random(in: 0.75...1.25)
                try await store.putOff(delivery, for: pause, refused: refused, error: "\(error)")
            }
        } catch {
            logger.warning("a delivery could not be recorded", error: error, metadata: ["event": "\(delivery.id)"])
        }
    }
}
