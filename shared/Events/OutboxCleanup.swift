import Metrics
import Postgres
import ServiceDatabase

/// The periodic work on the tables of an outbox: deletes old events and reports what waits. A round costs the same
/// however many events wait.
struct OutboxCleanup: Sendable {
    let database: PostgresClient
    /// The subscribers of this process. Others may be those of a newer or older version, whose deliveries wait for it.
    let subscribers: Set<String>

    /// Updates the planner's statistics if half of the deliveries have changed since they were gathered. The tables fill within
    /// seconds, and without statistics the planner would read all of them; autovacuum may have seen them empty.
    ///
    /// - Returns: Whether they were.
    @discardableResult
    func refreshStatistics() async throws -> Bool {
        let hasChanged: SQL = """
            SELECT pg_stat_get_mod_since_analyze(oid) > greatest(reltuples, 0) / 2 + 1000
            FROM pg_class WHERE oid = 'outbox_deliveries'::regclass
            """
        guard try await database.one(hasChanged, { try $0.decode(Bool.self) }) else { return false }
        try await database.transaction { transaction in
            // A sample of 3,000 rows.
            try await transaction.execute("SET LOCAL default_statistics_target = 10")
            try await transaction.execute("ANALYZE (SKIP_LOCKED) outbox_deliveries, outbox (id)")
        }
        return true
    }

    /// How long delivered events are kept, so that they can be delivered again when a subscriber's database was restored,
    /// in seconds.
    static let keep = 7 * 86_400.0

    /// Deletes the events that were delivered to all subscribers and are more than a week old. An event that waits keeps
    /// all later ones, a parked event only itself. One process at a time does so.
    func deleteDelivered() async throws {
        try await database.prune(Self.deletion)
    }

    /// The statement of `deleteDelivered`; tests check its cost.
    static func deletion(limit: Int) -> SQL {
        """
        WITH turn AS MATERIALIZED (
            SELECT coalesce((
                SELECT event FROM outbox_deliveries WHERE parked_at IS NULL ORDER BY event LIMIT 1
            ), 9223372036854775807) AS before
            WHERE pg_try_advisory_xact_lock(hashtextextended('outbox cleanup ' || current_schema(), 0))
        )
        DELETE FROM outbox WHERE id IN (
            SELECT old.id FROM turn CROSS JOIN LATERAL (
                SELECT o.id, o.created_at FROM outbox o
                WHERE o.id < turn.before AND NOT EXISTS (
                    SELECT FROM outbox_deliveries d
                    WHERE d.event = o.id AND d.event < turn.before AND d.parked_at IS NOT NULL
                )
                ORDER BY o.id LIMIT \(limit)
            ) old WHERE old.created_at < now() - make_interval(secs => \(keep))
        )
        """
    }

    /// What waits in an outbox.
    struct Backlog: Sendable, Equatable {
        /// The age of the oldest waiting event of each subscriber of this process, in seconds; 0 if none waits.
        var ages: [String: Double]
        /// The number of other subscribers whose events have waited for more than a day.
        var strays: Int
        /// The number of parked deliveries.
        var parked: Int
    }

    /// Releases what older versions parked, reads the backlog, and records it as metrics.
    @discardableResult
    func review() async throws -> Backlog {
        try await database.execute(Self.release)
        let ages = try await database.all(Self.ages) { try $0.decode(String.self, Double.self) }
        let parked = try await database.one(Self.parkedCount) { try $0.decode(Int.self) }
        let known = Dictionary(ages) { first, _ in first }
        let backlog = Backlog(
            ages: Dictionary(uniqueKeysWithValues: subscribers.map { ($0, known[$0] ?? 0) }),
            strays: ages.count { !subscribers.contains($0.0) && $0.1 > 86_400 },
            parked: parked
        )
        for (name, age) in backlog.ages {
            Gauge(label: "outbox_oldest_waiting_seconds", dimensions: [("subscriber", name)]).record(age)
        }
        Gauge(label: "outbox_stray_subscribers").record(backlog.strays)
        Gauge(label: "outbox_parked").record(backlog.parked)
        return backlog
    }

    /// Makes the deliveries due that an older version of this program parked after a few refusals of any kind.
    static let release: SQL = """
        UPDATE outbox_deliveries SET parked_at = NULL, refusals = 0, due_at = now()
        WHERE parked_at IS NOT NULL AND refused_at IS NULL
        """

    static let parkedCount: SQL = "SELECT count(*) FROM outbox_deliveries WHERE parked_at IS NOT NULL"

    /// The subscribers with waiting deliveries, and the age of the oldest in seconds. The names are found one after the
    /// other in the primary key; `DISTINCT` would read all rows. The comparisons of rows match this index only.
    static let ages: SQL = """
        WITH RECURSIVE names AS (
            (SELECT subscriber FROM outbox_deliveries ORDER BY subscriber LIMIT 1)
            UNION ALL
            SELECT (
                SELECT d.subscriber FROM outbox_deliveries d WHERE d.subscriber > names.subscriber
                ORDER BY d.subscriber LIMIT 1
            ) FROM names WHERE names.subscriber IS NOT NULL
        )
        SELECT names.subscriber, extract(epoch FROM now() - o.created_at)::double precision
        FROM names CROSS JOIN LATERAL (
            SELECT d.subscriber, d.event FROM outbox_deliveries d
            WHERE (d.subscriber, d.event) > (names.subscriber, 0) AND d.parked_at IS NULL
            ORDER BY d.subscriber, d.event LIMIT 1
        ) oldest JOIN outbox o ON o.id = oldest.event
        WHERE oldest.subscriber = names.subscriber
        """
}
