import Logging
import Postgres
import PostgresServer
import StackKit

extension BenchContext {
    /// Runs `body` with a PostgreSQL server of its own that commits durably.
    ///
    /// - Parameter settings: Lines for postgresql.conf.
    func withPostgres<Value: Sendable>(
        settings: [String: String] = [:],
        _ body: (PostgresServer) async throws -> Value
    ) async throws -> Value {
        let server = try PostgresServer(
            directory: "\(scratch)/postgres",
            settings: settings.merging(["shared_buffers": Machine.current.sharedBuffers]) { $1 }
        )
        report("starting a PostgreSQL of its own that keeps what it has confirmed")
        try await server.start(detached: false)
        do {
            let value = try await body(server)
            try await server.stop()
            return value
        } catch {
            try? await server.stop(.immediate)
            throw error
        }
    }
}

extension PostgresServer {
    /// Connects to a database as the superuser while `body` runs.
    func withClient<Value: Sendable>(
        of database: String,
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value {
        var configuration = try PostgresConfiguration(url: adminURL(database: database), applicationName: "bench")
        configuration.statementTimeout = .seconds(600)
        let client = PostgresClient(configuration, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            return try await body(client)
        }
    }
}
