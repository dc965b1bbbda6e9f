package import Logging
import Metrics
package import Postgres
import ServiceHost
import ServiceLifecycle

/// Carries events from the outbox to the subscribers: woken by a notification when one is published, and by a timer for
/// what is due again. Any number of relays may run beside each other.
///
/// An event that a subscriber does not take is tried again after a growing pause, without end while the subscriber does
/// not answer; one that it refuses eight times is parked: `outbox_parked` counts those, and the log names each. Each
/// subscriber is served by itself (`SubscriberRelay`).
package final class OutboxRelay: Service, Sendable {
    /// How patient a relay is.
    package struct Patience: Sendable {
        /// Refusals after which an event is parked.
        package var refusals = 8
        /// The pause after the first failure; it doubles up to a minute for an event that is refused, and up to `sweep` for
        /// a subscriber that does not answer.
        package var firstPause: Duration = .milliseconds(200)
        /// After this long a delivery that a relay took and did not finish is taken again.
        package var lease: Duration = .seconds(30)
        /// Longest time between two looks at the table, and the time between two cleanings.
        package var sweep: Duration = .seconds(5)

        package init() {}
    }

    private let store: DeliveryStore
    private let database: PostgresClient
    private let relays: [SubscriberRelay]
    private let patience: Patience
    private let logger: Logger
    private let parked = Gauge(label: "outbox_parked")

    package init(_ outbox: Outbox, database: PostgresClient, patience: Patience = Patience(), logger: Logger) {
        let store = DeliveryStore(database: database)
        self.store = store
        self.database = database
        self.relays = outbox.subscribers.map { subscriber in
            SubscriberRelay(subscriber, store: store, patience: patience, logger: logger)
        }
        self.patience = patience
        self.logger = logger
    }

    package func run() async throws {
        await withDiscardingTaskGroup { group in
            for relay in relays { group.addTask { await relay.run() } }
            group.addTask { await cancelWhenGracefulShutdown { await self.listen() } }
            group.addTask { await cancelWhenGracefulShutdown { await self.keepHouse() } }
        }
    }

    private func listen() async {
        let channel = "outbox_\(database.configuration.schema ?? "public")"
        for await _ in database.notifications(on: channel) {
            for relay in relays { relay.wake() }
        }
    }

    /// Cleans up once in a while.
    private func keepHouse() async {
        while !Task.isCancelled {
            do {
                try await store.parkStrays(otherThanTo: relays.map(\.name))
                try await store.sweep()
                try await store.analyze()
                parked.record(try await store.parkedCount())
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning("the outbox cannot be cleaned", error: error)
            }
            try? await Task.sleep(for: patience.sweep)
        }
    }
}
