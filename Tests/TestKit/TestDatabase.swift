package import Postgres

/// A schema that one test has to itself, migrated, with a client that runs.
package struct TestDatabase: Sendable {
    /// The database of the current test; give the test or its suite the trait `.database(…)`.
    package static var current: TestDatabase {
        guard let taskLocal else { preconditionFailure("the test has no trait .database(…)") }
        return taskLocal
    }

    @TaskLocal static var taskLocal: TestDatabase?

    /// How another client reaches the same schema; it is cut off when the test ends.
    package let configuration: PostgresConfiguration
    /// A client whose tables are those of the schema.
    package let client: PostgresClient

    /// Runs `body` with a database of its own as the current one, with `migrations` applied.
    package static func with(_ migrations: [Migration], _ body: @Sendable () async throws -> Void) async throws {
        try await slots.withSlots { try await TestTimes.measure { try await lend(migrations, body) } }
    }

    /// Runs `body` with several databases, one for each list of migrations.
    package static func with(
        _ migrations: [[Migration]],
        _ body: @Sendable ([TestDatabase]) async throws -> Void
    ) async throws {
        try await slots.withSlots(migrations.count) {
            try await TestTimes.measure { try await lend(migrations[...], after: [], body) }
        }
    }

    /// Collects the statistics of all tables for the planner. `ANALYZE` alone would read the tables of every test that runs.
    /// As autovacuum does, it leaves out partitioned tables and empty partitions.
    package func analyze() async throws {
        let tables = try await client.all(
            """
            SELECT relname FROM pg_class WHERE relnamespace = \(configuration.schema ?? "public")::regnamespace
                AND relkind = 'r' AND NOT (relispartition AND pg_relation_size(oid) = 0)
            """
        ) { try $0.decode(String.self) }
        for table in tables { try await client.execute("ANALYZE \(identifier: table)") }
    }

    /// The tables without a comment that says what bounds them: that a row belongs to something else, or when it goes.
    package func tablesWithoutBound() async throws -> [String] {
        try await client.all(
            """
            SELECT relname FROM pg_class
            WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
                AND coalesce(obj_description(oid, 'pg_class'), '')
                    !~ '^(One|Two|Three|Up to [0-9]+|Deleted|Dropped|Replaced) .+[.]$'
            ORDER BY relname
            """
        ) { try $0.decode(String.self) }
    }

    private static func lend(
        _ migrations: ArraySlice<[Migration]>,
        after databases: [TestDatabase],
        _ body: @Sendable ([TestDatabase]) async throws -> Void
    ) async throws {
        guard let first = migrations.first else { return try await body(databases) }
        try await lend(first) { try await lend(migrations.dropFirst(), after: databases + [current], body) }
    }

    private static func lend(_ migrations: [Migration], _ body: @Sendable () async throws -> Void) async throws {
        let lease = try await SchemaPool.shared.take(migrations)
        let outcome: Result<Void, any Error>
        do {
            try await $taskLocal.withValue(lease.database, operation: body)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await SchemaPool.shared.giveBack(lease)
        try outcome.get()
    }

    /// So many databases are in use at a time, or the server's connections would run out: further tests wait, and their time
    /// limits count that.
    private static let slots = Slots(96)
}
