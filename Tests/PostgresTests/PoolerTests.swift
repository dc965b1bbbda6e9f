import PostgresServer
import TestKit
import Testing

@testable import Postgres

/// Clients whose reads, writes and transactions go through a pooler.
@Suite(.timeLimit(.minutes(5)))
struct PoolerTests {
    /// A server with the role and schema `chat` in the database `madang`, reached by TCP with the password `chat`.
    private static func withServer(_ body: (PostgresServer, _ directURL: String) async throws -> Void) async throws {
        let server = try await TestServer.another(settings: TestServer.settings)
        try await server.start(detached: false)
        let admin = PostgresClient(
            try PostgresConfiguration(url: server.adminURL(), applicationName: "admin"),
            logger: .quiet
        )
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await admin.run() }
                defer { group.cancelAll() }
                try await admin.execute("CREATE ROLE chat LOGIN PASSWORD 'chat'")
                try await admin.execute("CREATE DATABASE madang OWNER chat")
                try await body(server, "postgres://chat@/madang?host=\(server.directory)")
            }
        } catch {
            try? await server.stop(.immediate)
            throw error
        }
        try await server.stop(.immediate)
    }

    /// - Parameter address: That of a pooler, with the user.
    private static func configuration(_ address: String, _ directURL: String?) throws -> PostgresConfiguration {
        var configuration = try PostgresConfiguration(
            url: "postgres://\(address)/madang",
            directURL: directURL,
            schema: "chat",
            applicationName: "chat"
        )
        // A busy machine takes longer than a service waits.
        configuration.connectTimeout = .seconds(60)
        configuration.leaseTimeout = .seconds(60)
        configuration.outageTimeout = .seconds(60)
        return configuration
    }

    private static func run(
        _ configuration: PostgresConfiguration,
        _ body: (PostgresClient) async throws -> Void
    ) async throws {
        let client = PostgresClient(configuration, logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            try await body(client)
        }
    }

    /// Everything that services do with a database.
    private static func use(_ configuration: PostgresConfiguration, until isHeard: @Sendable () -> Void) async throws {
        try await run(configuration) { client in
            try await client.migrate([
                Migration(version: 1, name: "schema", sql: Array("CREATE SCHEMA IF NOT EXISTS chat".utf8)),
                Migration(version: 2, name: "notes", sql: Array("CREATE TABLE notes (id int PRIMARY KEY, n int)".utf8)),
            ])
            // Connections from before the migration may have other parameters.
            try await eventually {
                let values = try await client.one(
                    """
                    SELECT current_setting('lock_timeout'), current_setting('statement_timeout'),
                        current_setting('idle_in_transaction_session_timeout'), current_setting('jit'),
                        current_setting('search_path')
                    """
                ) { try $0.decode(String.self, String.self, String.self, String.self, String.self) }
                return values == ("2s", "10s", "5s", "off", "chat, postgis, public")
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 0..<100 {
                    group.addTask {
                        try await client.execute("INSERT INTO notes VALUES (\(id), \(0))")
                        try await client.transaction { transaction in
                            let n = try await transaction.one("SELECT n FROM notes WHERE id = \(id) FOR UPDATE") {
                                try $0.decode(Int.self)
                            }
                            try await transaction.execute("UPDATE notes SET n = \(n + id) WHERE id = \(id)")
                        }
                        let n = try await client.one("SELECT n FROM notes WHERE id = \(id)") { try $0.decode(Int.self) }
                        #expect(n == id)
                        await #expect(throws: PostgresError.self) {
                            try await client.execute("INSERT INTO notes VALUES (\(id), \(0))")
                        }
                        try await client.batch(["UPDATE notes SET n = n WHERE id = \(id)", "SELECT 1"])
                    }
                }
                try await group.waitForAll()
            }
            // More texts than a connection prepares under names.
            for n in 0..<300 {
                let row = try await client.one("SELECT \(n) + 1 AS \(identifier: "column \(n)")") {
                    try $0.decode(Int.self)
                }
                #expect(row == n + 1)
            }
            let notifications = client.announcer.notifications(on: "changes")
            for await notification in notifications {
                switch notification {
                case .listening:
                    try await client.transaction { transaction in
                        transaction.announce([Announcement("1", on: "changes")])
                        _ = try await transaction.execute("UPDATE notes SET n = 0 WHERE id = 1")
                    }
                case .message(let text):
                    #expect(text == "1")
                    return isHeard()
                }
            }
        }
    }

    @Test func transactionMode_servesEverything() async throws {
        try await Self.withServer { server, directURL in
            let pooler = try TransactionPooler(before: server, servers: 12)
            defer { pooler.close() }
            let configuration = try Self.configuration("chat@127.0.0.1:\(pooler.port)", directURL)
            try await confirmation { isHeard in try await Self.use(configuration) { isHeard() } }
            #expect(pooler.violations == [])
        }
    }

    /// Without the direct URL a client would rely on sessions, which the pooler refuses.
    @Test func poolerWithoutDirectURL_isNamedAsReason() async throws {
        try await Self.withServer { server, _ in
            let pooler = try TransactionPooler(before: server, servers: 1)
            defer { pooler.close() }
            var configuration = try Self.configuration("chat@127.0.0.1:\(pooler.port)", nil)
            configuration.connectTimeout = .seconds(1)
            try await Self.run(configuration) { client in
                try await eventually("the reason is known") {
                    let error = await #expect(throws: PostgresError.self) { try await client.execute("SELECT 1") }
                    return error?.message.contains("DATABASE_DIRECT_URL") == true
                }
            }
        }
    }

    @Test(.enabled(if: PgBouncer.isInstalled, "PgBouncer is not installed: apt-get install pgbouncer"))
    func pgBouncer_inSessionMode_servesEverything() async throws {
        try await Self.withServer { server, directURL in
            try await PgBouncer.with(server) { pooler in
                let configuration = try Self.configuration("chat:chat@127.0.0.1:\(pooler.port)", directURL)
                try await confirmation { isHeard in try await Self.use(configuration) { isHeard() } }
            }
        }
    }

    @Test(.enabled(if: PgBouncer.isInstalled, "PgBouncer is not installed: apt-get install pgbouncer"))
    func pgBouncer_killedUnderLoad_losesNoAcknowledgedWrite() async throws {
        try await Self.withServer { server, directURL in
            try await PgBouncer.with(server) { pooler in
                var configuration = try Self.configuration("chat:chat@127.0.0.1:\(pooler.port)", directURL)
                configuration.schema = nil
                try await FailoverTests.expectNoLoss(configuration) { _ in
                    await pooler.kill()
                    try await pooler.start()
                }
            }
        }
    }
}
