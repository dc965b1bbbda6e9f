import PostgresServer
import TestKit

@testable import Postgres

/// Runs `body` with a new server, which it may end, and a client of it.
///
/// - Parameter more: Settings of the server.
func withServer(
    settings more: [String: String] = [:],
    _ change: (inout PostgresConfiguration) -> Void = { _ in },
    _ body: (PostgresServer, PostgresClient) async throws -> Void
) async throws {
    // Committed rows must survive a crash.
    let settings = TestServer.settings.merging(more.merging(["synchronous_commit": "on"]) { $1 }) { $1 }
    let server = try await TestServer.another(settings: settings)
    try await server.start(detached: false)
    var configuration = try PostgresConfiguration(url: server.adminURL(), applicationName: "test")
    configuration.connectTimeout = .seconds(120)
    configuration.outageTimeout = .seconds(120)
    configuration.leaseTimeout = .seconds(120)
    change(&configuration)
    let client = PostgresClient(configuration, logger: .quiet)
    do {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            try await body(server, client)
        }
    } catch {
        try? await server.stop(.immediate)
        throw error
    }
    try await server.stop(.immediate)
}
