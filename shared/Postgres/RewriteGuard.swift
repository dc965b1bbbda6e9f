/// Finds the large tables that a migration has rewritten, which could not be read or written meanwhile.
///
/// PostgreSQL says it in advance only to event triggers, which a service's role must not create. Afterwards a rewritten
/// table has another file.
struct RewriteGuard {
    private let connection: PostgresConnection
    private let tables: [Table]

    private struct Table {
        var id: Int64
        var file: Int64
        /// Its name and size.
        var description: String
    }

    /// Remembers the large tables of the current schema. The size of a table can be read while it is not locked, so no
    /// others are read.
    ///
    /// - Parameter bytes: The size above which a table is large.
    init(_ connection: PostgresConnection, largerThan bytes: Int) async throws {
        self.connection = connection
        let tables: SQL = """
            WITH own AS MATERIALIZED (
                SELECT oid, relname, relfilenode FROM pg_class
                WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
            )
            SELECT oid::bigint, relfilenode::bigint, format('%s (%s)', relname, pg_size_pretty(pg_relation_size(oid)))
            FROM own WHERE pg_relation_size(oid) > \(Int64(bytes))
            """
        self.tables =
            try await connection.run([tables])?.all(of: tables) { row in
                let (id, file, description) = try row.decode(Int64.self, Int64.self, String.self)
                return Table(id: id, file: file, description: description)
            } ?? []
    }

    /// The name and size of a large table that has been rewritten since.
    var rewritten: String? {
        get async throws {
            let files: SQL = """
                SELECT c.oid::bigint FROM unnest(\(tables.map(\.id)), \(tables.map(\.file))) AS t(id, file)
                    JOIN pg_class c ON c.oid::bigint = t.id AND c.relfilenode::bigint <> t.file LIMIT 1
                """
            let id = try await connection.run([files])?.optional(of: files) { try $0.decode(Int64.self) }
            return tables.first { $0.id == id }?.description
        }
    }
}
