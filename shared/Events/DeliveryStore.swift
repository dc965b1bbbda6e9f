import FoundationEssentials
import Postgres

/// The SQL statements of deliveries.
struct DeliveryStore: Sendable {
    let database: PostgresClient

    /// The outcome of reading a lane.
    struct Taken: Sendable {
        /// The leased deliveries, in the order of event numbers.
        var deliveries: [Delivery] = []
        /// The number of deliveries that were postponed, because an earlier event of their key is still waiting.
        var postponed = 0
    }

    /// Reads the deliveries to a subscriber that have been due for longest. Those that are the first of their key are
    /// leased; a lease expires, so that the deliveries of a crashed relay are taken again. The others are postponed:
    /// for half of the event's age, at least `pause` and at most a minute, or until the event before them is confirmed;
    /// a confirmation that commits while this statement runs may not end it. A read thus costs the same however many
    /// deliveries wait.
    ///
    /// The conditions and orders match whole index keys, and nothing is joined, so that the planner uses one index for
    /// the scan and one for the check of a key whatever the statistics are: the table fills within seconds.
    func take(
        _ lane: Delivery.Lane,
        to subscriber: String,
        limit: Int,
        for lease: Duration,
        pause: Duration = .milliseconds(200)
    ) async throws -> Taken {
        let statement = Self.taking(lane, to: subscriber, limit: limit, for: lease, pause: pause)
        let rows = try await database.all(statement) { row in
            let (event, isFirst, refusals, id, name, body, trace) = try row.decode(
                as: (Int64, Bool, Int, UUID, String, String?, String?).self
            )
            let delivery = Delivery(
                event: event,
                id: id,
                name: name,
                body: body ?? "",
                trace: trace,
                refusals: refusals
            )
            return (delivery: delivery, isFirst: isFirst)
        }
        let first = rows.filter(\.isFirst).map(\.delivery).sorted { $0.event < $1.event }
        return Taken(deliveries: first, postponed: rows.count - first.count)
    }

    /// The statement of `take`; tests check its query plan.
    static func taking(
        _ lane: Delivery.Lane,
        to subscriber: String,
        limit: Int,
        for lease: Duration,
        pause: Duration
    ) -> SQL {
        let isFirst: SQL = "d.event = ANY (ARRAY(SELECT event FROM oldest WHERE is_first))"
        return """
            WITH oldest AS MATERIALIZED (
                SELECT w.event, w.event = (
                    SELECT e.event FROM outbox_deliveries e
                    WHERE (e.subscriber, e.key) >= (w.subscriber, w.key) AND e.parked_at IS NULL
                    ORDER BY e.subscriber, e.key, e.event LIMIT 1
                ) AS is_first
                FROM (
                    SELECT d.subscriber, d.event, d.key FROM outbox_deliveries d
                    WHERE d.subscriber = \(subscriber) AND d.due_at <= now() AND d.parked_at IS NULL AND \(lane.condition)
                    ORDER BY d.subscriber, d.due_at, d.event LIMIT \(limit)
                ) w
            )
            UPDATE outbox_deliveries d SET due_at = now() + CASE
                WHEN \(isFirst) THEN make_interval(secs => \(lease.seconds))
                ELSE least(
                    greatest(
                        (now() - (SELECT o.created_at FROM outbox o WHERE o.id = d.event)) / 2,
                        make_interval(secs => \(pause.seconds))
                    ),
                    '1 minute'
                )
            END
            WHERE \(chosen("ARRAY(SELECT event FROM oldest)", subscriber)) AND d.due_at <= now()
            RETURNING d.event, \(isFirst), d.refusals,
                (SELECT o.event_id FROM outbox o WHERE o.id = d.event), (SELECT o.name FROM outbox o WHERE o.id = d.event),
                (SELECT o.body::text FROM outbox o WHERE o.id = d.event AND \(isFirst)),
                (SELECT o.trace FROM outbox o WHERE o.id = d.event)
            """
    }

    /// Deletes deliveries, and makes the next one of each key due.
    func confirm(_ deliveries: [Delivery], to subscriber: String) async throws {
        try await database.execute(
            """
            WITH done AS (
                DELETE FROM outbox_deliveries d WHERE \(Self.chosen("\(deliveries.map(\.event))", subscriber))
                RETURNING subscriber, key, event
            ), next AS (
                SELECT (
                    SELECT CASE WHEN e.subscriber = done.subscriber AND e.key = done.key THEN e.event END
                    FROM outbox_deliveries e
                    WHERE (e.subscriber, e.key, e.event) > (done.subscriber, done.key, done.event)
                        AND e.parked_at IS NULL
                    ORDER BY e.subscriber, e.key, e.event LIMIT 1
                ) AS event FROM done
            )
            UPDATE outbox_deliveries d SET due_at = now()
            WHERE \(Self.chosen("ARRAY(SELECT event FROM next)", subscriber)) AND d.due_at > now()
            """
        )
    }

    /// Postpones deliveries.
    ///
    /// - Parameter error: The error that they failed with; nil keeps untried deliveries on their lane.
    func putOff(_ deliveries: [Delivery], to subscriber: String, for delay: Duration, error: String?) async throws {
        try await database.execute(
            """
            UPDATE outbox_deliveries d SET due_at = now() + make_interval(secs => \(delay.seconds)),
                last_error = coalesce(\(error), last_error)
            WHERE \(Self.chosen("\(deliveries.map(\.event))", subscriber))
            """
        )
    }

    /// Postpones failed deliveries, counts the failures, and parks the events that have been malformed for `delay`:
    /// later events of their keys are delivered without them.
    ///
    /// - Returns: The numbers of the parked events.
    func setBack(
        _ failures: [Delivery.Failure],
        to subscriber: String,
        parkAfter delay: Duration
    ) async throws -> Set<Int64> {
        let events = failures.map(\.delivery.event)
        let malformed = failures.filter(\.isMalformed).map(\.delivery.event)
        let outcomes = try await database.all(
            """
            UPDATE outbox_deliveries d SET refusals = refusals + 1,
                due_at = now() + make_interval(
                    secs => (\(failures.map(\.pause.seconds)))[array_position(\(events), event)]),
                last_error = (\(failures.map(\.error)))[array_position(\(events), event)],
                refused_at = CASE WHEN event = ANY (\(malformed)) THEN coalesce(refused_at, now()) ELSE refused_at END,
                parked_at = CASE
                    WHEN event = ANY (\(malformed))
                        AND coalesce(refused_at, now()) <= now() - make_interval(secs => \(delay.seconds))
                    THEN now()
                END
            WHERE \(Self.chosen("\(events)", subscriber))
            RETURNING event, parked_at IS NOT NULL
            """
        ) { try $0.decode(Int64.self, Bool.self) }
        return Set(outcomes.filter(\.1).map(\.0))
    }

    /// The condition for some deliveries to a subscriber, as alias `d`. The events are found by their own index: with an
    /// equality of the subscriber, a planner without statistics may read all its deliveries.
    private static func chosen(_ events: SQL, _ subscriber: String) -> SQL {
        "d.event = ANY (\(events)) AND d.subscriber IS NOT DISTINCT FROM \(subscriber)"
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
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
