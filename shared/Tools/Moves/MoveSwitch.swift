import Postgres
package import StackKit

/// Switches a service from the source to the target, after the copy is nearly complete.
///
/// Writes of the service wait for a transaction on the source that locks all tables of the schema. When the target has
/// what was committed before, the transaction commits triggers that refuse every write, and a table that says so: that
/// commit is the decision, which every later command can read. If the transaction ends in any other way, also because the
/// command is killed, the source has all of it undone and goes on. The target accepts writes only after the decision, when
/// the service's connections to the source have ended, so that never both do.
package struct MoveSwitch: Sendable {
    private let record: MoveRecord
    private let limit: Duration
    private let names: MoveNames
    private let source: ServerURL
    private let target: ServerURL
    private let report: @Sendable (String) -> Void

    /// How long transactions in flight may hold up the locks, while other writes wait behind them.
    private static let lockTimeout = Duration.milliseconds(250)
    /// The time that statements in flight have on the source after the decision, at least: they have all of the pause.
    private static let grace = Duration.milliseconds(200)
    private static let attempts = 10
    /// The time in addition to the limit after which a server that does not answer is considered dead.
    private static let answerGrace = Duration.seconds(5)

    /// - Parameters:
    ///   - limit: How long writes may wait before the switch is put off.
    package init(_ record: MoveRecord, limit: Duration, report: @escaping @Sendable (String) -> Void) throws {
        (self.record, self.limit, self.report) = (record, limit, report)
        names = MoveNames(service: record.service)
        source = try ServerURL(record.source.administrator)
        target = try ServerURL(record.target.administrator)
    }

    /// - Returns: The time from the first lock until the target accepts writes.
    /// - Throws: `StackError` if no attempt was short enough; the source goes on.
    package func run() async throws -> Duration {
        let timeout = limit + Self.answerGrace
        return try await Administrator(url: source, name: names.moving, answerTimeout: timeout).connect { here in
            try await Administrator(url: target, name: names.moving, answerTimeout: timeout).connect { there in
                // Connections are open, and statements prepared, before writes wait.
                _ = try await there.value(reached(0), as: Bool.self)
                var reason = ""
                for attempt in 1...Self.attempts {
                    reason = ""
                    let start = ContinuousClock.now
                    do {
                        try await fence(attempt, here, there, until: start + limit)
                        try await leave(here, until: start + limit)
                    } catch let late as Late {
                        reason = late.reason
                    } catch let error as PostgresError where [.connectionLost, .sessionEnded].contains(error.kind) {
                        // The answer to the commit may be what is lost.
                        if try await MoveSettlement(record).isDecided() {
                            try await Administrator(url: source, name: names.moving).connect {
                                try await leave($0, until: start + limit)
                            }
                        } else {
                            reason = "a connection broke"
                        }
                    } catch let error as PostgresError where error.isTransient {
                        reason = "a transaction of the service holds its tables"
                    } catch let error as PostgresError where error.sqlState == .undefinedTable {
                        reason = "the service has dropped a partition"
                    }
                    if reason.isEmpty {
                        try await MoveSettlement.open(there, record)
                        return .now - start
                    }
                    report("writes go on at \(source.place): \(reason); attempt \(attempt) of \(Self.attempts)")
                    try await Task.sleep(for: .seconds(1))
                }
                throw StackError("the switch would stop writes for too long: \(reason)")
            }
        }
    }

    private struct Late: Error {
        var reason: String
    }

    private func reached(_ marker: Int) -> SQL {
        "SELECT EXISTS (SELECT FROM \(identifier: names.own).marker WHERE id = \(marker))"
    }

    /// Lets the source refuse the service's writes for ever, as soon as the target has what was written before.
    private func fence(
        _ attempt: Int,
        _ here: PostgresClient,
        _ there: PostgresClient,
        until end: ContinuousClock.Instant
    ) async throws {
        try await here.transaction { transaction in
            try await transaction.execute(
                """
                SELECT set_config('lock_timeout', \(Self.milliseconds(Self.lockTimeout)), true),
                    set_config('synchronous_commit', 'on', true),
                    set_config('idle_in_transaction_session_timeout', \(Self.milliseconds(limit + Self.answerGrace)), true)
                """
            )
            // Writers lock tables in either order; an attempt that meets them has another one next.
            let tables = try await transaction.all(
                """
                SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = \(record.service) AND c.relkind IN ('r', 'p') ORDER BY c.oid
                """
            ) { try $0.decode(String.self) }
            let ordered = attempt.isMultiple(of: 2) ? tables.reversed() : tables
            try await transaction.execute(
                SQL(text: "LOCK TABLE \(ordered.joined(separator: ", ")) IN SHARE ROW EXCLUSIVE MODE")
            )
            // It follows all commits that were before the locks. A transaction whose session was ended begins again, with
            // another marker.
            let marker = try await here.value(
                """
                INSERT INTO \(identifier: names.own).marker SELECT coalesce(max(id), 0) + 1
                FROM \(identifier: names.own).marker RETURNING id
                """,
                as: Int.self
            )
            try await refuseWrites(to: tables, transaction)
            let sequences = try await transaction.all(
                """
                SELECT format('%I.%I', schemaname, sequencename), last_value FROM pg_sequences
                WHERE schemaname = \(record.service) AND last_value IS NOT NULL
                """
            ) { try $0.decode(String.self, Int.self) }
            while try await !there.value(reached(marker), as: Bool.self) {
                guard .now < end else { throw Late(reason: "\(target.place) is more than \(limit) behind") }
                try await Task.sleep(for: .milliseconds(2))
            }
            let (series, values) = (sequences.map(\.0), sequences.map(\.1))
            // The commit of this statement makes durable on the target what the subscription has applied before.
            try await there.execute(
                """
                SELECT set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, \(names.own), 'copied'),
                    (SELECT count(setval(s::regclass, v)) FROM unnest(\(series)::text[], \(values)::bigint[]) AS n(s, v))
                """
            )
            guard .now < end else { throw Late(reason: "\(target.place) is more than \(limit) behind") }
        }
    }

    /// Triggers that refuse every write of every session with the code of a server that accepts none, and a default by which
    /// new sessions of the service go on to the target.
    private func refuseWrites(to tables: [String], _ transaction: PostgresTransaction) async throws {
        let service = record.service
        let triggers = tables.map { table in
            """
            CREATE TRIGGER moved BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON \(table)
                FOR EACH STATEMENT EXECUTE FUNCTION \(service).refuse_moved();
            """
        }
        try await transaction.execute(
            SQL(
                text: """
                    DO $do$ BEGIN
                    CREATE FUNCTION \(service).refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $function$
                    BEGIN
                        RAISE read_only_sql_transaction USING MESSAGE = 'the schema has moved to another server';
                    END $function$;
                    \(triggers.joined(separator: "\n"))
                    CREATE TABLE \(names.own).done ();
                    ALTER ROLE \(service) IN DATABASE \(source.database) SET default_transaction_read_only = on;
                    END $do$
                    """
            )
        )
    }

    /// Ends the service's sessions on the source: those without a statement at once, the others when they end, or when
    /// the pause is over.
    private func leave(_ here: PostgresClient, until end: ContinuousClock.Instant) async throws {
        let sessions = try await here.all(
            "SELECT pid::bigint FROM pg_stat_activity WHERE usename = \(record.service) AND datname = current_database()"
        ) { try $0.decode(Int.self) }
        let latest = max(end, .now + Self.grace)
        while true {
            let isOver = .now > latest
            let left = try await here.value(
                """
                SELECT count(CASE WHEN state = 'idle' OR \(isOver) THEN pg_terminate_backend(pid) ELSE true END)
                FROM pg_stat_activity WHERE pid = ANY(\(sessions)) AND usename = \(record.service)
                """,
                as: Int.self
            )
            if left == 0 { return }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    private static func milliseconds(_ duration: Duration) -> String { "\(Int(duration / .milliseconds(1)))ms" }
}
