import AppClients
import Apps
import FoundationEssentials
import Glibc
import Postgres
import PostgresServer
import Synchronization
import TestKit
import Testing

@testable import Moves
@testable import Stack
@testable import StackKit

/// Chat's schema moves between two real servers while it is used.
@Suite(.timeLimit(.minutes(20)), .stack) struct MoveCommandTests {
    private var fixture: StackFixture { .current }

    @Test func moves_loseNoMessage() async throws {
        try await withTarget { target in
            let url = try url(of: target)
            let unstarted = try await fixture.run("move", "chat", "--to", url)
            #expect(!unstarted.isSuccess && unstarted.text.contains("chat does not run; start it with: stack up"))
            try await up()
            let room = try await MoveRoom(fixture)
            try await room.messages.whileWriting {
                try await refusalsChangeNothing(target)
                try await chatMovesThere(target)
                try await chatGoesOnThere(room)
                try await chatMovesBack()
                try await consoleMovesThereAndBack(target)
            }
            #expect(room.messages.failures == [])
            try await room.requireAll()
            #expect(try await fixture.run("status").isSuccess)
        }
    }

    /// The command is killed while the tables are copied, while writes wait, after the source has decided, and while the
    /// service is replaced.
    @Test func killedMoves_leaveOneServerThatAcceptsWrites() async throws {
        try await withTarget { target in
            try await up()
            let room = try await MoveRoom(fixture)
            try await room.messages.whileWriting {
                try await interruptedMoveStays(target)
                try await killedMove(to: target, ends: false) { log, kill in
                    try await holdingCopy(during: log) { kill() }
                }
                try await killedMove(to: target, ends: false) { log, kill in
                    try await holding("EXCLUSIVE", on: target, during: log) {
                        try await eventually("writes wait") { try await isFencing() }
                        kill()
                    }
                }
                try await killedMove(to: target, ends: true) { log, kill in
                    try await holding("ACCESS SHARE", on: target, during: log) {
                        try await eventually("the source has decided") { try await isDecided() }
                        kill()
                    }
                }
                let back = try await fixture.run("move", "chat", "--to", "local")
                #expect(back.isSuccess, "\(back.text)")
                try await dropFormerCopy(on: target)
                try await killedMove(to: target, ends: true) { _, kill in
                    try await eventually("a new copy starts after the decision") {
                        guard try fixture.folder.moves.first?.phase == .done else { return false }
                        return fixture.folder.processes.count { $0.executable == "chat" } == 2
                    }
                    kill()
                }
            }
            try await room.requireAll()
        }
    }

    // MARK: Steps

    private func up() async throws {
        let limits = ["RATE_ADDRESS": "0", "RATE_ACCOUNT": "0", "RATE_SIGN_IN": "0", "TRACES_KEPT": "1"]
        let up = try await fixture.run("up", variables: limits)
        try #require(up.isSuccess, "\(up.text)")
    }

    private func refusalsChangeNothing(_ target: PostgresServer) async throws {
        let chat = fixture.folder.pidFile(of: "chat").process
        let own = try PostgresServer(directory: fixture.folder.postgres)
        let url = try ServerURL(url(of: target))
        try await withClient(target, "postgres") { database in
            _ = try await database.execute("CREATE ROLE guest LOGIN PASSWORD 'guest'")
        }
        var nowhere = url
        nowhere.servers[0].port = "9"
        let refusals = [
            ("kakao", url.text, "there is no service kakao to move; there are console, auth, "),
            ("chat", "http://10.0.0.7", "the URL has another form than postgres://"),
            ("chat", nowhere.text, "127.0.0.1:9 cannot be used"),
            ("chat", try own.adminURL(), "is the server that has chat already"),
            ("chat", url.of(role: "guest", password: "guest").text, "is no superuser"),
        ]
        for pause in ["0", "61", "nan", "soon"] {
            let move = try await fixture.run("move", "chat", "--to", url.text, "--pause", pause)
            #expect(!move.isSuccess && move.text.contains("--pause"), "\(move.text)")
        }
        for (service, to, sentence) in refusals {
            let move = try await fixture.run("move", service, "--to", to)
            #expect(!move.isSuccess && move.text.contains(sentence), "\(move.text)")
        }
        let unreachable = try await fixture.run("move", "chat", "--to", url.text, "--from", "127.0.0.1:9")
        #expect(!unreachable.isSuccess && unreachable.text.contains("cannot reach the present server"))
        #expect(unreachable.text.contains("chat stays at") && unreachable.text.contains("nothing was changed"))

        try await withClient(target, "postgres") { _ = try await $0.execute("CREATE DATABASE madang") }
        try await withClient(target, "madang") { database in
            try await database.execute("CREATE SCHEMA chat")
            try await database.execute("CREATE TABLE chat.rooms ()")
        }
        let taken = try await fixture.run("move", "chat", "--to", url.text)
        #expect(!taken.isSuccess && taken.text.contains("has tables of chat already"), "\(taken.text)")
        try await withClient(target, "postgres") { _ = try await $0.execute("DROP DATABASE madang") }
        #expect(fixture.folder.pidFile(of: "chat").process == chat)
        #expect(try fixture.folder.moves.isEmpty)
    }

    private func chatMovesThere(_ target: PostgresServer) async throws {
        let url = try url(of: target)
        // A standby that is away.
        let both = url.replacing("/madang", with: ",127.0.0.1:9/madang")
        let (process, log) = try fixture.start("move", "chat", "--to", both)
        try await eventually("it has begun") { try !fixture.folder.moves.isEmpty }
        let second = try await fixture.run("move", "auth", "--to", url)
        #expect(!second.isSuccess && second.text.contains("(process \(process.pid))"), "\(second.text)")
        // The target opens late: calls wait for it longer than in an outage.
        try await printed("begins", by: log)
        try await holding("ACCESS SHARE", on: target, during: log) {
            try await eventually("the source has decided") { try await isDecided() }
            try await Task.sleep(for: .seconds(2))
        }
        #expect(try await fixture.ending(of: process) == "exit code 0", "\(log.lastLines(40))")
        #expect(log.lastLines(40).contains { $0.contains("writes have waited for") }, "\(log.lastLines(40))")
        try await requireOnlyOneAccepts(target, isMoved: true)
    }

    private func chatGoesOnThere(_ room: MoveRoom) async throws {
        let status = try await fixture.run("status")
        #expect(status.isSuccess && status.text.contains("chat is in the database at 127.0.0.1:"), "\(status.text)")
        let upgrade = try await fixture.run("upgrade", "chat")
        #expect(upgrade.isSuccess, "\(upgrade.text)")
        // The identity of rooms goes on after the largest one.
        try await room.openAnother()
        let process = try #require(fixture.folder.pidFile(of: "chat").process)
        let url = try #require(process.variable("DATABASE_URL"))
        #expect(try url == fixture.folder.place(of: "chat")?.role)
        #expect(try ServerURL(url).servers.map(\.port).last == "9")
    }

    private func chatMovesBack() async throws {
        let back = try await fixture.run("move", "chat", "--to", "local")
        #expect(back.isSuccess, "\(back.text)")
        #expect(try fixture.folder.place(of: "chat") == nil)
    }

    /// The console gets spans, for which it has a partition per hour, while it moves.
    private func consoleMovesThereAndBack(_ target: PostgresServer) async throws {
        for place in [try url(of: target), "local"] {
            let name = place == "local" ? "kim" : "lee"
            let invitation = try await fixture.run("console", "--name", name)
            #expect(invitation.isSuccess, "\(invitation.text)")
            let move = try await fixture.run("move", "console", "--to", place)
            #expect(move.isSuccess, "\(move.text)")
            let server = try place == "local" ? PostgresServer(directory: fixture.folder.postgres) : target
            let (invitations, spans) = try await withClient(server, "madang") { database in
                try await database.one(
                    """
                    SELECT (SELECT count(*) FROM console.invitations WHERE name = \(name)),
                        (SELECT count(*) FROM console.spans)
                    """
                ) { try $0.decode(Int.self, Int.self) }
            }
            #expect(invitations == 1 && spans > 0, "\(place): \(invitations), \(spans)")
        }
    }

    private func interruptedMoveStays(_ target: PostgresServer) async throws {
        let (move, log) = try fixture.start("move", "chat", "--to", try url(of: target))
        try await holdingCopy(during: log) { move.send(SIGINT) }
        #expect(try await fixture.ending(of: move) == "exit code 1")
        #expect(log.lastLines(20).contains { $0.contains("what the move had made is removed") }, "\(log.lastLines(40))")
        try await requireOnlyOneAccepts(target, isMoved: false)
    }

    private func killedMove(
        to target: PostgresServer,
        ends isMoved: Bool,
        when reached: (LogFile, _ kill: () -> Void) async throws -> Void
    ) async throws {
        let (move, log) = try fixture.start("move", "chat", "--pause", "30", "--to", try url(of: target))
        try await reached(log) { move.send(SIGKILL) }
        _ = try await fixture.ending(of: move)
        // By the supervisor.
        try await eventually("the move is settled", within: .seconds(240)) { try fixture.folder.moves.isEmpty }
        try await requireOnlyOneAccepts(target, isMoved: isMoved)
        try await fixture.waitUntilReady()
    }

    // MARK: States

    private func withTarget(_ body: (PostgresServer) async throws -> Void) async throws {
        let target = try PostgresServer.temporary(port: 0, settings: ["wal_level": "logical"])
        try await target.start(detached: false)
        do {
            try await body(target)
        } catch {
            try? await target.stop(.immediate)
            throw error
        }
        try await target.stop(.immediate)
    }

    /// By TCP, as of a server elsewhere.
    private func url(of target: PostgresServer) throws -> String {
        "postgres://postgres:\(target.password ?? "")@127.0.0.1:\(try #require(target.tcpPort))/madang"
    }

    private func withClient<Value: Sendable>(
        _ server: PostgresServer,
        _ database: String,
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value {
        try await Administrator(url: ServerURL(server.adminURL(database: database)), name: "test").connect(body)
    }

    private func withSource<Value: Sendable>(_ body: (PostgresClient) async throws -> Value) async throws -> Value {
        try await withClient(PostgresServer(directory: fixture.folder.postgres), "madang", body)
    }

    private func printed(_ text: String, by log: LogFile) async throws {
        try await eventually("it has printed \(text)", within: .seconds(240)) {
            log.lastLines(40).contains { $0.contains(text) }
        }
    }

    private struct RolledBack: Error {}

    /// Creates the first schema that the command has to create, without a commit, so that it goes no further.
    private func holdingCopy(during log: LogFile, until state: () async throws -> Void) async throws {
        try await withSource { database in
            do {
                try await database.transaction { transaction in
                    try await transaction.execute("CREATE SCHEMA move_chat")
                    try await printed("begins", by: log)
                    try await state()
                    throw RolledBack()
                }
            } catch is RolledBack {}
        }
    }

    /// Locks the target's marker once the tables are copied, until `state` is reached; the killed command needs no lock.
    private func holding(
        _ mode: String,
        on target: PostgresServer,
        during log: LogFile,
        until state: () async throws -> Void
    ) async throws {
        try await withClient(target, "madang") { database in
            try await database.transaction { transaction in
                try await puttingOffSwitch {
                    try await printed("analyzed", by: log)
                    try await transaction.execute(SQL(text: "LOCK TABLE move_chat.marker IN \(mode) MODE"))
                }
                try await state()
            }
        }
    }

    /// The switch cannot lock the source's tables, and is tried again each second.
    private func puttingOffSwitch(_ body: () async throws -> Void) async throws {
        try await withSource { database in
            try await database.transaction { transaction in
                try await transaction.execute("LOCK TABLE chat.rooms IN ROW EXCLUSIVE MODE")
                try await body()
            }
        }
    }

    private func isFencing() async throws -> Bool {
        try await withSource {
            try await $0.value(
                """
                SELECT EXISTS (SELECT FROM pg_locks WHERE granted AND mode = 'ShareRowExclusiveLock'
                    AND relation = 'chat.messages'::regclass)
                """
            )
        }
    }

    private func isDecided() async throws -> Bool {
        try await withSource { try await $0.value("SELECT to_regclass('move_chat.done') IS NOT NULL") }
    }

    /// Also, nothing is left that keeps the write-ahead log.
    private func requireOnlyOneAccepts(_ target: PostgresServer, isMoved: Bool) async throws {
        let left = try await withSource { source in
            if isMoved {
                let name: String = try await source.value(
                    "SELECT max(nspname)::text FROM pg_namespace WHERE nspname LIKE 'chat\\_moved\\_%'"
                )
                await #expect {
                    try await source.execute("UPDATE \(identifier: name).rooms SET last_sequence = 0")
                } throws: {
                    ($0 as? PostgresError)?.sqlState == .readOnlyTransaction
                }
            }
            return try await source.one(
                """
                SELECT (SELECT count(*) FROM pg_replication_slots), (SELECT count(*) FROM pg_publication),
                    (SELECT count(*) FROM pg_namespace WHERE nspname = 'move_chat'),
                    (SELECT rolcanlogin FROM pg_roles WHERE rolname = 'chat')
                """
            ) { try $0.decode(Int.self, Int.self, Int.self, Bool.self) }
        }
        #expect(left == (0, 0, 0, !isMoved))
        let copy = try await withClient(target, "madang") { target in
            try await target.one(
                """
                SELECT (SELECT count(*) FROM pg_subscription), to_regclass('chat.rooms') IS NOT NULL,
                    (SELECT count(*) FROM pg_db_role_setting WHERE 'default_transaction_read_only=on' = ANY(setconfig))
                """
            ) { try $0.decode(Int.self, Bool.self, Int.self) }
        }
        #expect(copy == (0, isMoved, isMoved ? 0 : 1))
    }

    /// A move back has fenced it, and keeps it.
    private func dropFormerCopy(on target: PostgresServer) async throws {
        try await withClient(target, "madang") { database in
            let name: String = try await database.value(
                "SELECT max(nspname)::text FROM pg_namespace WHERE nspname LIKE 'chat\\_moved\\_%'"
            )
            try await database.execute("DROP SCHEMA \(identifier: name) CASCADE")
        }
    }
}
