package import Contracts
import FoundationEssentials
package import Postgres
import ServiceContextModule
import ServiceHost

/// The transactional outbox of a service: an event is written in the transaction that makes it true, so that it is
/// announced if and only if that commits. `OutboxRelay` carries it to the subscribers.
package struct Outbox: Sendable {
    let subscribers: [Subscriber]

    package init(subscribers: [Subscriber]) {
        self.subscribers = subscribers
    }

    /// The tables, under the service's own version number.
    package static func migration(version: Int) -> Migration {
        Migration(version: version, name: "outbox", sql: PackageResources.outbox_sql)
    }

    /// Who hears of an event.
    package func subscribers(to event: (some Event).Type) -> [ServiceName] {
        subscribers.filter { $0.events.contains(event.name) }.map(\.name)
    }

    /// Announces an event once the transaction commits. An event that nobody subscribes to is not kept.
    ///
    /// Events of one key are numbered in the order in which their transactions commit: publishing takes a lock on the key
    /// until the transaction ends.
    package func publish<E: Event>(_ event: E, in transaction: PostgresTransaction) async throws {
        try await publish([event], in: transaction)
    }

    /// The same for several, in one round trip.
    package func publish<E: Event>(_ events: [E], in transaction: PostgresTransaction) async throws {
        try await transaction.run(publication(of: events))
    }

    /// What announces events, for a transaction that has more to do in the same round trip.
    package func publication<E: Event>(of events: [E]) throws -> [Statement<Int>] {
        let names = subscribers(to: E.self).map(\.rawValue)
        guard !names.isEmpty, !events.isEmpty else { return [] }
        let trace = ServiceContext.current?.trace?.headerValue
        // In one order, so that nobody waits for who waits for them.
        let keys = Set(events.map(\.key)).sorted()
        let bodies = try events.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        return [
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
                    SELECT \(E.name), key, body::jsonb, \(trace)
                    FROM unnest(\(events.map(\.key)), \(bodies)) WITH ORDINALITY AS e(key, body, place) ORDER BY place
                    RETURNING id, key
                )
                INSERT INTO outbox_deliveries (subscriber, event, key)
                SELECT subscriber, id, key FROM events, unnest(\(names)) AS subscriber
                """
            ),
            .execute("SELECT pg_notify('outbox_' || current_schema(), '')"),
        ]
    }
}
