import FoundationEssentials
import Postgres

/// All SQL of deliveries.
struct DeliveryStore: Sendable {
    let database: PostgresClient

    /// Takes deliveries to a subscriber that are due, the oldest first, each the first of its key, and keeps others off them
    /// for a while: a relay that dies leaves them to be taken again.
    ///
    /// The ranges and orders of whole index keys leave the planner one index for the walk and one for the look at a key: what
    /// else waits, for this subscriber or another, is not read. The second limit, a number that it sees, keeps it from
    /// expecting more than are taken. Only while nothing is known of the table (`analyze`), and on the lane of the few that
    /// failed, is all that waits for the subscriber looked through.
    ///
    /// - Returns: in the order of event numbers.
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

    /// What `take` asks, as the plan of it is tested.
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

    /// Puts deliveries off.
    ///
    /// - Parameters:
    ///   - refused: whether the subscriber was there and did not want each of them.
    ///   - error: why they failed; nil leaves those that were not tried as fresh as they are.
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

    /// Sets a delivery aside for an operator; the later events of its key go on without it.
    func park(_ delivery: Delivery, to subscriber: String, error: String) async throws {
        try await database.execute(
            """
            UPDATE outbox_deliveries SET parked_at = now(), refusals = refusals + 1, last_error = \(error)
            WHERE subscriber = \(subscriber) AND event = \(delivery.event)
            """
        )
    }

    /// Sets aside what is for nobody in `subscribers`.
    func parkStrays(otherThanTo subscribers: [String]) async throws {
        try await database.execute(
            """
            UPDATE outbox_deliveries SET parked_at = now(), refusals = refusals + 1,
                last_error = 'there is no subscriber of this name any more'
            WHERE parked_at IS NULL AND due_at <= now() AND subscriber <> ALL(\(subscribers))
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

    /// Tells the planner how much waits: the tables are empty at one moment and full at the next, and what autovacuum knows
    /// of them is minutes old.
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
