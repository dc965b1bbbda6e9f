import Apps
import Authentication
import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import PostgresServer
import ServiceDatabase
import ServiceKit
import ServiceLifecycle
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct ServiceDatabaseTests {
    private static let migrations = [
        Migration(version: 1, name: "notes", sql: Array("CREATE TABLE notes (text text NOT NULL)".utf8))
    ]

    private func application(
        _ database: PostgresClient,
        services: [any Service] = [],
        onlyMigrates: Bool = false
    ) throws -> some ApplicationProtocol {
        var configuration = HostConfiguration(.seats, port: 0)
        configuration.onlyMigrates = onlyMigrates
        return try ServiceHost.application(
            "test",
            configuration: configuration,
            database: database,
            migrations: Self.migrations,
            apiDocument: Array("{}".utf8),
            services: services,
            logger: .quiet,
            routes: { router in
                router.app(.seatcatcher).post("notes") { request, _ in
                    let text = String(buffer: try await request.body.collect(upTo: 1024))
                    try await database.execute("INSERT INTO notes (text) VALUES (\(text))")
                    return Response.empty(.created)
                }
                router.app(.seatcatcher).get("standby") { _, _ in
                    try await database.transaction { transaction in
                        try await transaction.execute("SET LOCAL transaction_read_only = on")
                        try await transaction.execute("INSERT INTO notes (text) VALUES ('')")
                    }
                    return Response.empty(.ok)
                }
                router.app(.seatcatcher).get("defect") { _, _ in
                    try await database.execute("SELECT no_such_column FROM notes")
                    return Response.empty(.ok)
                }
            }
        )
    }

    /// A service that reads a migrated table as soon as it runs.
    private struct Reader: Service {
        let database: PostgresClient
        let outcome: AsyncStream<Bool>.Continuation

        func run() async throws {
            outcome.yield((try? await database.execute("SELECT text FROM notes")) != nil)
            try await gracefulShutdown()
        }
    }

    @Test(.database()) func services_startAfterMigrations() async throws {
        let database = PostgresClient(TestDatabase.current.configuration, logger: .quiet)
        let (outcomes, outcome) = AsyncStream<Bool>.makeStream()
        let application = try application(database, services: [Reader(database: database, outcome: outcome)])
        try await application.test(.router) { _ in
            for await isValid in outcomes.prefix(1) { #expect(isValid) }
        }
    }

    @Test(.database()) func serviceThatOnlyMigrates_endsWithItsSchema_beforeAnythingElse() async throws {
        let database = PostgresClient(TestDatabase.current.configuration, logger: .quiet)
        let (outcomes, outcome) = AsyncStream<Bool>.makeStream()
        let reader = Reader(database: database, outcome: outcome)
        let application = try application(database, services: [reader], onlyMigrates: true)
        await #expect(throws: ServiceHost.SchemaUpToDate.self) { try await application.run() }
        outcome.finish()
        for await _ in outcomes { Issue.record("the service has started") }
        #expect(try await TestDatabase.current.client.execute("SELECT text FROM notes") == 0)
    }

    @Test func service_databaseDown_returns503_andRecovers() async throws {
        let server = try await TestServer.another(settings: ["fsync": "off"])
        try await server.start(detached: false)
        var configuration = try PostgresConfiguration(url: server.adminURL(), applicationName: "test")
        // A busy machine takes longer than usual; in a known outage calls wait for a second only.
        configuration.connectTimeout = .seconds(20)
        let database = PostgresClient(configuration, logger: .quiet)
        try await application(database).test(.router) { client in
            let phone = ServiceClient(client, to: .seats, app: .seatcatcher)
            let process = ServiceClient(client, to: .seats, process: .stack)
            #expect(try await phone.send(.post, "/notes", json: "a").status == .created)
            // A check fails if no answer comes within half a second.
            try await eventually("it is ready") { try await process.send(.get, "/readyz").status == .ok }

            try await server.kill()
            let refused = try await phone.send(.post, "/notes", json: "b")
            #expect(refused.status == .serviceUnavailable)
            #expect(refused.headers[.retryAfter] == "1")
            #expect(try await process.send(.get, "/readyz").status == .serviceUnavailable)
            #expect(try await process.send(.get, "/healthz").status == .ok)

            try await server.start(detached: false)
            while try await process.send(.get, "/readyz").status != .ok { try await Task.sleep(for: .milliseconds(20)) }
            #expect(try await phone.send(.post, "/notes", json: "c").status == .created)
        }
        try await server.stop(.immediate)
    }

    @Test(.database(migrations)) func databaseErrors_mapTo400And500And503() async throws {
        try await application(PostgresClient(TestDatabase.current.configuration, logger: .quiet)).test(.router) {
            client in
            let phone = ServiceClient(client, to: .seats, app: .seatcatcher)
            let unstorable = try await phone.send(.post, "/notes", json: "a\u{0}b")
            #expect(unstorable.status == .badRequest)
            let defect = try await phone.send(.get, "/defect")
            #expect(defect.status == .internalServerError)
            let standby = try await phone.send(.get, "/standby")
            #expect(standby.status == .serviceUnavailable)
            #expect(standby.headers[.retryAfter] == "1")
        }
    }

    @Test(.database(migrations)) func prune_deletesAllMatchingRowsInBatches() async throws {
        let database = TestDatabase.current.client
        try await database.execute("INSERT INTO notes SELECT 'note ' || number FROM generate_series(1, 95) AS number")
        let deleted = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask { try await database.prune("notes", where: "text <> 'note 7'", inBatchesOf: 10) }
            }
            return try await group.reduce(0, +)
        }
        #expect(deleted == 94)
        #expect(try await database.all("SELECT text FROM notes") { try $0.decode(String.self) } == ["note 7"])
    }
}
