package import Postgres

/// A schema of its own for one test, migrated, with a client that runs.
package struct TestDatabase: Sendable {
    /// The database of the current test; give the test or its suite the trait `.database(…)`.
    package static var current: TestDatabase {
        guard let taskLocal else { preconditionFailure("the test has no trait .database(…)") }
        return taskLocal
    }

    @TaskLocal static var taskLocal: TestDatabase?

    /// How another client reaches the same schema.
    package let configuration: PostgresConfiguration
    /// A client whose tables are those of the schema.
    package let client: PostgresClient

    /// Creates a schema, applies `migrations`, runs `body` with it as the current one, and drops it.
    package static func with(_ migrations: [Migration], _ body: @Sendable () async throws -> Void) async throws {
        try await slots.withSlots { try await create(migrations, body) }
    }

    /// Creates several empty schemas, runs `body` with them, and drops them.
    package static func with(_ count: Int, _ body: @Sendable ([TestDatabase]) async throws -> Void) async throws {
        try await slots.withSlots(count) { try await create(count, after: [], body) }
    }

    private static func create(
        _ count: Int,
        after databases: [TestDatabase],
        _ body: @Sendable ([TestDatabase]) async throws -> Void
    ) async throws {
        guard databases.count < count else { return try await body(databases) }
        try await create([]) { try await create(count, after: databases + [current], body) }
    }

    private static func create(_ migrations: [Migration], _ body: @Sendable () async throws -> Void) async throws {
        let admin = try await TestServer.admin
        let schema = "test_\(UInt64.random(in: 0 ... .max))"
        try await admin.execute("CREATE SCHEMA \(identifier: schema)")
        let outcome: Result<Void, any Error>
        do {
            let configuration = try await TestServer.configuration(schema: schema)
            let client = PostgresClient(configuration, logger: .quiet)
            try await client.migrate(migrations)
            let database = TestDatabase(configuration: configuration, client: client)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.run() }
                defer { group.cancelAll() }
                try await $taskLocal.withValue(database, operation: body)
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await admin.execute("DROP SCHEMA \(identifier: schema) CASCADE")
        try outcome.get()
    }

    /// So many databases are on the server at a time; further tests wait, or its connections would run out. Their time limits
    /// count the wait.
    private static let slots = Slots(24)
}
