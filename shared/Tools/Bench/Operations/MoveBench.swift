import FoundationEssentials
import Moves
import Postgres
import PostgresServer
import StackKit
import Synchronization
import Values

/// Chat's schema moves to another server on the same disk while messages are written.
struct MoveBench: BenchSuite {
    let name = "move"
    let summary = "chat's schema moved to another server under 500 messages/s; of 10 M rows with --seconds 50"
    let tools = [BenchTool(command: "psql", package: "postgresql")]
    let runsWhenNamedOnly = true

    private static let rate = 500.0
    private static let senders = 64
    /// The number of messages per second of the duration.
    private static let messages = 200_000
    /// The identity of a request is valid for a minute.
    private static let stretch = Duration.seconds(20)

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try await bench.withPostgres(settings: ["wal_level": "logical"]) { source in
            let target = try PostgresServer(
                directory: "\(bench.scratch)/target",
                port: 0,
                settings: ["shared_buffers": Machine.current.sharedBuffers]
            )
            try await target.start(detached: false)
            do {
                let results = try await measure(from: source, to: target, bench)
                try await target.stop()
                return results
            } catch {
                try? await target.stop(.immediate)
                throw error
            }
        }
    }

    private func measure(
        from source: PostgresServer,
        to target: PostgresServer,
        _ bench: BenchContext
    ) async throws -> [BenchResult] {
        let database = Database(server: source)
        try await database.bootstrap()
        let port = try FreePort.find()
        let url = try database.url(role: "chat")
        // The service creates its tables.
        let first = ServiceFixture(name: "chat", port: port, databaseURL: url)
        try await first.withService(bench) { try await ChatDataset.build(source) }
        let count = max(1, Int(bench.duration / .seconds(1))) * Self.messages
        bench.report("writing \(Figure.text(Double(count))) messages")
        try await fill(source, count)

        let administrator = try ServerURL(target.adminURL(database: Database.name))
        let record = MoveRecord(
            service: "chat",
            source: ServicePlace(administrator: try source.adminURL(database: Database.name), role: url),
            target: ServicePlace(
                administrator: administrator.text,
                role: administrator.of(role: "chat", password: try ServerURL(url).password ?? "bench").text
            ),
            connection: try MoveRole.url(
                of: "chat",
                password: "bench",
                at: ServerURL(source.adminURL(database: Database.name))
            ).text
        )
        let copy = try MoveCopy(record, by: PostgresPrograms(binaries: source.binaries)) { bench.report($0) }
        try await copy.prepare()
        let service = ServiceFixture(name: "chat", port: port, databaseURL: try record.databaseURL)
        let load = ChatLoad(port: port, senders: Self.senders)
        let (answers, pause, took) = try await service.withService(bench) {
            let isMoved = Mutex(false)
            async let answers = Self.write(load) { isMoved.withLock { $0 } }
            let start = ContinuousClock.now
            try await copy.begin { _ in }
            try await copy.complete()
            let pause = try await MoveSwitch(record, limit: .seconds(1)) { bench.report($0) }.run()
            let took = ContinuousClock.now - start
            isMoved.withLock { $0 = true }
            return (try await answers, pause, took)
        }
        let written = try await messages(of: target)
        return [
            BenchResult(name: "copied under \(Int(Self.rate)) messages/s", unit: "s", ours: took / .seconds(1)),
            BenchResult(name: "writes wait", unit: "ms", ours: pause / .milliseconds(1), goal: .atMost(1000)),
            BenchResult(
                name: "the longest answer of \(answers.before.count) while tables are copied on the same disk",
                unit: "ms",
                ours: answers.before.max() ?? 0
            ),
            BenchResult(
                name: "the longest answer of \(answers.around.count) around the switch",
                unit: "ms",
                ours: answers.around.max() ?? 0,
                goal: .atMost(1000)
            ),
            BenchResult(
                name: "lost",
                unit: "messages",
                ours: Double(max(0, count + answers.count - written)),
                goal: .atMost(0)
            ),
        ]
    }

    /// The times of answers, in milliseconds.
    private struct Answers {
        var before: [Double] = []
        /// In the stretch of the switch, and after it.
        var around: [Double] = []
        var count: Int { before.count + around.count }
    }

    /// Writes until the move is done, and for a stretch afterwards.
    private static func write(_ load: ChatLoad, until isMoved: @Sendable () -> Bool) async throws -> Answers {
        var answers = Answers()
        while !isMoved() {
            let times = try await load.run(for: stretch, rate: rate)
            if isMoved() { answers.around += times } else { answers.before += times }
        }
        answers.around += try await load.run(for: .seconds(5), rate: rate)
        return answers
    }

    private func fill(_ server: PostgresServer, _ count: Int) async throws {
        try await server.withClient(of: Database.name) { database in
            try await database.execute(
                """
                INSERT INTO chat.messages (room_id, sequence, sender_id, content, client_id, created_at)
                SELECT id, n, second_id, \(ChatLoad.content), id || '-' || n, now() - make_interval(secs => 1e6 - n)
                FROM chat.rooms, generate_series(1, \(count / ChatDataset.rooms)) n
                """
            )
            let last = count / ChatDataset.rooms
            try await database.execute("UPDATE chat.rooms SET last_sequence = \(last), last_message = \(last)")
            try await database.execute("VACUUM ANALYZE chat.messages")
            // Else the answers would wait for what was written here.
            try await database.execute("CHECKPOINT")
        }
    }

    private func messages(of server: PostgresServer) async throws -> Int {
        try await server.withClient(of: Database.name) {
            try await $0.one("SELECT count(*) FROM chat.messages") { try $0.decode(Int.self) }
        }
    }
}
