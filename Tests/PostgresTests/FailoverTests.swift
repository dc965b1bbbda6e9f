import PostgresServer
import Synchronization
import TestKit
import Testing

@testable import Postgres

/// A primary with a synchronous standby, which is promoted when the primary dies, by the test or by Patroni.
@Suite(.timeLimit(.minutes(5)))
struct FailoverTests {
    private final class Failover: Sendable {
        let isOver = Mutex(false)
    }

    private static func withStandby(
        _ body: (_ primary: PostgresServer, _ standby: PostgresServer, PostgresConfiguration) async throws -> Void
    ) async throws {
        let settings = TestServer.settings.merging([
            "synchronous_commit": "on", "synchronous_standby_names": "standby", "max_connections": "50",
            "wal_level": "replica",
        ]) { $1 }
        let primary = try await TestServer.another(settings: settings)
        try await primary.start(detached: false)
        let standby = try await primary.standby(
            name: "standby",
            settings: settings.merging(["synchronous_standby_names": ""]) { $1 }
        )
        try await standby.start(detached: false)
        let url = "postgres://postgres@/postgres?host=\(primary.directory),\(standby.directory)"
        let configuration = try PostgresConfiguration(url: url, applicationName: "test")
        do {
            try await body(primary, standby, configuration)
        } catch {
            try? await standby.stop(.immediate)
            try? await primary.stop(.immediate)
            throw error
        }
        try await standby.stop(.immediate)
        try await primary.stop(.immediate)
    }

    @Test func promotedStandby_hasAcknowledgedWrites_andTakesNewOnes() async throws {
        try await Self.withStandby { primary, standby, configuration in
            try await Self.expectNoLoss(configuration) { _ in
                try await primary.kill()
                try await standby.promote()
            }
        }
    }

    /// Only roles with `synchronous_commit = local` are answered before the standby has their writes.
    @Test func commit_waitsWhileTheStandbyIsAway() async throws {
        try await Self.withStandby { _, standby, configuration in
            var configuration = configuration
            configuration.statementTimeout = .seconds(200)
            let client = PostgresClient(configuration, logger: .quiet)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.run() }
                defer { group.cancelAll() }
                try await client.execute("CREATE TABLE numbers (n int PRIMARY KEY)")
                try await standby.kill()
                let isAcknowledged = Mutex(false)
                async let write: Void = {
                    try await client.execute("INSERT INTO numbers VALUES (1)")
                    isAcknowledged.withLock { $0 = true }
                }()
                let waits: SQL = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep')"
                try await eventually("the commit waits") { try await client.one(waits) { try $0.decode(Bool.self) } }
                try await client.transaction { transaction in
                    try await transaction.execute("SET LOCAL synchronous_commit = local")
                    try await transaction.execute("INSERT INTO numbers VALUES (2)")
                }
                #expect(try await client.all("SELECT n FROM numbers") { try $0.decode(Int.self) } == [2])
                #expect(isAcknowledged.withLock { $0 } == false)
                try await standby.start(detached: false)
                try await write
            }
        }
    }

    @Test(.enabled(if: Patroni.isInstalled, "Patroni is not installed: apt-get install patroni etcd-server"))
    func failoverByPatroni_losesNoAcknowledgedWrite() async throws {
        try await Patroni.with { cluster in
            let configuration = try PostgresConfiguration(url: cluster.url, applicationName: "test")
            let isPrimary: SQL = "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')"
            try await Self.expectNoLoss(configuration) { client in
                try await eventually("there is a synchronous standby") {
                    (try? await client.one(isPrimary) { try $0.decode(Bool.self) }) == true
                }
            } failOver: { client in
                let port = try await client.one("SELECT current_setting('port')::int") { try $0.decode(Int.self) }
                let primary = try #require(cluster.servers.first { $0.tcpPort == port })
                try await primary.kill()
            }
        }
    }

    /// Writes numbers beside a failover, until each of several tasks has written some after it.
    static func expectNoLoss(
        _ configuration: PostgresConfiguration,
        prepare: (PostgresClient) async throws -> Void = { _ in },
        failOver: (PostgresClient) async throws -> Void
    ) async throws {
        let client = PostgresClient(configuration, logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            try await prepare(client)
            try await client.execute("CREATE TABLE numbers (n int PRIMARY KEY)")
            let failover = Failover()
            let acknowledged = try await withThrowingTaskGroup(of: [Int].self) { writers in
                for writer in 0..<4 {
                    writers.addTask { try await Self.write(writer, client, past: failover) }
                }
                try await eventually {
                    (try? await client.one("SELECT count(*) FROM numbers") { try $0.decode(Int.self) }) ?? 0 > 200
                }
                try await failOver(client)
                failover.isOver.withLock { $0 = true }
                return try await writers.reduce(into: []) { $0 += $1 }
            }
            let rows = try await client.all("SELECT n FROM numbers") { try $0.decode(Int.self) }
            #expect(Set(acknowledged).subtracting(rows) == [])
            #expect(Set(acknowledged).count == acknowledged.count)
        }
    }

    /// - Returns: The numbers whose insertion was acknowledged.
    private static func write(_ writer: Int, _ client: PostgresClient, past failover: Failover) async throws -> [Int] {
        var acknowledged: [Int] = []
        var after = 0
        for number in 0... {
            do {
                let isAfter = failover.isOver.withLock(\.self)
                let row = number * 4 + writer
                // Transactions and single statements alternate.
                if number.isMultiple(of: 2) {
                    try await client.execute("INSERT INTO numbers VALUES (\(row))")
                } else {
                    try await client.transaction { _ = try await $0.execute("INSERT INTO numbers VALUES (\(row))") }
                }
                acknowledged.append(row)
                if isAfter { after += 1 }
            } catch let error as PostgresError {
                #expect([.connectionLost, .unavailable].contains(error.kind), "\(error)")
            }
            if after >= 20 { break }
        }
        return acknowledged
    }

    /// A server that has become a standby is left, although its connections stay open.
    @Test func readOnlyServer_isLeft() async throws {
        try await Self.withStandby { primary, standby, configuration in
            let client = PostgresClient(configuration, logger: .quiet)
            let admin = PostgresClient(
                try PostgresConfiguration(url: primary.adminURL(), applicationName: "admin"),
                logger: .quiet
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.run() }
                group.addTask { try await admin.run() }
                defer { group.cancelAll() }
                try await client.execute("CREATE TABLE numbers (n int PRIMARY KEY)")
                try await client.transaction { _ = try await $0.execute("INSERT INTO numbers VALUES (1)") }
                try await admin.execute("ALTER SYSTEM SET default_transaction_read_only = on")
                try await admin.execute("SELECT pg_reload_conf()")
                try await standby.promote()
                try await eventually("the primary refuses writes") {
                    try await admin.one("SHOW default_transaction_read_only") { try $0.decode(String.self) } == "on"
                }
                // Neither call fails: each is repeated on the other server.
                try await client.transaction { _ = try await $0.execute("INSERT INTO numbers VALUES (3)") }
                try await client.execute("INSERT INTO numbers VALUES (2)")
                #expect(try await client.one("SELECT count(*) FROM numbers") { try $0.decode(Int.self) } == 3)
                #expect(try await admin.one("SELECT count(*) FROM numbers") { try $0.decode(Int.self) } == 1)
            }
        }
    }
}
