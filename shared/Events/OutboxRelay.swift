package import Logging
package import Postgres
import ServiceKit
import ServiceLifecycle

/// Delivers events from the outbox to the subscribers. It is woken by an announcement when an event is published, and
/// by a timer for retries. Several relays may run concurrently.
///
/// A failed delivery is retried after a growing pause, without end, and later events of its key wait for it. Only an
/// event that the subscriber has called malformed for a day is parked: later events of its key are then delivered
/// without it. Each subscriber has its own `SubscriberRelay`.
package final class OutboxRelay: Service, Sendable {
    /// The timing of a relay.
    package struct RetryPolicy: Sendable {
        /// The time after the first answer that an event is malformed, after which it is parked.
        package var parkAfter: Duration = .seconds(86_400)
        /// The pause after the first failure. It doubles up to `longestPause` for a refused event, and up to `sweep`
        /// for a subscriber that is not available.
        package var firstPause: Duration = .milliseconds(200)
        package var longestPause: Duration = .seconds(60)
        /// The lease of a delivery, after which another relay may take it.
        package var lease: Duration = .seconds(30)
        /// The maximum time between two reads of the table.
        package var sweep: Duration = .seconds(5)
        /// The time between two cleanups.
        package var cleanup: Duration = .seconds(60)

        package init() {}
    }

    private let database: PostgresClient
    private let relays: [SubscriberRelay]
    private let policy: RetryPolicy
    private let logger: Logger

    package init(_ outbox: Outbox, database: PostgresClient, policy: RetryPolicy = RetryPolicy(), logger: Logger) {
        let store = DeliveryStore(database: database)
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
        for await notification in database.announcer.notifications(on: Outbox.channel) {
            for relay in relays where notification.concerns(relay.name) { relay.wake() }
        }
    }

    /// Cleans up the tables periodically.
    private func keepHouse() async {
        let cleanup = OutboxCleanup(database: database, subscribers: Set(relays.map(\.name)))
        let job = PeriodicJob("outbox cleanup", every: policy.cleanup) {
            try await cleanup.refreshStatistics()
            try await cleanup.review()
            try await cleanup.deleteDelivered()
            return false
        }
        await withLogger(logger) { _ in await job.run() }
    }
}

extension PostgresNotification {
    /// Whether an event was published to a subscriber: the payload names all subscribers of the event. An older
    /// version names none.
    func concerns(_ subscriber: String) -> Bool {
        switch self {
        case .listening, .message(""): true
        case .message(let names): names.split(separator: " ").contains { $0 == subscriber }
        }
    }
}
