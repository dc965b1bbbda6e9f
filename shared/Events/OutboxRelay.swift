package import Logging
import Metrics
package import Postgres
import ServiceKit
import ServiceLifecycle

/// Delivers events from the outbox to the subscribers. It is woken by a notification when an event is published, and by
/// a timer for retries. Several relays may run concurrently.
///
/// A failed delivery is retried after a growing pause, indefinitely while the subscriber does not respond. An event
/// refused eight times is parked: `outbox_parked` counts the parked events, and each is logged. Each subscriber has its
/// own `SubscriberRelay`.
package final class OutboxRelay: Service, Sendable {
    /// The timing of a relay.
    package struct RetryPolicy: Sendable {
        /// The number of refusals after which an event is parked.
        package var refusals = 8
        /// The pause after the first failure. It doubles up to a minute for a refused event, and up to `sweep` for a
        /// subscriber that does not respond.
        package var firstPause: Duration = .milliseconds(200)
        /// The lease of a delivery, after which another relay may take it.
        package var lease: Duration = .seconds(30)
        /// The maximum time between two reads of the table, and the time between two cleanups.
        package var sweep: Duration = .seconds(5)

        package init() {}
    }

    private let store: DeliveryStore
    private let database: PostgresClient
    private let relays: [SubscriberRelay]
    private let policy: RetryPolicy
    private let logger: Logger
    private let parked = Gauge(label: "outbox_parked")

    package init(_ outbox: Outbox, database: PostgresClient, policy: RetryPolicy = RetryPolicy(), logger: Logger) {
        let store = DeliveryStore(database: database)
        self.store = store
        self.database = database
        self.relays = outbox.subscribers.map { subscriber in
            SubscriberRelay(subscriber, store: store, policy: policy, logger: logger)
        }
        self.policy = policy
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

    /// Cleans up the tables periodically.
    private func keepHouse() async {
        while !Task.isCancelled {
            do {
                try await store.parkStrays(otherThanTo: relays.map(\.name))
                try await store.sweep()
                try await store.analyze()
                parked.record(try await store.parkedCount())
            } catch {
                guard !Task.isCancelled else { return }
                logger.warning("outbox: cleanup failed, will retry", error: error)
            }
            try? await Task.sleep(for: policy.sweep)
        }
    }
}
