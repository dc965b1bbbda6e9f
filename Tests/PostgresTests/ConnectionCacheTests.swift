import TestKit
import Testing

@testable import Postgres

@Suite(.database(), .timeLimit(.minutes(1)))
struct ConnectionCacheTests {
    private let cache = ConnectionCache()

    /// Runs `body` with a client that leaves its one shared connection in the cache when it ends.
    private func withClient<Value: Sendable>(
        _ change: (inout PostgresConfiguration) -> Void = { _ in },
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value {
        var configuration = TestDatabase.current.configuration
        configuration.cache = cache
        configuration.sharedConnections = 1
        change(&configuration)
        let client = PostgresClient(configuration, logger: .quiet)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            return try await body(client)
        }
    }

    /// The server's process behind the shared connection of a client.
    private func processID(_ change: (inout PostgresConfiguration) -> Void = { _ in }) async throws -> Int32 {
        try await withClient(change) { client in try await client.one("SELECT pg_backend_pid()") { try $0.decode() } }
    }

    @Test func sameConfiguration_reusesConnection() async throws {
        let first = try await processID()
        #expect(await cache.processIDs == [first])
        #expect(try await processID() == first)
        await cache.close()
        #expect(await cache.processIDs == [])
        #expect(try await processID() != first)
        await cache.close()
    }

    @Test func otherConfiguration_opensNewConnection() async throws {
        let first = try await processID()
        #expect(try await processID { $0.statementTimeout = .seconds(3) } != first)
        #expect(try await processID { $0.applicationName = "other" } != first)
        #expect(try await processID() == first)
        #expect(await cache.processIDs.count == 3)
        await cache.close()
    }

    @Test func cachedConnection_killed_isReplaced() async throws {
        let first = try await processID()
        let isKilled: Bool = try await TestServer.admin.one("SELECT pg_terminate_backend(\(first), 5000)") {
            try $0.decode()
        }
        #expect(isKilled)
        try await eventually("the cache has seen the end of the connection") {
            do {
                return try await processID() != first
            } catch let error as PostgresError where error.sqlState == "57P01" {
                return false
            }
        }
        await cache.close()
    }

    @Test func connectionInTransaction_isNotCached() async throws {
        let writer = try await withClient {
            $0.writeConnections = 1
        } _: { client in
            try await client.execute("CREATE TABLE unfinished (id int)")
            let writer = try await client.one(
                "WITH one AS (INSERT INTO unfinished VALUES (1) RETURNING id) SELECT pg_backend_pid() FROM one"
            ) { try $0.decode(Int32.self) }
            try await client.batch(["BEGIN", "INSERT INTO unfinished VALUES (2)"])
            return writer
        }
        #expect(await !cache.processIDs.contains(writer))
        try await withClient { (client) async throws in
            #expect(try await client.all("SELECT id FROM unfinished") { try $0.decode(Int.self) } == [1])
        }
        await cache.close()
    }
}
