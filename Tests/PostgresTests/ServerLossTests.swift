import Glibc
import PostgresServer
import ServiceLifecycle
import Synchronization
import TestKit
import Testing

@testable import Postgres

/// Servers that crash or are absent. Each test has a server of its own.
@Suite(.timeLimit(.minutes(5)))
struct ServerLossTests {
    private func outcome(_ body: () async throws -> Void) async -> PostgresError.Kind? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? PostgresError)?.kind
        }
    }

    @Test func serverCrash_failsStatementsInFlight_andLaterOnesSucceed() async throws {
        try await withServer { server, client in
            try await client.execute("CREATE TABLE numbers (n int)")
            let isOpen = Rendezvous(2)
            async let single = outcome { try await client.execute("SELECT pg_sleep(60)") }
            async let transaction = outcome {
                try await client.transaction { transaction in
                    try await transaction.execute("INSERT INTO numbers VALUES (1)")
                    await isOpen.arrive()
                    try await transaction.execute("SELECT pg_sleep(60)")
                }
            }
            await isOpen.arrive()
            try await eventually("both statements run") {
                let running: SQL = """
                    SELECT count(*) FROM pg_stat_activity
                    WHERE state = 'active' AND query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()
                    """
                // A read could wait behind one of them.
                return try await client.transaction { try await $0.one(running) { try $0.decode(Int.self) } } == 2
            }
            try await server.kill()
            #expect(await single == .connectionLost)
            #expect(await transaction == .connectionLost)

            // The statements are sent while the server is down, and answered after its restart.
            async let waiting = client.one("SELECT count(*) FROM numbers") { try $0.decode(Int.self) }
            async let leased = client.transaction { try await $0.execute("INSERT INTO numbers VALUES (2)") }
            try await Task.sleep(for: .milliseconds(100))
            try await server.start(detached: false)
            _ = try await waiting
            #expect(try await leased == 1)
            let kept = try await client.all("SELECT n FROM numbers") { try $0.decode(Int.self) }
            #expect(kept == [2])
            try await client.ping()
        }
    }

    /// libpq learns of the loss while it sends. It forgets what it has sent then, but not an answer that came before.
    @Test func connectionLostWhileSending_failsTheStatements() async throws {
        try await withServer { server, client in
            let configuration = try PostgresConfiguration(url: server.adminURL(), applicationName: "lost")
            let long = String(repeating: "a", count: 400_000)
            for statement in [.one("SELECT \(long)"), .one("SELECT 2"), .none] as [SmallVector<SQL>] {
                for isAnswering in [false, true] {
                    let connection = try await PostgresConnector(configuration: configuration).connect(for: .writing)
                    let first = Submission(.one("SELECT 1"), to: connection)
                    let others = (0..<3).map { _ in Submission(statement, to: connection) }
                    await Self.submit(isAnswering ? first : nil, others, on: connection)
                    if isAnswering { _ = try? await first.answers.value() }
                    for submission in others {
                        let error = await #expect(throws: PostgresError.self) { try await submission.answers.value() }
                        #expect([.connectionLost, .sessionEnded].contains(error?.kind))
                    }
                }
            }
            #expect(try await client.one("SELECT 1") { try $0.decode(Int.self) } == 1)
        }
    }

    /// Ends the connection, and submits before the loop hears of it; or of the answer to the first one.
    @PostgresLoop
    private static func submit(_ first: Submission?, _ others: [Submission], on connection: PostgresConnection) {
        if let first {
            connection.submit(first)
            usleep(100_000)
        }
        // The server ends the session, and nothing more can be sent.
        shutdown(connection.libpq?.socket ?? -1, CInt(SHUT_WR))
        usleep(100_000)
        for submission in others { connection.submit(submission) }
    }

    @Test func serverCrash_keepsAcknowledgedRows_withoutDuplicates() async throws {
        try await withServer { server, client in
            try await client.execute("CREATE TABLE numbers (n int)")
            let outcomes = try await withThrowingTaskGroup(of: (Int, PostgresError.Kind?).self) { group in
                for n in 0..<3000 {
                    group.addTask {
                        if n == 1000 { try await server.kill() }
                        if n == 1000 { try await server.start(detached: false) }
                        return (n, await outcome { try await client.execute("INSERT INTO numbers VALUES (\(n))") })
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = .some($1.1) }
            }
            let rows = try await client.all("SELECT n FROM numbers") { try $0.decode(Int.self) }
            #expect(Set(rows).count == rows.count, "no statement is sent twice")
            for (n, kind) in outcomes {
                switch kind {
                case nil: #expect(rows.contains(n), "\(n) was acknowledged")
                case .connectionLost: break
                case let other: Issue.record("\(n): \(String(describing: other))")
                }
            }
        }
    }

    @Test func listeners_afterRestart_continue() async throws {
        try await withServer { server, client in
            var heard = client.announcer.notifications(on: "news").makeAsyncIterator()
            #expect(await heard.next() == .listening)
            try await server.kill()
            try await server.start(detached: false)
            #expect(await heard.next() == .listening)
            client.announcer.announce([Announcement("again", on: "news")])
            #expect(await heard.next() == .message("again"))
        }
    }

    @Test func absentServer_throwsUnavailable() async throws {
        try await withServer {
            $0.connectTimeout = .milliseconds(300)
        } _: { server, client in
            // The first connection can take longer than the timeout.
            while (try? await client.execute("SELECT 1")) == nil { try Task.checkCancellation() }
            try await server.kill()
            for body in [
                { try await client.execute("SELECT 1") },
                { try await client.transaction { try await $0.execute("SELECT 1") } },
                {
                    try await client.ping()
                    return 0
                },
            ] as [@Sendable () async throws -> Int] {
                var error: PostgresError?
                // Statements in flight at the crash are lost; later ones find no server.
                repeat {
                    error = await #expect(throws: PostgresError.self) { try await body() }
                } while error?.kind == .connectionLost
                #expect(error?.kind == .unavailable)
                let message = error?.message ?? ""
                #expect(message.contains("database postgres on \(server.directory)"), "\(message)")
                #expect(message.contains("Check that PostgreSQL runs there"), "\(message)")
            }
        }
    }

    /// Calls wait minutes for a server that may come, and not for one that is known to be away.
    @Test func knownOutage_failsCallsSoon() async throws {
        try await withServer {
            $0.connectTimeout = .seconds(600)
            $0.outageTimeout = .milliseconds(50)
        } _: { server, client in
            try await eventually { (try? await client.execute("SELECT 1")) == 1 }
            try await server.kill()
            for body in [
                { try await client.execute("SELECT 1") },
                { try await client.execute("CREATE TABLE numbers (n int)") },
                { try await client.transaction { try await $0.execute("SELECT 1") } },
            ] as [@Sendable () async throws -> Int] {
                var error: PostgresError?
                repeat {
                    error = await #expect(throws: PostgresError.self) { try await body() }
                } while error?.kind == .connectionLost
                #expect(error?.kind == .unavailable)
            }
        }
    }

    @Test func terminatedConnections_areReplaced() async throws {
        try await withServer { _, client in
            func backend() async throws -> Int32 {
                try await client.transaction { transaction in
                    try await transaction.one("SELECT pg_backend_pid()") { try $0.decode(Int32.self) }
                }
            }
            let before = try await backend()
            _ = try await client.one(
                """
                SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
                """
            ) { try $0.decode(Int.self) }
            #expect(try await backend() != before)
            for _ in 0..<20 { #expect(try await client.execute("SELECT 1") == 1) }
        }
    }

    /// A session that an administrator ends takes no effect of an unanswered statement with it: that is repeated, and the
    /// caller sees nothing of it.
    @Test func terminatedSessions_loseAndDoubleNoStatement() async throws {
        try await withServer { _, client in
            try await client.execute("CREATE TABLE numbers (n int)")
            let (written, isOver) = ((0..<6).map { _ in Tally() }, Tally())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (task, written) in written.enumerated() {
                    group.addTask {
                        defer { _ = isOver.next() }
                        while isOver.count == 0 {
                            let insert: SQL = "INSERT INTO numbers VALUES (\(Int32(6 * written.count + task)))"
                            switch task % 3 {
                            case 0: try await client.execute(insert)
                            case 1: try await client.transaction { try await $0.execute(insert) }
                            default:
                                try await client.transaction { transaction in
                                    try await transaction.execute("SELECT 1")
                                    try await transaction.execute(insert)
                                }
                            }
                            _ = try await client.one("SELECT 1") { try $0.decode(Int.self) }
                            _ = written.next()
                        }
                    }
                }
                for _ in 0..<40 {
                    let sessions: SQL = "SELECT pid FROM pg_stat_activity WHERE application_name = 'test'"
                    let backends = try await client.all(sessions) { try $0.decode(Int32.self) }
                    for backend in backends { kill(backend, SIGTERM) }
                    let before = written.map(\.count)
                    try await eventually("all go on") {
                        isOver.count > 0 || zip(written, before).allSatisfy { $0.count > $1 }
                    }
                }
                _ = isOver.next()
                try await group.waitForAll()
            }
            let (rows, numbers) = try await client.one("SELECT count(*), count(DISTINCT n) FROM numbers") {
                try $0.decode(Int.self, Int.self)
            }
            #expect(rows == written.map(\.count).reduce(0, +))
            #expect(numbers == rows)
        }
    }

    /// libpq takes an error for a notice that comes before the first statement.
    @Test func sessionEndedAtItsBeginning_runsStatementAgain() async throws {
        try await withServer { server, _ in
            let brief = try BriefServer(before: server)
            defer { brief.close() }
            var configuration = try PostgresConfiguration(
                url: "postgres://postgres@127.0.0.1:\(brief.port)/postgres?sslmode=disable",
                applicationName: "test"
            )
            configuration.sharedConnections = 1
            let client = PostgresClient(configuration, logger: .quiet)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.run() }
                defer { group.cancelAll() }
                let count = try await client.execute("SELECT 1")
                #expect(count == 1)
            }
        }
    }

    @Test func calls_beforeRun_wait() async throws {
        let configuration = try await TestServer.configuration(schema: nil)
        let client = PostgresClient(configuration, logger: .quiet)
        async let early = client.one("SELECT 1") { try $0.decode(Int.self) }
        try await Task.sleep(for: .milliseconds(50))
        let running = Task { try await client.run() }
        #expect(try await early == 1)
        running.cancel()
        try await running.value
        let late = await #expect(throws: PostgresError.self) { try await client.execute("SELECT 1") }
        #expect(late?.kind == .closed)
        let transaction = await #expect(throws: PostgresError.self) {
            try await client.transaction { try await $0.execute("SELECT 1") }
        }
        #expect(transaction?.kind == .closed)
    }

    @Test func calls_withoutRun_throwUnavailable() async throws {
        var configuration = try await TestServer.configuration(schema: nil)
        configuration.connectTimeout = .milliseconds(100)
        let client = PostgresClient(configuration, logger: .quiet)
        let error = await #expect(throws: PostgresError.self) { try await client.execute("SELECT 1") }
        #expect(error?.kind == .unavailable)
        #expect(error?.message.contains("the client is not running yet") == true)
        await #expect(throws: PostgresError.self) { try await client.ping() }
    }

    @Test func refusedConnection_messageHasReason() async throws {
        var configuration = try await TestServer.configuration(schema: nil)
        configuration.connectTimeout = .seconds(2)
        configuration.url.database = "nowhere"
        configuration.directURL.database = "nowhere"
        let client = PostgresClient(configuration, logger: .quiet)
        let running = Task { try await client.run() }
        for _ in 0..<2 {
            let error = await #expect(throws: PostgresError.self) { try await client.execute("SELECT 1") }
            #expect(error?.message.contains("database \"nowhere\" does not exist") == true, "\(error?.message ?? "")")
        }
        let migration = await #expect(throws: PostgresError.self) { try await client.migrate([]) }
        #expect(migration?.message.contains("database \"nowhere\" does not exist") == true)
        running.cancel()
        try await running.value
    }

    @Test func gracefulShutdown_awaitsStatements() async throws {
        let client = PostgresClient(try await TestServer.configuration(schema: nil), logger: .quiet)
        let group = ServiceGroup(services: [client], logger: .quiet)
        let running = Task { try await group.run() }
        _ = try await client.one("SELECT 1") { try $0.decode(Int.self) }
        let isOpen = Rendezvous(2)
        async let single = client.execute("SELECT pg_sleep(0.2)")
        async let transaction = client.transaction { transaction in
            try await transaction.execute("SELECT 1")
            await isOpen.arrive()
            try await transaction.execute("SELECT pg_sleep(0.1)")
            return try await transaction.execute("SELECT 2")
        }
        await isOpen.arrive()
        await group.triggerGracefulShutdown()
        #expect(try await single == 1)
        #expect(try await transaction == 1)
        try await running.value
        await #expect(throws: PostgresError.self) { try await client.execute("SELECT 1") }
    }
}

final class Tally: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }

    func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).newValue }
}
