import Postgres

/// The space that traces take.
extension TraceStore {
    /// The tables that have a partition for each hour.
    static let tables = ["spans", "stories", "subjects"]

    /// What all traces take in bytes, and the oldest hour that has ended, as `2026112703`.
    func sizes() async throws -> (bytes: Int, oldest: String?) {
        try await database.one(
            """
            SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint,
                min(substring(c.relname FROM '_([0-9]{10})$')) FILTER (
                    WHERE substring(c.relname FROM '_([0-9]{10})$') < to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDDHH24'))
            FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = ANY(ARRAY['spans'::regclass, 'stories'::regclass, 'subjects'::regclass])
            """
        ) { try $0.decode(Int.self, String?.self) }
    }

    /// Drops the traces of an hour.
    func drop(hour: String) async throws {
        try await database.transaction { transaction in
            try await transaction.execute("SET LOCAL lock_timeout = '500ms'")
            for table in Self.tables {
                try await transaction.execute("DROP TABLE IF EXISTS \(identifier: "\(table)_\(hour)")")
            }
        }
    }
}
