import Glibc
import PostgresServer
import TestKit
import Testing

@testable import Postgres

/// Servers and hosts that stop responding.
@Suite(.timeLimit(.minutes(5)))
struct SilentServerTests {
    @Test func silentServer_isTreatedAsLost() async throws {
        try await withServer {
            $0.statementTimeout = .milliseconds(100)
            $0.answerGrace = .milliseconds(300)
            $0.sharedConnections = 1
        } _: { _, client in
            let backend = try await client.one("SELECT pg_backend_pid()") { try $0.decode(Int32.self) }
            kill(backend, SIGSTOP)
            defer { kill(backend, SIGCONT) }
            let error = await #expect(throws: PostgresError.self) { try await client.execute("SELECT 1") }
            #expect(error?.kind == .connectionLost)
            #expect(error?.message.contains("did not answer") == true)
            let next = try await client.one("SELECT pg_backend_pid()") { try $0.decode(Int32.self) }
            #expect(next != backend)
        }
    }

    /// The statement is longer than what the server's system takes while it does not read, and not longer than that and what the
    /// client's system keeps.
    @Test func statementGivenUp_hasNoEffectLater() async throws {
        let port = try FreePort.find()
        try await withServer(settings: ["listen_addresses": "127.0.0.1", "port": "\(port)"]) { server, client in
            try await client.execute("CREATE TABLE texts (t text)")
            let password = try #require(server.password)
            var configuration = try PostgresConfiguration(
                url: "postgres://postgres:\(password)@127.0.0.1:\(port)/postgres",
                applicationName: "given up"
            )
            configuration.statementTimeout = .milliseconds(100)
            configuration.answerGrace = .milliseconds(300)
            let connection = try await PostgresConnector(configuration: configuration).connect(for: .writing)
            let backend = try #require(await connection.processID)
            kill(backend, SIGSTOP)
            let text = String(repeating: "a", count: 400_000)
            let error = await #expect(throws: PostgresError.self) {
                try await connection.run(["INSERT INTO texts VALUES (\(text))"])
            }
            #expect(error?.kind == .connectionLost && error?.message.contains("did not answer") == true)
            kill(backend, SIGCONT)
            let sessions: SQL = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'given up'"
            try await eventually { try await client.one(sessions) { try $0.decode(Int.self) } == 0 }
            #expect(try await client.one("SELECT count(*) FROM texts") { try $0.decode(Int.self) } == 0)
        }
    }

    /// A service that waited for it would be in use for longer than the gateway needs to go on to another copy.
    @Test func serverWithoutAnswer_isNotReady() async throws {
        try await withServer {
            $0.sharedConnections = 1
        } _: { _, client in
            let backend = try await client.one("SELECT pg_backend_pid()") { try $0.decode(Int32.self) }
            try await eventually { (try? await client.ping()) != nil }
            kill(backend, SIGSTOP)
            defer { kill(backend, SIGCONT) }
            let error = await #expect(throws: PostgresError.self) { try await client.ping() }
            #expect(error?.kind == .unavailable && error?.message.contains("has not answered") == true)
            kill(backend, SIGCONT)
            try await eventually { (try? await client.ping()) != nil }
        }
    }

    /// libpq goes on to the next server only when one refuses.
    @Test func hostWithoutAnswer_isPassedOver() async throws {
        let server = try await TestServer.another(settings: TestServer.settings)
        try await server.start(detached: false)
        let silent = try SilentHost()
        var configuration = try PostgresConfiguration(
            url: "postgres://postgres@/postgres?host=127.0.0.1,\(server.directory)&port=\(silent.port),5432",
            applicationName: "test"
        )
        configuration.connectTimeout = .seconds(5)
        let client = PostgresClient(configuration, logger: .quiet)
        await #expect(throws: Never.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.run() }
                defer { group.cancelAll() }
                try await eventually { (try? await client.execute("SELECT 1")) == 1 }
                try await eventually { (try? await client.transaction { try await $0.execute("SELECT 1") }) == 1 }
            }
        }
        try await server.stop(.immediate)
    }
}
