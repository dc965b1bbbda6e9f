import CoreMetrics
import Logging
import NATS
import NIOCore
import Postgres
import PostgresServer
import ServiceDatabase
import ServiceKit
import Synchronization
import TestKit
import Testing
import Values

@Suite(.database(), .timeLimit(.minutes(2)))
struct NATSAnnouncerTests {
    private static var limits: NATSAnnouncer.Limits {
        var limits = NATSAnnouncer.Limits()
        // A busy machine takes longer than a client waits.
        limits.client.silence = .seconds(30)
        limits.client.backoff = .init(from: .milliseconds(5), to: .milliseconds(20))
        limits.pauseWhileLost = .milliseconds(20)
        return limits
    }

    /// The announcer of a copy, which runs while `body` runs.
    private static func with(
        _ url: String,
        limits: NATSAnnouncer.Limits = limits,
        _ body: (any Announcer) async throws -> Void
    ) async throws {
        let configuration = TestDatabase.current.configuration
        let announcer = configuration.announcer(at: try NATSConfiguration(url: url), limits: limits)(.quiet)
        let running = Task { await announcer.run() }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(announcer))
        } catch {
            outcome = .failure(error)
        }
        running.cancel()
        await running.value
        try outcome.get()
    }

    private static func nowhere() throws -> String { "nats://127.0.0.1:\(try FreePort.find())" }

    /// The next message, after any hints to reload.
    private static func message(_ heard: inout AsyncStream<PostgresNotification>.Iterator) async -> String? {
        while let next = await heard.next(isolation: #isolation) {
            if case .message(let text) = next { return text }
        }
        return nil
    }

    @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed: apt-get install nats-server"))
    func announcements_reachCopiesThatWatch() async throws {
        try await NATSServer.with { server in
            try await Self.with(server.url) { one in
                try await Self.with(server.url) { two in
                    var heard = two.notifications(on: "a \"b\"").makeAsyncIterator()
                    var other = two.notifications(on: "other").makeAsyncIterator()
                    var own = one.notifications(on: "a \"b\"").makeAsyncIterator()
                    for _ in 0..<2 { one.watch("nothing", on: "a \"b\"") }
                    #expect(await heard.next() == .listening)
                    #expect(await other.next() == .listening)
                    #expect(await own.next() == .listening)
                    two.watch("room/7", on: "a \"b\"")
                    two.watch("room/7", on: "a \"b\"")
                    two.watch("car/x.y/*", on: "a \"b\"")
                    await two.confirmWatches()
                    one.announce([
                        Announcement("8", on: "a \"b\"", about: ["room/8"]),
                        Announcement("7", on: "a \"b\"", about: ["room/9", "room/7"]),
                        Announcement("not here", on: "other", about: ["room/7"]),
                        Announcement("car", on: "a \"b\"", about: ["car/x.y/3"]),
                        Announcement("no car", on: "a \"b\"", about: ["car/x.z/3"]),
                        Announcement("all", on: "a \"b\""),
                        Announcement("there", on: "other"),
                    ])
                    for text in ["7", "car", "all"] { #expect(await Self.message(&heard) == text) }
                    #expect(await Self.message(&other) == "there")
                    for text in ["8", "7", "car", "no car", "all"] { #expect(await Self.message(&own) == text) }
                    two.unwatch("room/7", on: "a \"b\"")
                    await two.drain()
                    one.announce([Announcement("still", on: "a \"b\"", about: ["room/7"])])
                    #expect(await Self.message(&heard) == "still")
                    two.unwatch("room/7", on: "a \"b\"")
                    await two.drain()
                    one.announce([
                        Announcement("gone", on: "a \"b\"", about: ["room/7"]), Announcement("end", on: "a \"b\""),
                    ])
                    #expect(await Self.message(&heard) == "end")
                }
            }
        }
    }

    @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed: apt-get install nats-server"))
    func otherDatabase_andOtherPrefix_hearNothing() async throws {
        try await NATSServer.with { server in
            try await Self.with(server.url) { one in
                try await Self.with("\(server.url)?prefix=other") { stranger in
                    try await Self.with(server.url) { two in
                        var heard = two.notifications(on: "c").makeAsyncIterator()
                        var strange = stranger.notifications(on: "c").makeAsyncIterator()
                        #expect(await heard.next() == .listening)
                        #expect(await strange.next() == .listening)
                        one.announce([Announcement("1", on: "c")])
                        #expect(await Self.message(&heard) == "1")
                        stranger.announce([Announcement("own", on: "c")])
                        #expect(await Self.message(&strange) == "own")
                    }
                }
            }
        }
    }

    @Test func withoutServer_subscribersReloadAgainAndAgain_andHearTheirOwn() async throws {
        try await Self.with(try Self.nowhere()) { announcer in
            try await announcer.check()
            var heard = announcer.notifications(on: "c").makeAsyncIterator()
            for _ in 0..<5 { #expect(await heard.next() == .listening) }
            announcer.watch("room/7", on: "c")
            await announcer.confirmWatches()
            announcer.announce([Announcement("7", on: "c", about: ["room/7"])])
            #expect(await Self.message(&heard) == "7")
        }
    }

    /// Another copy may be without a connection.
    @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed: apt-get install nats-server"))
    func withServer_subscribersReloadNowAndThen() async throws {
        var limits = Self.limits
        limits.pausesWhileConnected = 2
        try await NATSServer.with { server in
            try await Self.with(server.url, limits: limits) { announcer in
                var heard = announcer.notifications(on: "c").makeAsyncIterator()
                for _ in 0..<5 { #expect(await heard.next() == .listening) }
            }
        }
    }

    /// The subject without a channel says that the others must reload.
    @Test func copyThatHasLostAnnouncements_makesOthersReload() async throws {
        let port = try FreePort.find()
        let database = TestDatabase.current.configuration
        let root = "madang.\(database.database).\(database.schema ?? "")"
        try await Self.with("nats://127.0.0.1:\(port)") { announcer in
            var own = announcer.notifications(on: "c").makeAsyncIterator()
            #expect(await own.next() == .listening)
            announcer.announce([Announcement("lost", on: "c")])
            let server = try await ScriptedServer.start(port: port)
            try await eventually { server.lines.contains("PUB \(root) 0") }
            #expect(server.lines.contains("SUB \(root) 1"))
            #expect(!server.lines.contains { $0.hasPrefix("PUB \(root).c") })
            try await server.stop()
        }
        var quiet = Self.limits
        quiet.pauseWhileLost = .seconds(3600)
        let server = try await ScriptedServer.start()
        try await Self.with("nats://127.0.0.1:\(server.port)", limits: quiet) { announcer in
            var heard = announcer.notifications(on: "c").makeAsyncIterator()
            #expect(await heard.next() == .listening)
            for text in ["one", "two"] {
                server.send("MSG \(root) 1 0\r\n\r\nMSG \(root).c 3 3\r\n\(text)\r\n")
                #expect(await heard.next() == .listening)
                #expect(await heard.next() == .message(text))
            }
            #expect(!server.lines.contains { $0.hasPrefix("PUB") && !$0.hasPrefix("PUB \(root).= ") })
        }
        try await server.stop()
    }

    @Test func signs_areGivenUntilTheCopyTakesItsLeave() async throws {
        let server = try await ScriptedServer.start()
        var limits = Self.limits
        limits.sign = .milliseconds(5)
        try await Self.with("nats://127.0.0.1:\(server.port)", limits: limits) { announcer in
            try await eventually { server.lines.count { $0.hasPrefix("+") } > 5 }
            #expect(Set(server.lines.filter { $0.hasPrefix("+") }).count == 1)
            await announcer.drain()
            try await eventually { server.lines.contains { $0.hasPrefix("-") } }
            try await Task.sleep(for: limits.sign * 20)
            #expect(server.lines.last { $0.hasPrefix("+") || $0.hasPrefix("-") }?.first == "-")
        }
        try await server.stop()
    }

    /// It may be behind a broken route between two servers, too, and is heard by some copies only.
    @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed: apt-get install nats-server"))
    func copyThatIsNotHeard_makesOthersReload() async throws {
        var limits = Self.limits
        limits.pausesWhileConnected = .max
        (limits.sign, limits.silence) = (.milliseconds(20), .milliseconds(400))
        try await NATSServer.with { server in
            let signs = Mutex<Set<String>>([])
            let watcher = NATSClient(try NATSConfiguration(url: server.url), name: "test", logger: .quiet) { event, _ in
                if case .message(_, let sign) = event { signs.withLock { _ = $0.insert(sign) } }
            }
            watcher.subscribe(to: "madang.>")
            let watching = Task { await watcher.run() }
            defer { watching.cancel() }
            try await Self.with(server.url, limits: limits) { one in
                var heard = one.notifications(on: "c").makeAsyncIterator()
                #expect(await heard.next() == .listening)
                try await Self.with(server.url, limits: limits) { two in
                    try await eventually("both give signs") { signs.withLock { $0.count == 2 } }
                    // It comes after the sign.
                    two.announce([Announcement("1", on: "c")])
                    #expect(await Self.message(&heard) == "1")
                }
                for _ in 0..<3 { #expect(await heard.next() == .listening) }
            }
        }
    }

    @Test func end_endsSubscriptions() async throws {
        var late: (any Announcer)?
        var heard: AsyncStream<PostgresNotification>?
        try await Self.with(try Self.nowhere()) { announcer in
            heard = announcer.notifications(on: "c")
            late = announcer
        }
        for await _ in try #require(heard) {}
        for await _ in try #require(late).notifications(on: "c") {}
    }

    // MARK: The client of the database

    @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed: apt-get install nats-server"))
    func client_withNATS_opensNoConnectionForAnnouncements() async throws {
        try await NATSServer.with { server in
            var configuration = TestDatabase.current.configuration
            configuration.cache = nil
            configuration.applicationName = "nats-\(UInt64.random(in: 0 ... .max))"
            configuration.announcer = configuration.announcer(at: try NATSConfiguration(url: server.url))
            let client = PostgresClient(configuration, logger: .quiet)
            let running = Task { try await client.run() }
            var heard = client.announcer.notifications(on: "c").makeAsyncIterator()
            #expect(await heard.next() == .listening)
            try await client.transaction { transaction in
                try await transaction.execute("SELECT 1")
                transaction.announce([Announcement("1", on: "c")])
            }
            #expect(await Self.message(&heard) == "1")
            let listening = try await TestDatabase.current.client.one(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE application_name = \(configuration.applicationName)
                    AND (query LIKE 'LISTEN%' OR query LIKE '%pg_notify%')
                """
            ) { try $0.decode(Int.self) }
            #expect(listening == 0)
            running.cancel()
            try await running.value
        }
    }

    @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed: apt-get install nats-server"))
    func wrongCredentials_areSaid_beforeTheDatabaseIsTouched() async throws {
        try await NATSServer.with(["--auth", "t0ken"]) { server in
            var configuration = TestDatabase.current.configuration
            configuration.announcer = configuration.announcer(
                at: try NATSConfiguration(url: server.url),
                limits: Self.limits
            )
            let client = PostgresClient(configuration, logger: .quiet)
            let error = await #expect(throws: NATSRefusal.self) {
                try await client.migrate([Migration(version: 1, name: "x", sql: Array("CREATE TABLE x (id int)".utf8))])
            }
            #expect(error?.description.contains("127.0.0.1:\(server.port) answers: Authorization Violation") == true)
            let tables = try await TestDatabase.current.client.one("SELECT to_regclass('x') IS NULL") {
                try $0.decode(Bool.self)
            }
            #expect(tables)
        }
    }

    @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed: apt-get install nats-server"))
    func announcements_areTimed() async throws {
        let registry = MetricsRegistry()
        func count() throws -> Int {
            let lines = registry.exposition().split(separator: "\n")
            let line = lines.first { $0.hasPrefix("announcement_seconds_count ") }
            return try #require(line?.split(separator: " ").last.flatMap { Int($0) })
        }
        var limits = Self.limits
        limits.measurement = .milliseconds(1)
        try await withMetricsFactory(registry) {
            try await NATSServer.with { server in
                try await Self.with(server.url, limits: limits) { _ in
                    try await eventually("announcements are measured") { try count() >= 3 }
                }
            }
        }
    }

    @Test func withoutAServer_noAnnouncementIsTimed() async throws {
        let registry = MetricsRegistry()
        var limits = Self.limits
        limits.measurement = .milliseconds(1)
        try await withMetricsFactory(registry) {
            try await Self.with(Self.nowhere(), limits: limits) { announcer in
                var heard = announcer.notifications(on: "a").makeAsyncIterator()
                for _ in 0..<3 { #expect(await heard.next() == .listening) }
            }
        }
        #expect(registry.exposition().contains("announcement_seconds_count 0"))
    }
}
