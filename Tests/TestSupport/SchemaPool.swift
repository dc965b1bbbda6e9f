import Crypto
import Postgres

/// Schemas on the test server that tests use one after the other: to apply migrations takes far longer than to empty the
/// tables.
actor SchemaPool {
    static let shared = SchemaPool()

    private var idle: [String: [String]] = [:]

    /// A schema with these migrations applied, and nothing in it but what they have put there.
    func take(_ migrations: [Migration]) async throws -> String {
        if let schema = idle[Self.key(migrations)]?.popLast() { return schema }
        let schema = try await Self.create(migrations)
        if !migrations.isEmpty {
            try await database.one("SELECT remember(\(schema))::text") { _ in }
        }
        return schema
    }

    /// Ends whoever is connected still, and empties the schema for the next. One whose tables a test has changed is dropped.
    func giveBack(_ schema: String, _ migrations: [Migration]) async throws {
        let admin = try await TestServer.admin
        try await admin.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = \(schema)"
        )
        if !migrations.isEmpty, !TestServer.isShared, try await empty(schema) {
            idle[Self.key(migrations), default: []].append(schema)
        } else {
            try await admin.execute("DROP SCHEMA \(identifier: schema) CASCADE")
        }
    }

    private func empty(_ schema: String) async throws -> Bool {
        try await database.one("SELECT empty(\(schema))") { try $0.decode(Bool.self) }
    }

    private static func create(_ migrations: [Migration]) async throws -> String {
        let schema = "test_\(UInt64.random(in: 0 ... .max))"
        try await TestServer.admin.execute("CREATE SCHEMA \(identifier: schema)")
        let client = PostgresClient(try await TestServer.configuration(schema: schema), logger: .quiet)
        try await client.migrate(migrations)
        return schema
    }

    private static func key(_ migrations: [Migration]) -> String {
        var hash = SHA256()
        for migration in migrations { hash.update(data: migration.sql) }
        return hash.finalize().description
    }

    /// Where the pool keeps what it remembers.
    private var database: PostgresClient {
        get async throws { try await running.value }
    }

    private let running = Task {
        let functions = Migration(version: 1, name: "pool", sql: Array(SchemaFunctions.script.utf8))
        let schema = try await create([functions])
        let client = PostgresClient(try await TestServer.configuration(schema: schema), logger: .quiet)
        Task.detached { try await client.run() }
        return client
    }
}
