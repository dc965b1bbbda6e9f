import FoundationEssentials
import Postgres

/// The SQL statements of deliveries.
struct DeliveryStore: Sendable {
    let database: PostgresClient

    /// Leases the oldest due deliveries to a subscriber, each the first of its key. A lease expires, so that the
    /// deliveries of a crashed relay are taken again.
    ///
    /// The conditions and orders match whole index keys, so that the planner uses one index for the scan and one for
    /// the check of a key, and does not read other waiting deliveries. The second limit, which the planner sees as a
    /// constant, bounds its row estimate. All waiting deliveries of the subscriber are scanned only while the
    /// table has no statistics (`analyze`) and on the lane of failed deliveries, which are few.
    ///
    /// - Returns: The deliveries in the order of event numbers.
    func take(
        _ lane: Delivery.Lane,
        to subscriber: String,
        limit: Int,
        for lease: Duration
    ) async throws -> [Delivery] {
        let statement = Self.taking(lane, to: subscriber, limit: limit, for: lease)
        let deliveries = try await database.all(statement) { row in
            let (event, id, name, body, trace, refusals) = try row.decode(
                as: (Int64, UUID, String, String, String?, Int).self
            )
            return Delivery(event: event, id: id, name: name, body: body, trace: trace, refusals: refusals)
        }
        return deliveries.sorted { $0.event < $1.event }
    }

    /// The statement of `take`; tests check its query plan.
    static func taking(_ lane: Delivery.Lane, to subscriber: String, limit: Int, for lease: Duration) -> SQL {
        """
        WITH first AS MATERIALIZED (
            SELECT event FROM (
                SELECT w.event FROM (
                    SELECT d.subscriber, d.event, d.key FROM outbox_deliveries d
                    WHERE d.subscriber BETWEEN \(subscriber) AND \(subscriber) AND d.due_at <= now()
                        AND d.parked_at IS NULL AND \(lane.condition)
                    ORDER BY d.subscriber, d.event OFFSET 0
                ) w
                WHERE w.event = (
                    SELECT e.event FROM outbox_deliveries e
                    WHERE (e.subscriber, e.key) >= (w.subscriber, w.key) AND e.parked_at IS NULL
                    ORDER BY e.subscriber, e.key, e.event LIMIT 1
                )
                LIMIT \(limit)
            ) few LIMIT 256
        ), due AS (
            SELECT d.subscriber, d.event FROM outbox_deliveries d JOIN first ON first.event = d.event
            WHERE d.subscriber = \(subscriber) AND d.due_at <= now() FOR UPDATE OF d SKIP LOCKED
        )
        UPDATE outbox_deliveries d SET due_at = now() + make_interval(secs => \(lease.seconds))
        FROM due, outbox o
        WHERE d.subscriber = due.subscriber AND d.event = due.event AND o.id = d.event
        RETURNING d.event, o.event_id, o.name, o.body::text, o.trace, d.refusals
        """
    }

    func confirm(_ deliveries: [Delivery], to subscriber: String) async throws {
        try await database.execute(
            """
            DELETE FROM outbox_deliveries
            WHERE subscriber = \(subscriber) AND event = ANY(\(deliveries.map(\.event)))
            """
        )
    }

    /// Postpones deliveries.
    ///
    /// - Parameters:
    ///   - refused: Whether the subscriber responded and refused each of them.
    ///   - error: The error that they failed with; nil keeps untried deliveries on their lane.
    func putOff(
        _ deliveries: [Delivery],
        to subscriber: String,
        for delay: Duration,
        refused: Bool = false,
        error: String?
    ) async throws {
        try await database.execute(
            """
            UPDATE outbox_deliveries SET due_at = now() + make_interval(secs => \(delay.seconds)),
                refusals = refusals + \(refused ? 1 : 0), last_error = coalesce(\(error), last_error)
            WHERE subscriber = \(subscriber) AND event = ANY(\(deliveries.map(\.event)))
            """
        )
    }

    /// Parks a delivery for an operator; later events of its key are delivered without it.
    func park(_ delivery: Delivery, to subscriber: String, error: String) async throws {
        try await database.execute(
            """
            UPDATE outbox_deliveries SET parked_at = now(), refusals = refusals + 1, last_error = \(error)
            WHERE subscriber = \(subscriber) AND event = \(delivery.event)
            """
        )
    }

    /// Parks the deliveries to services that are not in `subscribers`.
    func parkStrays(otherThanTo subscribers: [String]) async throws {
        try await database.execute(
            """
            UPDATE outbox_deliveries SET parked_at = now(), refusals = refusals + 1,
                last_error = 'there is no subscriber of this name any more'
            WHERE parked_at IS NULL AND due_at <= now() AND subscriber <> ALL(\(subscribers))
            """
        )
    }

    /// Deletes events that have been delivered to all subscribers.
    func sweep() async throws {
        try await database.execute(
            """
            DELETE FROM outbox o WHERE created_at < now() - interval '1 minute'
              AND NOT EXISTS (SELECT 1 FROM outbox_deliveries d WHERE d.event = o.id)
            """
        )
    }

    /// Updates the planner's statistics. The tables fill and empty within seconds, and the statistics of autovacuum are
    /// minutes old.
    func analyze() async throws {
        try await database.execute("ANALYZE (SKIP_LOCKED) outbox_deliveries, outbox (id)")
    }

    func parkedCount() async throws -> Int {
        try await database.one("SELECT count(*) FROM outbox_deliveries WHERE parked_at IS NOT NULL") {
            try $0.decode(Int.self)
        }
    }
}

extension Delivery.Lane {
    fileprivate var condition: SQL {
        switch self {
        case .fresh: "d.last_error IS NULL"
        case .tried: "d.last_error IS NOT NULL"
        }
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
