import PostgresServer
import TestKit
import Testing

@testable import Postgres

/// A server that allows a hundred connections, as PostgreSQL does by default.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionLimitTests {
    /// Three copies of eight services listen and read all the time, the console reads, and all want 25 × 8 connections for
    /// transactions at once. Those that find no free slot get it from others, whose connections are not used any more.
    @Test func threeCopiesOfEightServices_andTheConsole_areServed() async throws {
        let server = try await TestServer.another(
            settings: TestServer.settings.merging(["max_connections": "100"]) { $1 }
        )
        try await server.start(detached: false)
        var configuration = try PostgresConfiguration(url: server.adminURL(), applicationName: "copy")
        configuration.connectTimeout = .seconds(60)
        configuration.leaseTimeout = .seconds(60)
        let clients = (0...24).map { _ in PostgresClient(configuration, logger: .quiet) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients { group.addTask { try await client.run() } }
            let served = try await withThrowingTaskGroup(of: Int.self) { work in
                for client in clients.dropLast() {
                    work.addTask {
                        for await _ in client.announcer.notifications(on: "changes") { break }
                        return try await Self.work(client)
                    }
                }
                work.addTask { try await Self.work(clients[24]) }
                return try await work.reduce(0, +)
            }
            #expect(served == 25 * 8)
            // With room for an operator, and for what a burst needs.
            try await eventually {
                let open = try await clients[0].one(
                    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'copy'"
                ) { try $0.decode(Int.self) }
                return open == 3 * 24 + 2
            }
            group.cancelAll()
        }
        try await server.stop(.immediate)
    }

    /// - Returns: The number of transactions that were committed.
    private static func work(_ client: PostgresClient) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { try await client.transaction { try await $0.execute("SELECT pg_sleep(0.02)") } }
            }
            return try await group.reduce(0, +)
        }
    }
}
