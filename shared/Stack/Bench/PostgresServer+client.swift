import Logging
import Postgres
import PostgresServer

extension PostgresServer {
    /// Opens a database as the superuser while `body` runs.
    func withClient<Value: Sendable>(
        of database: String,
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value {
        let configuration = try PostgresConfiguration(url: adminURL(database: database), applicationName: "bench")
        let client = PostgresClient(configuration, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            return try await body(client)
        }
    }
}
