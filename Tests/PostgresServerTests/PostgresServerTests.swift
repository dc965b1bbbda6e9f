import Glibc
import Subprocess
import SystemPackage
import Testing

@testable import PostgresServer

@Suite(.timeLimit(.minutes(5)))
struct PostgresServerTests {
    private static let quick = ["fsync": "off", "shared_buffers": "16MB"]

    private func query(_ server: PostgresServer, _ sql: String) async throws -> String {
        let result = try await run(
            .path(FilePath("\(server.binaries)/psql")),
            arguments: ["-X", "-A", "-t", "-q", "-d", try server.adminURL(), "-c", sql],
            output: .string(limit: 65536),
            error: .combinedWithOutput
        )
        return result.standardOutput.split(separator: "\n").joined(separator: "\n")
    }

    @Test func server_servesOverSocket_untilStopped() async throws {
        let server = try PostgresServer.temporary(settings: Self.quick)
        #expect(!server.isRunning)
        #expect(throws: PostgresServerError.self) { try server.adminURL() }
        try await server.start(detached: false)
        #expect(server.isRunning)
        #expect(server.tcpPort == nil)
        #expect(try await query(server, "SELECT 40 + 2") == "42")
        #expect(try await query(server, "SHOW fsync") == "off")
        try await server.stop()
        #expect(!server.isRunning)
        #expect(access(server.directory, F_OK) != 0, "a temporary server removes its files")
    }

    @Test func killedServer_restarts_andIsFoundByOtherInstance() async throws {
        let server = try PostgresServer.temporary(port: 0, settings: Self.quick)
        try await server.start(detached: true)
        _ = try await query(server, "CREATE TABLE kept (id int); INSERT INTO kept VALUES (7); CHECKPOINT")
        let port = try #require(server.tcpPort)
        try await server.kill()
        #expect(!server.isRunning)
        try await server.start(detached: false)
        #expect(try await query(server, "SELECT id FROM kept") == "7")

        let other = try PostgresServer(directory: server.directory, port: port)
        #expect(other.isRunning)
        try await other.start(detached: true)
        #expect(try other.adminURL() == server.adminURL())
        try await other.stop(.immediate)
        #expect(!server.isRunning)
        try await server.stop()
    }

    @Test func tcpConnection_requiresPassword() async throws {
        let server = try PostgresServer.temporary(port: 0, settings: Self.quick)
        try await server.start(detached: false)
        let port = try #require(server.tcpPort)
        let result = try await run(
            .path(FilePath("\(server.binaries)/psql")),
            arguments: ["-w", "-d", "postgres://postgres@127.0.0.1:\(port)/postgres", "-c", "SELECT 1"],
            output: .string(limit: 65536),
            error: .combinedWithOutput
        )
        #expect(!result.terminationStatus.isSuccess)
        #expect(result.standardOutput.contains("password"))
        try await server.stop()
    }

    @Test func pathTooLongForSocket_isServedOverTCP() async throws {
        let parent = "/tmp/postgres-long-\(getpid())"
        let server = try PostgresServer(
            directory: parent + "/" + String(repeating: "long/", count: 20) + "directory",
            settings: Self.quick
        )
        try await server.start(detached: false)
        #expect(try server.adminURL().hasPrefix("postgres://postgres:"))
        #expect(try await query(server, "SELECT 1") == "1")
        try await server.stop()
        _ = try await run(.name("rm"), arguments: ["-rf", parent], output: .discarded)
    }

    @Test func start_portInUse_throws() async throws {
        let first = try PostgresServer.temporary(port: 0, settings: Self.quick)
        try await first.start(detached: false)
        let port = try #require(first.tcpPort)
        let second = try PostgresServer.temporary(port: port, settings: Self.quick)
        await #expect(
            throws: PostgresServerError(
                "Port \(port) on 127.0.0.1 is taken. End the program that uses it, or choose another port."
            )
        ) {
            try await second.start(detached: false)
        }
        try await second.stop()
        try await first.stop()
    }

    @Test func invalidSetting_errorHasServerMessage() async throws {
        let server = try PostgresServer.temporary(settings: ["shared_buffers": "plenty"])
        let error = await #expect(throws: PostgresServerError.self) { try await server.start(detached: false) }
        #expect(error?.description.contains("shared_buffers") == true)
        try await server.stop()
    }

    /// As on a system that promises no more memory than it has, or in a shell with `ulimit -v`.
    @Test func refusedBuffers_areThoseOfPostgreSQL() async throws {
        let directory = "/tmp/postgres-buffers-\(getpid())"
        let server = try PostgresServer(
            directory: directory,
            settings: ["fsync": "off", "shared_buffers": "3GB"],
            prefix: ["prlimit", "--as=2000000000"]
        )
        try await server.start(detached: false)
        #expect(server.isRunning)
        let log = try #require(Files.text(at: server.log))
        #expect(log.contains("could not map anonymous shared memory"))
        try await server.stop()
        _ = try await server.command.run("rm", ["-rf", server.directory])
    }

    @Test(.enabled(if: geteuid() == 0))
    func unreachableDirectory_isReplaced() async throws {
        let closed = "/tmp/postgres-closed-\(getpid())"
        #expect(mkdir(closed, 0o700) == 0)
        let server = try PostgresServer(directory: "\(closed)/.local/postgres", settings: Self.quick)
        #expect(server.requestedDirectory == "\(closed)/.local/postgres")
        #expect(server.directory.hasPrefix("/var/lib/private-postgres/"))
        try await server.start(detached: false)
        #expect(try await query(server, "SELECT 1") == "1")
        try await server.stop()
        _ = try await run(.name("rm"), arguments: ["-rf", closed, server.directory], output: .discarded)
    }

    @Test(arguments: [
        ("could not write: No space left on device", "The disk that holds /d is full"),
        (
            "The data directory was initialized by PostgreSQL version 14, which is not compatible with this version",
            "another version"
        ),
        ("something else", "something else"),
    ])
    func serverOutput_isDiagnosed(output: String, expected: String) {
        #expect(Diagnosis.error(of: output, doing: "start", in: "/d").description.contains(expected))
    }

    @Test(arguments: [("/a/../b/./c//d", "/b/c/d"), ("/", "/"), ("/..", "/")])
    func paths_areMadeAbsolute(path: String, expected: String) {
        #expect(Files.absolute(path) == expected)
    }
}
