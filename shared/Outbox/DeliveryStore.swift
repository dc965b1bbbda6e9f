import FoundationEssentials
import Postgres

/// All SQL of deliveries.
struct DeliveryStore: Sendable {
    let database: PostgresClient

    /// Takes deliveries that are due, each the first of its key for its subscriber, and keeps others off them for a while:
    /// a relay that dies leaves them to be taken again.
    func take(limit: Int, for lease: Duration) async throws -> [Delivery] {
        try await database.all(
            """
            WITH due AS (
                SELECT d.subscriber, d.event FROM outbox_deliveries d
                WHERE d.due_at <= now() AND d.parked_at IS NULL AND NOT EXISTS (
                    SELECT 1 FROM outbox_deliveries earlier
                    WHERE earlier.subscriber = d.subscriber AND earlier.key = d.key AND earlier.event < d.event
                      AND earlier.parked_at IS NULL
                )
                ORDER BY d.due_at, d.event LIMIT \(limit) FOR UPDATE SKIP LOCKED
            )
            UPDATE outbox_deliveries d SET due_at = now() + make_interval(secs => \(lease.seconds))
            FROM due, outbox o
            WHERE d.subscriber = due.subscriber AND d.event = due.event AND o.id = d.event
            RETURNING d.event, d.subscriber, o.event_id, o.name, o.body::text, o.trace, d.refusals
            """
        ) { row in
            let (event, subscriber, id, name, body, trace, refusals) = try row.decode(
                as: (Int64, String, UUID, String, String, String?, Int).self
            )
            return Delivery(
                event: event,
                subscriber: subscriber,
                id: id,
                name: name,
                body: body,
                trace: trace,
                refusals: refusals
            )
        }
    }

    func confirm(_ delivery: Delivery) async throws {
        try await database.execute(
            """
            DELETE FROM outbox_deliveries
            WHERE subscriber = \(delivery.subscriber) AND event = \(delivery.event)
            """
        )
    }

    /// Puts a delivery off; it counts as refused when the subscriber was there and did not want it.
    func putOff(_ delivery: Delivery, for delay: Duration, refused: Bool, error: String) async throws {
        try await database.execute(
            """
            UPDATE outbox_deliveries SET due_at = now() + make_interval(secs => \(delay.seconds)),
                refusals = refusals + \(refused ? 1 : 0), last_error = \(error)
            WHERE subscriber = \(delivery.subscriber) AND event = \(delivery.event)
            """
        )
    }

    /// Sets a delivery aside for an operator; the later events of its key go on without it.
    func park(_ delivery: Delivery, error: String) async throws {
        try await database.execute(
            """
            UPDATE outbox_deliveries SET parked_at = now(), refusals = refusals + 1, last_error = \(error)
            WHERE subscriber = \(delivery.subscriber) AND event = \(delivery.event)
            """
        )
    }

    /// Deletes events that everybody has heard of.
    func sweep() async throws {
        try await database.execute(
            """
            DELETE FROM outbox o WHERE created_at < now() - interval '1 minute'
              AND NOT EXISTS (SELECT 1 FROM outbox_deliveries d WHERE d.event = o.id)
            """
        )
    }

    func parkedCount() async throws -> Int {
        try await database.one("SELECT count(*) FROM outbox_deliveries WHERE parked_at IS NOT NULL") {
            try $0.decode(Int.self)
        }
    }

    /// How long until the next delivery is due; nil when none waits.
    func untilNextDue() async throws -> Duration? {
        let seconds = try await database.one(
            "SELECT extract(epoch FROM min(due_at) - now())::float8 FROM outbox_deliveries WHERE parked_at IS NULL"
        ) { try $0.decode(Double?.self) }
        return seconds.map { .seconds(max(0, $0)) }
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
