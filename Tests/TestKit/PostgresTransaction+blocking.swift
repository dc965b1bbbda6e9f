package import Postgres

extension PostgresTransaction {
    /// Returns when other transactions wait for a lock of this one, directly or behind each other.
    ///
    /// - Parameters:
    ///   - count: the least number of waiting transactions.
    ///   - statement: a pattern (`LIKE`) of the statement with which at least one of them waits.
    package func waitUntilBlocking(_ count: Int = 1, statement: String = "%") async throws {
        let isBlocking: SQL = """
            WITH RECURSIVE waiting(pid) AS (
                SELECT pg_backend_pid()
                UNION
                SELECT a.pid FROM waiting w JOIN pg_stat_activity a ON w.pid = ANY (pg_blocking_pids(a.pid))
            )
            SELECT count(*) > \(count) AND bool_or(a.query LIKE \(statement) AND pid <> pg_backend_pid())
            FROM waiting JOIN pg_stat_activity a USING (pid)
            """
        while try await !one(isBlocking, { try $0.decode(Bool.self) }) {
            try await Task.sleep(for: .milliseconds(5))
            // Otherwise a transaction sees the same activity until its end.
            try await execute("SELECT pg_stat_clear_snapshot()")
        }
    }
}
