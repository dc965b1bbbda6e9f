import Contracts
import FoundationEssentials
import PostgresServer
import Subprocess
import SystemPackage
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// The guarantees of the bootstrap, checked on a real PostgreSQL with the roles of the services.
@Suite struct DatabaseTests {
    @Test func bootstrap_isolatesSchemasOfServices() async throws {
        try await Self.withDatabase { database in
            try await database.bootstrap()
            try await database.bootstrap()
            for service in ServiceName.allCases.map(\.rawValue) {
                let own = try await Self.ask(
                    database,
                    as: service,
                    "CREATE TABLE t (x int); INSERT INTO t VALUES (1); SELECT schemaname FROM pg_tables WHERE tablename = 't'"
                )
                #expect(own == service)
            }
            for (sql, sqlState) in [
                ("SELECT x FROM seats.t", "42501"), ("CREATE TABLE seats.u (x int)", "42501"),
                ("CREATE TABLE public.u (x int)", "42501"), ("CREATE SCHEMA mine", "42501"),
                ("SET ROLE seats", "42501"), ("GRANT auth TO seats", "42501"),
                ("CREATE TEMPORARY TABLE u (x int)", "42501"),
                ("SELECT pg_read_file('/etc/passwd')", "42501"), ("SELECT x FROM nothing", "42P01"),
            ] { #expect(try await Self.ask(database, as: "auth", sql) == "ERROR \(sqlState)", "\(sql)") }
        }
    }

    /// As several machines with one database do.
    @Test func bootstraps_runAtOnce() async throws {
        try await Self.withDatabase { own in
            let database = Database(server: own.server, elsewhere: try own.administrator)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await database.bootstrap() } }
                try await group.waitForAll()
            }
            #expect(try await Self.ask(database, as: "chat", "SELECT current_schema()") == "chat")
        }
    }

    @Test func postGIS_isAvailableToItsServicesOnly() async throws {
        try await Self.withDatabase { database in
            try await database.bootstrap()
            let sql = "SELECT ST_AsText(ST_Point(127, 37.5))"
            #expect(try await Self.ask(database, as: "estate", sql) == "POINT(127 37.5)")
            #expect(try await Self.ask(database, as: "community", sql) == "POINT(127 37.5)")
            #expect(try await Self.ask(database, as: "auth", sql) == "ERROR 42883")
            #expect(try await Self.ask(database, as: "auth", "SELECT postgis.ST_Point(1, 2)") == "ERROR 42501")
        }
    }

    @Test func serverLog_hasErrors_withoutUsersData() async throws {
        try await Self.withDatabase { database in
            try await database.bootstrap()
            let address = "kim@example.com"
            let insert = "INSERT INTO people VALUES ('\(address)', 20)"
            let table = "CREATE TABLE people (email text PRIMARY KEY, age int CHECK (age < 200))"
            #expect(try await Self.ask(database, as: "auth", "\(table); \(insert)") == "")
            #expect(try await Self.ask(database, as: "auth", insert) == "ERROR 23505")
            let prepared = "PREPARE one AS INSERT INTO people VALUES ($1, $2); EXECUTE one('\(address)', 900)"
            #expect(try await Self.ask(database, as: "auth", prepared) == "ERROR 23514")
            for setting in ["log_error_verbosity TO default", "log_min_error_statement TO error"] {
                #expect(try await Self.ask(database, as: "auth", "SET \(setting)") == "ERROR 42501")
            }
            let log = try String(contentsOfFile: database.server.log, encoding: .utf8)
            #expect(log.contains("duplicate key value violates unique constraint"))
            #expect(log.contains("violates check constraint"))
            #expect(!log.contains(address))
        }
    }

    /// A database that was created before there was a console.
    @Test func startOfComposeDatabase_createsWhatIsMissing() async throws {
        let folder = "/tmp/stack-tests-\(UUID().uuidString)"
        let server = try await TestServer.another(in: folder, settings: ["fsync": "off"])
        defer { try? FileManager.default.removeItem(atPath: server.directory) }
        try await server.start(detached: false)
        let database = Database(server: server)
        try await database.bootstrap()
        let removal = "DROP SCHEMA console; DROP OWNED BY console; DROP ROLE console"
        #expect(try await Self.ask(database.administrator.text, removal) == "")
        #expect(try await Self.ask(database, as: "console", "SELECT 1") == "refused")
        #expect(try await Self.ask(database, as: "chat", "CREATE TABLE t AS SELECT 1 AS x") == "")
        try await server.stop()

        let start = try await Self.startOfCompose(server, ["CONSOLE_DATABASE_PASSWORD": "of the console"])
        #expect(start.output == Self.expectedStart, "\(start.error)")
        #expect(!start.error.contains("failed") && !start.error.contains("ERROR"), "\(start.error)")
        try await server.start(detached: false)
        let made = "SELECT schemaname FROM pg_tables WHERE tablename = 'u'"
        #expect(try await Self.ask(database, as: "console", "CREATE TABLE u (x int); \(made)") == "console")
        #expect(try await Self.ask(database, as: "chat", "SELECT x FROM t") == "1")
        let password = "SELECT rolpassword LIKE 'SCRAM-SHA-256$%' FROM pg_authid WHERE rolname = 'console'"
        #expect(try await Self.ask(database.administrator.text, password) == "t")
        try await server.stop()
    }

    /// The services that have roles are served all the same.
    @Test func startOfComposeDatabase_startsIfScriptsFail() async throws {
        let folder = "/tmp/stack-tests-\(UUID().uuidString)"
        let server = try await TestServer.another(in: folder, settings: ["fsync": "off"])
        defer { try? FileManager.default.removeItem(atPath: server.directory) }
        try await server.start(detached: false)
        try await server.stop()
        let start = try await Self.startOfCompose(server, [:])
        #expect(start.output == Self.expectedStart)
        #expect(start.error.contains("bootstrap.sql failed; the server starts with the roles and schemas that it has"))
        #expect(!server.isRunning)
    }

    @Test func tcpConnection_requiresPasswordOfRole() async throws {
        let folder = "/tmp/stack-tests-\(UUID().uuidString)-\(String(repeating: "x", count: 60))"
        let server = try await TestServer.another(in: folder, settings: ["fsync": "off"])
        defer { try? FileManager.default.removeItem(atPath: server.directory) }
        try await server.start(detached: false)
        let database = Database(server: server)
        try await database.bootstrap()
        #expect(server.tcpPort != nil)
        #expect(try await Self.ask(database, as: "auth", "SELECT current_user") == "auth")
        let auth = try database.url(role: "auth")
        let forged = auth.replacing("postgres://auth:", with: "postgres://seats:")
        #expect(try await Self.ask(forged, "SELECT 1") == "refused")
        #expect(try await Self.ask(auth, "SELECT 1") == "1")
        try await server.stop(.immediate)
    }

    @Test func bootstrapScripts_nameEveryService() {
        for script in [PackageResources.bootstrap_sql, PackageResources.passwords_sql] {
            let text = String(decoding: script, as: UTF8.self)
            for service in ServiceName.allCases { #expect(text.contains("\(service.rawValue)")) }
        }
    }

    private static func withDatabase(_ body: (Database) async throws -> Void) async throws {
        let server = try await TestServer.another(settings: ["fsync": "off", "synchronous_commit": "off"])
        try await server.start(detached: false)
        do {
            try await body(Database(server: server))
        } catch {
            try await server.stop(.immediate)
            throw error
        }
        try await server.stop(.immediate)
    }

    /// With the same share of the memory as `stack up`.
    private static let expectedStart =
        "postgres -c wal_level=logical -c shared_buffers=\(Machine.current.sharedBuffers)\n"

    /// Runs the script that starts compose's database, up to the program of the image, which prints its arguments here.
    private static func startOfCompose(
        _ server: PostgresServer,
        _ variables: [String: String]
    ) async throws -> (output: String, error: String) {
        try FileManager.default.createSymbolicLink(
            atPath: "\(server.requestedDirectory)/docker-entrypoint.sh",
            withDestinationPath: "/bin/echo"
        )
        let own = [
            "PATH": "\(server.requestedDirectory):\(server.binaries):/usr/sbin:/usr/bin:/sbin:/bin",
            "PGDATA": "\(server.directory)/data", "PGHOST": server.directory, "POSTGRES_DB": Database.name,
            "INITDB_FOLDER": "\(ProgramsTests.root)shared/Tools/StackKit/Bootstrap",
        ].merging(variables) { $1 }
        let pairs = own.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        let result = try await run(
            .path("/bin/sh"),
            arguments: ["\(ProgramsTests.root)deploy/postgres/start.sh"],
            environment: .custom(Dictionary(uniqueKeysWithValues: pairs)),
            output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 16)
        )
        return (result.standardOutput, result.standardError)
    }

    private static func ask(_ database: Database, as role: String, _ sql: String) async throws -> String {
        try await ask(database.url(role: role), sql)
    }

    /// The last value that a statement returns, `ERROR sqlstate`, or `refused` without a connection.
    private static func ask(_ url: String, _ sql: String) async throws -> String {
        let result = try await run(
            .name("psql"),
            arguments: [
                "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=VERBOSITY=sqlstate",
                "--set=ON_ERROR_STOP=1", "--dbname=\(url)", "--command=\(sql)",
            ],
            output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 16)
        )
        let error = result.standardError.split(separator: "\n").first { $0.contains("ERROR") }
        if let error { return "ERROR \(error.suffix(5))" }
        guard result.terminationStatus.isSuccess else { return "refused" }
        return result.standardOutput.split(separator: "\n").last.map(String.init) ?? ""
    }
}
