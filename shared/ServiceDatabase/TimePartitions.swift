package import Postgres

/// A table that is partitioned by time, so that old rows are dropped with their partition and not deleted one by one.
/// Rows outside of all partitions are stored in the default partition (`TABLE_default`), so that no insert fails.
///
/// The current span and the next two have partitions, named after their start in UTC, such as `inbox_20261125`. A span of
/// which the default partition has rows gets none; those rows are deleted when they are old.
package struct TimePartitions: Sendable {
    /// The time that a partition covers.
    package enum Span: String, Sendable {
        case hour, day, month
    }

    /// The type of the column by which the table is partitioned.
    package enum Key: Sendable {
        case instant
        /// UUIDs of version 7, which begin with their time (RFC 9562, section 5.7).
        case uuid
    }

    private let table: String
    private let column: String
    private let key: Key
    private let span: Span
    private let ageColumn: String
    /// Seconds.
    private let keep: Double

    /// - Parameters:
    ///   - column: The column by which the table is partitioned.
    ///   - ageColumn: The instant from which a row's age counts; nil if it is `column`. It needs an index.
    ///   - keep: The age, in seconds, that all rows of a dropped partition have reached.
    package init(
        of table: String,
        by column: String,
        _ key: Key = .instant,
        per span: Span,
        ageColumn: String? = nil,
        keep: Double
    ) {
        self.table = table
        self.column = column
        self.key = key
        self.span = span
        self.ageColumn = ageColumn ?? column
        self.keep = keep
    }

    private var defaultPartition: String { "\(table)_default" }

    /// Creates missing partitions, drops old ones, and deletes old rows of the default partition. Safe to repeat; one
    /// process at a time creates and drops.
    package func maintain(_ database: PostgresClient) async throws {
        if try await !missing(in: database).isEmpty {
            try await inTurn(database) { transaction in
                for partition in try await missing(in: transaction) { try await create(partition, transaction) }
            }
        }
        for partition in try await ended(in: database) where try await isOld(partition, in: database) {
            try await inTurn(database) { transaction in
                // Locked first, as all other statements do.
                try await transaction.execute("LOCK TABLE ONLY \(identifier: table) IN ACCESS EXCLUSIVE MODE")
                guard try await ended(in: transaction).contains(partition),
                    try await isOld(partition, in: transaction)
                else { return }
                try await transaction.execute("DROP TABLE \(identifier: partition)")
            }
        }
        try await database.prune(defaultPartition, where: "\(identifier: ageColumn) < \(limit)")
    }

    /// Runs `work` unless another process does the same. Statements of requests queue behind a lock that is waited for,
    /// so that the wait is short: the next call tries again.
    private func inTurn(
        _ database: PostgresClient,
        _ work: (PostgresTransaction) async throws -> Void
    ) async throws {
        try await database.transaction { transaction in
            try await transaction.execute("SET LOCAL lock_timeout = '500ms'")
            let isOurs = try await transaction.one(
                "SELECT pg_try_advisory_xact_lock(hashtextextended('partitions ' || current_schema() || '.' || \(table), 0))"
            ) { try $0.decode(Bool.self) }
            if isOurs { try await work(transaction) }
        }
    }

    // MARK: Creation

    private struct Partition {
        var name: String
        /// Literals: the first value, and the first one after the partition.
        var start: String
        var end: String
    }

    private func missing(in database: some Querying) async throws -> [Partition] {
        let name: SQL = "\(table)::text || '_' || to_char(start, \(format))"
        let (first, next) = (bound("start"), bound("start + step"))
        return try await database.all(
            """
            SELECT \(name), \(first), \(next) FROM (
                SELECT date_trunc(\(span.rawValue), now() AT TIME ZONE 'UTC') AS current, \(step) AS step
            ) AS spans, generate_series(current, current + 2 * step, step) AS start
            WHERE to_regclass(quote_ident(\(name))) IS NULL AND NOT EXISTS (
                SELECT FROM \(identifier: defaultPartition)
                WHERE \(identifier: column) >= (\(first))::\(type) AND \(identifier: column) < (\(next))::\(type)
            ) ORDER BY start
            """
        ) { row in
            let (name, start, end) = try row.decode(String.self, String.self, String.self)
            return Partition(name: name, start: start, end: end)
        }
    }

    /// Attaches a new table, which takes a weaker lock than to create it as a partition.
    private func create(_ partition: Partition, _ transaction: PostgresTransaction) async throws {
        let (start, end) = (SQL(stringLiteral: "'\(partition.start)'"), SQL(stringLiteral: "'\(partition.end)'"))
        try await transaction.execute(
            "CREATE TABLE \(identifier: partition.name) (LIKE \(identifier: table) INCLUDING ALL)"
        )
        try await transaction.execute(
            """
            ALTER TABLE \(identifier: table) ATTACH PARTITION \(identifier: partition.name)
            FOR VALUES FROM (\(start)) TO (\(end))
            """
        )
        // The identity of its rows for logical replication is not among what LIKE includes.
        let isFull = try await transaction.one(
            "SELECT relreplident = 'f' FROM pg_class WHERE oid = quote_ident(\(table))::regclass"
        ) { try $0.decode(Bool.self) }
        guard isFull else { return }
        try await transaction.execute("ALTER TABLE \(identifier: partition.name) REPLICA IDENTITY FULL")
    }

    // MARK: Deletion

    /// The partitions that ended long ago, oldest first. Their names are in the order of time.
    private func ended(in database: some Querying) async throws -> [String] {
        try await database.all(
            """
            SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = quote_ident(\(table))::regclass AND c.relname <> \(defaultPartition)
                AND c.relname::text COLLATE "C"
                    <= \(table)::text || '_' || to_char((\(limit)) AT TIME ZONE 'UTC' - \(step), \(format))
            ORDER BY c.relname
            """
        ) { try $0.decode(String.self) }
    }

    /// Whether all rows of a partition are old. Rows may have been added long after the time that their key tells.
    private func isOld(_ partition: String, in database: some Querying) async throws -> Bool {
        guard ageColumn != column else { return true }
        return try await database.one(
            "SELECT NOT EXISTS (SELECT FROM \(identifier: partition) WHERE \(identifier: ageColumn) >= \(limit))"
        ) { try $0.decode(Bool.self) }
    }

    // MARK: SQL

    private var limit: SQL { "now() - make_interval(secs => \(keep))" }

    private var step: SQL { "('1 ' || \(span.rawValue)::text)::interval" }

    private var format: String {
        switch span {
        case .hour: "YYYYMMDDHH24"
        case .day: "YYYYMMDD"
        case .month: "YYYYMM"
        }
    }

    private var type: SQL {
        switch key {
        case .instant: "timestamptz"
        case .uuid: "uuid"
        }
    }

    /// The text of the least value of the key from an instant on, which is given in UTC without a time zone.
    private func bound(_ instant: SQL) -> SQL {
        switch key {
        case .instant: "to_char(\(instant), 'YYYY-MM-DD HH24:MI:SS') || '+00'"
        case .uuid: "rpad(lpad(to_hex((extract(epoch FROM \(instant)) * 1000)::bigint), 12, '0'), 32, '0')"
        }
    }
}
