package import Contracts
package import Postgres

/// Reads what a service has in its database, and what runs there.
package struct DatabaseReport: Sendable {
    private let database: PostgresClient

    package init(of database: PostgresClient) {
        self.database = database
    }

    /// - Throws: `PostgresError`.
    package func read() async throws -> OperatorsAPI.Data {
        async let tables = tables()
        async let connections = connections()
        async let running = running()
        let (size, maxConnections) = try await limits()
        return OperatorsAPI.Data(
            tables: try await tables,
            connections: try await connections,
            running: try await running,
            databaseSize: size,
            maxConnections: maxConnections
        )
    }

    private func tables() async throws -> [OperatorsAPI.Table] {
        try await database.all(
            """
            SELECT c.relname::text, sum(pg_total_relation_size(p.oid))::bigint, sum(greatest(p.reltuples, 0))::bigint,
                (count(*) FILTER (WHERE p.oid <> c.oid))::bigint, obj_description(c.oid, 'pg_class')
            FROM pg_class c CROSS JOIN LATERAL (
                SELECT c.oid, CASE c.relkind WHEN 'r' THEN c.reltuples END AS reltuples UNION ALL
                SELECT t.relid, q.reltuples FROM pg_partition_tree(c.oid) t JOIN pg_class q ON q.oid = t.relid
                WHERE t.isleaf AND t.relid <> c.oid
            ) p
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
            GROUP BY c.oid, c.relname ORDER BY 2 DESC LIMIT 200
            """
        ) { row in
            let (name, size, rows, partitions, comment) = try row.decode(
                as: (String, Int64, Int64, Int, String?).self
            )
            return OperatorsAPI.Table(name: name, size: size, rows: rows, partitions: partitions, retention: comment)
        }
    }

    private func connections() async throws -> [OperatorsAPI.Connections] {
        try await database.all(
            """
            SELECT coalesce(state, 'starting'), count(*), count(*) FILTER (WHERE wait_event_type = 'Lock'),
                extract(epoch FROM max(now() - xact_start))::float8
            FROM pg_stat_activity WHERE usename = current_user AND backend_type = 'client backend'
            GROUP BY state ORDER BY 2 DESC
            """
        ) { row in
            let (state, count, waiting, oldest) = try row.decode(as: (String, Int, Int, Double?).self)
            return OperatorsAPI.Connections(state: state, count: count, waiting: waiting, oldest: oldest)
        }
    }

    private func running() async throws -> [OperatorsAPI.Running] {
        try await database.all(
            """
            SELECT left(query, 300), extract(epoch FROM clock_timestamp() - query_start)::float8,
                CASE WHEN wait_event_type IN ('Lock', 'LWLock', 'IO') THEN wait_event_type || ': ' || wait_event END
            FROM pg_stat_activity
            WHERE usename = current_user AND state = 'active' AND query_start < clock_timestamp() - interval '1 second'
            ORDER BY query_start LIMIT 10
            """
        ) { row in
            let (text, age, waitsFor) = try row.decode(as: (String, Double, String?).self)
            return OperatorsAPI.Running(text: text, age: age, waitsFor: waitsFor)
        }
    }

    private func limits() async throws -> (size: Int64, maxConnections: Int) {
        try await database.one(
            "SELECT pg_database_size(current_database()), current_setting('max_connections')::bigint"
        ) { try $0.decode(as: (Int64, Int).self) }
    }
}
