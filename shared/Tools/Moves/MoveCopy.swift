import Contracts
import Postgres
package import StackKit
import Values

/// Copies a service's schema to another server while it is used, and keeps the copy up to date.
package struct MoveCopy: Sendable {
    private let record: MoveRecord
    private let programs: PostgresPrograms
    private let report: @Sendable (String) -> Void
    private let names: MoveNames
    private let source: ServerURL
    private let target: ServerURL

    /// The number of bytes of the write-ahead log that the copy may lack when the switch begins.
    private static let nearly = 1 << 20
    /// The number of failed attempts after which a copy is given up.
    private static let attempts = 3

    package init(
        _ record: MoveRecord,
        by programs: PostgresPrograms,
        report: @escaping @Sendable (String) -> Void
    ) throws {
        (self.record, self.programs, self.report) = (record, programs, report)
        names = MoveNames(service: record.service)
        source = try ServerURL(record.source.administrator)
        target = try ServerURL(record.target.administrator)
    }

    /// Creates the database on the target, and its roles. That of the service can read only, so that its connections stay
    /// with the source.
    package func prepare() async throws {
        let password = try ServerURL(record.target.role).plainPassword
        let passwords = password.map { [record.service: $0] } ?? [:]
        try await Database.bootstrap(target, by: programs, passwords: passwords)
        try await Administrator(url: target, name: names.moving).connect { there in
            try await there.execute(
                SQL(
                    text: """
                        ALTER ROLE \(record.service) IN DATABASE \(target.database) SET default_transaction_read_only = on
                        """
                )
            )
            try await there.execute(SQL(text: "ALTER ROLE \(record.service) LOGIN"))
        }
    }

    /// Creates the tables on the target and starts to copy.
    ///
    /// - Parameter subscribed: Is called with the subscription's number before a slot is made of it.
    package func begin(subscribed: (Int) throws -> Void) async throws {
        let (own, service) = (names.own, record.service)
        let marker: SQL = "CREATE TABLE \(identifier: own).marker (id bigint PRIMARY KEY)"
        let role = MoveRole(try ServerURL(record.connection))
        try await Administrator(url: source, name: names.moving).connect { here in
            // Before the role that reads has rights, which the target's tables shall not have.
            let tables = try await programs.dump(schema: service, of: source)
            try await here.execute("CREATE SCHEMA \(identifier: own)")
            try await here.execute(marker)
            try await here.execute(
                SQL(
                    text: """
                        CREATE PUBLICATION \(own) FOR TABLES IN SCHEMA \(service), TABLE \(own).marker
                        WITH (publish_via_partition_root = true)
                        """
                )
            )
            try await role.create(in: here)
            try await role.grantTables(of: own, in: here)
            try await Administrator(url: target, name: names.moving).connect { there in
                try await there.execute("CREATE SCHEMA \(identifier: own)")
                try await there.execute(marker)
                try await there.execute("DROP SCHEMA IF EXISTS \(identifier: service)")
                try await programs.psql(tables, on: target, atomically: true)
                try await RowIdentity(schema: service).add(to: there)
                _ = try await here.value(
                    "SELECT slot_name::text FROM pg_create_logical_replication_slot(\(own), 'pgoutput')",
                    as: String.self
                )
                try await subscribe(there, subscribed)
                try await requireSameTables(here, there)
                try await there.execute(SQL(text: "ALTER SUBSCRIPTION \(own) ENABLE"))
            }
        }
    }

    private func subscribe(_ there: PostgresClient, _ subscribed: (Int) throws -> Void) async throws {
        try await there.execute(
            SQL(
                text: """
                    CREATE SUBSCRIPTION \(names.own) CONNECTION \(SQL.quoted(record.connection)) PUBLICATION \(names.own)
                    WITH (enabled = false, create_slot = false, slot_name = \(names.own))
                    """
            )
        )
        // Copied pages go to the disk as they are written. Commits on the same disk would wait for all of them otherwise.
        try await there.execute("ALTER DATABASE \(identifier: target.database) SET backend_flush_after = '1MB'")
        try subscribed(
            try await there.value("SELECT oid::bigint FROM pg_subscription WHERE subname = \(names.own)", as: Int.self)
        )
    }

    /// The address at which the target reaches the source may be that of another server.
    private func requireSameTables(_ here: PostgresClient, _ there: PostgresClient) async throws {
        let published = try await here.value(
            "SELECT count(*) FROM pg_publication_tables WHERE pubname = \(names.own)",
            as: Int.self
        )
        let subscribed = try await there.value(
            """
            SELECT count(*) FROM pg_subscription_rel r JOIN pg_subscription s ON s.oid = r.srsubid WHERE s.subname = \(names.own)
            """,
            as: Int.self
        )
        guard published == subscribed else {
            throw StackError("the address given by --from leads to another server than \(source.place)")
        }
    }

    /// Waits until all rows are copied and hardly any change is missing.
    package func complete() async throws {
        try await Administrator(url: source, name: names.moving).connect { here in
            try await Administrator(url: target, name: names.moving).connect { there in
                try await waitForCopy(here, there)
                report("the copy is analyzed")
                let tables = try await there.all(
                    """
                    SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                    WHERE n.nspname = \(record.service) AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1
                    """
                ) { try $0.decode(String.self) }
                for table in tables {
                    try await there.execute("ANALYZE \(identifier: record.service).\(identifier: table)")
                }
                // Or the commits of the switch wait until the disk has what was copied before.
                report("the copy is written to disk")
                try await there.execute("CHECKPOINT")
                try await waitForCopy(here, there)
            }
        }
    }

    private func waitForCopy(_ here: PostgresClient, _ there: PostgresClient) async throws {
        var printed = ContinuousClock.now
        while true {
            let state = try await state(here, there)
            if state.ready == state.tables, state.lag < Self.nearly { return }
            guard state.failures < Self.attempts else {
                throw StackError("the copy has failed; the reason is in the log of \(target.place)")
            }
            if ContinuousClock.now - printed >= .seconds(2) {
                report(state.text)
                printed = .now
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private struct State: Sendable {
        var tables: Int
        var ready: Int
        var rows: Int
        var bytes: Int
        var failures: Int
        /// Bytes of the source's write-ahead log.
        var lag: Int

        var text: String {
            let copied = rows == 0 ? "" : "; \(Figure.text(Double(rows))) rows, \(bytes >> 20) MB of the next"
            return "\(ready) of \(tables) tables copied\(copied); \(Figure.text(Double(lag) / 1_048_576)) MB behind"
        }
    }

    private func state(_ here: PostgresClient, _ there: PostgresClient) async throws -> State {
        let (lag, isLost) = try await here.one(
            """
            SELECT coalesce(pg_current_wal_lsn() - confirmed_flush_lsn, 0)::bigint, coalesce(wal_status = 'lost', false)
            FROM pg_replication_slots WHERE slot_name = \(names.own)
            """
        ) { try $0.decode(Int.self, Bool.self) }
        guard !isLost else {
            throw StackError("the copy is further behind than \(source.place) keeps its log (max_slot_wal_keep_size)")
        }
        let (tables, ready, failures) = try await there.one(
            """
            SELECT count(*), count(*) FILTER (WHERE r.srsubstate = 'r'),
                (SELECT coalesce(sum(apply_error_count + sync_error_count), 0)::bigint
                 FROM pg_stat_subscription_stats WHERE subname = \(names.own))
            FROM pg_subscription_rel r JOIN pg_subscription s ON s.oid = r.srsubid WHERE s.subname = \(names.own)
            """
        ) { try $0.decode(Int.self, Int.self, Int.self) }
        let (rows, bytes) = try await there.one(
            """
            SELECT coalesce(sum(tuples_processed), 0)::bigint, coalesce(sum(bytes_processed), 0)::bigint
            FROM pg_stat_progress_copy WHERE datname = current_database()
            """
        ) { try $0.decode(Int.self, Int.self) }
        return State(tables: tables, ready: ready, rows: rows, bytes: bytes, failures: failures, lag: lag)
    }
}
