import Postgres
import PostgresServer
import Synchronization
import TestKit
import Testing

@testable import Moves
@testable import StackKit

/// The decision of a move is read from the source, whatever has become of the answer to its commit.
@Suite(.timeLimit(.minutes(10))) struct MoveDecisionTests {
    private static let tables = """
        CREATE TABLE rooms (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text);
        INSERT INTO rooms (name) SELECT 'room' FROM generate_series(1, 1000)
        """

    /// The statement, not the word in `READ COMMITTED`.
    private static let commit = "COMMIT\0"

    private static let isClosed: SQL =
        "SELECT EXISTS (SELECT FROM pg_db_role_setting WHERE 'default_transaction_read_only=on' = ANY(setconfig))"

    private final class Reports: Sendable {
        private let state = Mutex<[String]>([])
        var lines: [String] { state.withLock(\.self) }
        func add(_ line: String) { state.withLock { $0.append(line) } }
    }

    @Test(arguments: SilentProxy.Loss.allCases)
    func commitWithoutAnswer_isReadFromTheSource(_ loss: SilentProxy.Loss) async throws {
        try await Self.withCopy { servers, record, proxy in
            let reports = Reports()
            proxy.lose(loss, at: Self.commit)
            _ = try await MoveSwitch(record, limit: .seconds(3)) { reports.add($0) }.run()
            // A commit that has not arrived is undone, and the switch tried again.
            let isAgain = reports.lines.contains { $0.contains("a connection broke; attempt 1") }
            #expect(isAgain == (loss == .request), "\(reports.lines)")
            try await Self.expectDecided(servers)
            #expect(try await servers.onTarget { try await $0.value("SELECT count(*) FROM chat.rooms") } == 1000)
        }
    }

    /// The network stays cut: the command knows nothing, and the target does not open before the decision can be read.
    @Test(arguments: SilentProxy.Loss.allCases)
    func sourceThatStaysAway_leavesTheDecisionToTheNextCommand(_ loss: SilentProxy.Loss) async throws {
        try await Self.withCopy { servers, record, proxy in
            proxy.lose(loss, at: Self.commit, forGood: true)
            let error = await #expect(throws: StackError.self) {
                _ = try await MoveSwitch(record, limit: .seconds(3)) { _ in }.run()
            }
            #expect(error?.description.contains("cannot be used") == true, "\(String(describing: error))")
            #expect(try await servers.onTarget { try await $0.value(Self.isClosed) } == true)
            // The supervisor's, when the source is there again.
            let settlement = try MoveSettlement(try servers.record("chat"))
            let isDecided = try await settlement.isDecided()
            #expect(isDecided == (loss == .answer))
            guard isDecided else {
                try await settlement.undo()
                return try await servers.run("INSERT INTO rooms (name) VALUES ('goes on')", as: "chat")
            }
            try await settlement.open()
            try await Self.expectDecided(servers)
        }
    }

    /// What the subscription has applied is on the target's disk before the source decides.
    @Test func targetThatDiesAfterTheDecision_hasEverything() async throws {
        // Without the flush, the log of the last rows would wait in memory.
        let settings = ["wal_writer_delay": "10s", "synchronous_commit": "off", "wal_writer_flush_after": "100MB"]
        try await MoveServers.run(settings: settings) { servers in
            try await servers.run(Self.tables, as: "chat")
            let record = try await servers.copy(servers.record("chat"))
            try await servers.run("INSERT INTO rooms (name) SELECT 'last' FROM generate_series(1, 100)", as: "chat")
            try await servers.onTarget { there in
                try? await there.transaction { transaction in
                    // The target cannot open meanwhile.
                    try await transaction.execute("LOCK TABLE move_chat.marker IN ACCESS SHARE MODE")
                    let command = Task { try await MoveSwitch(record, limit: .seconds(30)) { _ in }.run() }
                    try await eventually("the source has decided") {
                        try await servers.onSource {
                            try await $0.value("SELECT to_regclass('move_chat.done') IS NOT NULL")
                        }
                    }
                    try await servers.target.kill()
                    _ = await command.result
                }
            }
            let settlement = try MoveSettlement(record)
            #expect(try await settlement.isDecided())
            let away = await #expect(throws: StackError.self) { try await settlement.open() }
            #expect(away?.description.contains("cannot be used") == true)
            // The source has nothing to send again.
            try await settlement.seal()
            try await servers.target.start(detached: false)
            try await settlement.open()
            #expect(try await servers.onTarget { try await $0.value("SELECT count(*) FROM chat.rooms") } == 1100)
        }
    }

    /// An administrator ends the session whose transaction holds the locks. It begins again, and waits for a marker of its
    /// own.
    @Test func endedSession_beginsAgain() async throws {
        try await MoveServers.run { servers in
            try await servers.run(Self.tables, as: "chat")
            let record = try await servers.copy(servers.record("chat"))
            let command = try await servers.onTarget { there in
                try await there.transaction { transaction in
                    // The first marker does not arrive.
                    try await transaction.execute("LOCK TABLE move_chat.marker IN SHARE MODE")
                    let command = Task { try await MoveSwitch(record, limit: .seconds(60)) { _ in }.run() }
                    try await eventually("the session is ended") {
                        try await servers.onSource {
                            try await $0.value(
                                """
                                SELECT count(pg_terminate_backend(pid)) FROM pg_locks
                                WHERE granted AND mode = 'ShareRowExclusiveLock' AND relation = 'chat.rooms'::regclass
                                    AND EXISTS (SELECT FROM move_chat.marker)
                                """,
                                as: Int.self
                            )
                        } == 1
                    }
                    return command
                }
            }
            _ = try await command.value
            try await Self.expectDecided(servers)
        }
    }

    // MARK: Steps

    private static func withCopy(_ body: (MoveServers, MoveRecord, SilentProxy) async throws -> Void) async throws {
        try await MoveServers.run { servers in
            try await servers.run(tables, as: "chat")
            let proxy = try await SilentProxy.start(before: try #require(servers.source.tcpPort))
            var record = try servers.record("chat")
            record.subscription = try await servers.copy(record).subscription
            let away = try servers.record("chat", port: proxy.port)
            record.source = away.source
            do {
                try await body(servers, record, proxy)
            } catch {
                try? await proxy.stop()
                throw error
            }
            try await proxy.stop()
        }
    }

    private static func expectDecided(_ servers: MoveServers) async throws {
        await #expect {
            try await servers.onSource { try await $0.execute("INSERT INTO chat.rooms (name) VALUES ('late')") }
        } throws: {
            ($0 as? PostgresError)?.sqlState == .readOnlyTransaction
        }
        #expect(try await servers.onTarget { try await $0.value(Self.isClosed) } == false)
    }
}
