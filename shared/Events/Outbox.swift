package import Contracts
import FoundationEssentials
package import Postgres
import ServiceKit

/// The transactional outbox of a service: an event is written in the transaction that causes it, so that it is
/// published if and only if that transaction commits. `OutboxRelay` delivers it to the subscribers.
package struct Outbox: Sendable {
    let subscribers: [Subscriber]

    /// Announced with the subscribers of new events.
    static let channel = "outbox"

    package init(subscribers: [Subscriber]) {
        self.subscribers = subscribers
    }

    /// The migration that creates the tables, with a version number of the service.
    package static func migration(version: Int) -> Migration {
        Migration(version: version, name: "outbox", sql: PackageResources.outbox_sql)
    }

    /// The migration that adds the retries of malformed events, with a version number of the service.
    package static func retriesMigration(version: Int) -> Migration {
        Migration(version: version, name: "outbox_retries", sql: PackageResources.outbox_retries_sql)
    }

    /// The subscribers of an event.
    package func subscribers(to event: (some Event).Type) -> [ServiceName] {
        subscribers.filter { $0.events.contains(event.name) }.map(\.name)
    }

    /// The names of the events that a subscriber hears.
    func names(heardBy subscriber: String) -> [String] {
        subscribers.filter { $0.name.rawValue == subscriber }.flatMap(\.events).sorted()
    }

    /// Publishes an event when the transaction commits. An event without subscribers is not stored.
    ///
    /// Events of one key are numbered in the commit order of their transactions: publishing locks the key until the
    /// transaction ends. The statements are sent with the next ones of the transaction, or with its COMMIT.
    package func publish<E: Event>(_ event: E, in transaction: PostgresTransaction) throws {
        try publish([event], in: transaction)
    }

    /// Publishes several events.
    ///
    /// - Parameter traces: The span that each event follows from, as `traceparent`; by default that of the current task.
    package func publish<E: Event>(
        _ events: [E],
        following traces: [String?]? = nil,
        in transaction: PostgresTransaction
    ) throws {
        let names = subscribers(to: E.self).map(\.rawValue)
        guard !names.isEmpty, !events.isEmpty else { return }
        let own = traces == nil ? TraceContext.handedOn : nil
        let origins = traces ?? events.map { _ in own }
        // Keys are locked in a fixed order to avoid deadlocks.
        let keys = Set(events.map(\.key)).sorted()
        let bodies = try events.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        transaction.announce([Announcement(names.joined(separator: " "), on: Self.channel)])
        try transaction.enqueue([
            .execute(
                """
                SELECT pg_advisory_xact_lock(hashtextextended('outbox ' || current_schema() || key, 0))
                FROM unnest(\(keys)) AS key
                """
            ),
            .execute(
                """
                WITH events AS (
                    INSERT INTO outbox (name, key, body, trace)
                    SELECT \(E.name), key, body::jsonb, nullif(trace, '')
                    FROM unnest(\(events.map(\.key)), \(bodies), \(origins.map { $0 ?? "" }))
                        WITH ORDINALITY AS e(key, body, trace, place) ORDER BY place
                    RETURNING id, key
                )
                INSERT INTO outbox_deliveries (subscriber, event, key)
                SELECT subscriber, id, key FROM events, unnest(\(names)) AS subscriber
                """
            ),
        ])
    }
}
