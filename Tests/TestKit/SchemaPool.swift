import Crypto
import Postgres

/// Schemas on the test server that tests use one after the other, each with a client that stays connected: to apply migrations
/// and to connect takes far longer than to empty the tables.
actor SchemaPool {
    static let shared = SchemaPool()

    /// A schema, and who keeps its client running.
    struct Lease: Sendable {
        var database: TestDatabase
        /// The connections of the services that have run on it.
        fileprivate var cache: ConnectionCache
        fileprivate var schema: String
        fileprivate var migrations: [Migration]
        fileprivate var running: Task<Void, any Error>
    }

    private var idle: [String: [Lease]] = [:]

    /// A schema with these migrations applied, and nothing in it but what they have put there.
    func take(_ migrations: [Migration]) async throws -> Lease {
        if let lease = idle[Self.key(migrations)]?.popLast() { return lease }
        let lease = try await Self.create(migrations)
        if !migrations.isEmpty { _ = try await functions.one("SELECT remember(\(lease.schema))::text") { _ in } }
        return lease
    }

    /// Closes all remaining connections, and empties the schema for the next. One whose tables a test has changed is dropped.
    func giveBack(_ lease: Lease) async throws {
        let admin = try await TestServer.admin
        try await admin.execute(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE application_name = \(lease.schema) AND pid <> ALL(\(lease.cache.processIDs))
            """
        )
        if try await empty(lease) {
            idle[Self.key(lease.migrations), default: []].append(lease)
        } else {
            lease.running.cancel()
            await lease.cache.close()
            try await admin.execute("DROP SCHEMA \(identifier: lease.schema) CASCADE")
        }
    }

    private func empty(_ lease: Lease) async throws -> Bool {
        guard !lease.migrations.isEmpty, !TestServer.isShared else { return false }
        return try await functions.one("SELECT empty(\(lease.schema))") { try $0.decode(Bool.self) }
    }

    private static func create(_ migrations: [Migration]) async throws -> Lease {
        let schema = "test_\(UInt64.random(in: 0 ... .max))"
        try await TestServer.admin.execute("CREATE SCHEMA \(identifier: schema)")
        var configuration = try await TestServer.configuration(schema: schema)
        // A service gives up what takes long; a test that fills its tables on a busy machine does not, nor one that holds a
        // lock until others wait for it.
        if !migrations.isEmpty { configuration.statementTimeout = .zero }
        configuration.lockTimeout = .seconds(60)
        configuration.idleTransactionTimeout = .seconds(60)
        let client = PostgresClient(configuration, logger: .quiet)
        try await client.migrate(migrations)
        configuration.applicationName = schema
        let cache = ConnectionCache()
        // Tests without tables of a service are about connections themselves.
        if !migrations.isEmpty { configuration.cache = cache }
        return Lease(
            database: TestDatabase(configuration: configuration, client: client),
            cache: cache,
            schema: schema,
            migrations: migrations,
            running: Task.detached { try await client.run() }
        )
    }

    private static func key(_ migrations: [Migration]) -> String {
        var hash = SHA256()
        for migration in migrations { hash.update(data: migration.sql) }
        return hash.finalize().description
    }

    /// Who has `SchemaFunctions`, and keeps what they remember.
    private var functions: PostgresClient { get async throws { try await own.value.database.client } }

    private let own = Task {
        try await create([Migration(version: 1, name: "pool", sql: Array(SchemaFunctions.script.utf8))])
    }
}
