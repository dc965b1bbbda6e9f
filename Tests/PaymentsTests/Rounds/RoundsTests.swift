import Contracts
import FoundationEssentials
import Logging
import Postgres
import PostgresServer
import Synchronization
import TestKit
import Testing

@testable import Payments

/// People order and pay in every right and wrong way, on two copies of the service, while copies and PostgreSQL are killed and
/// PortOne has bad days. At every moment the ledger balances; and when all is quiet, every won is where it should be.
@Suite(.timeLimit(.minutes(40))) struct RoundsTests {
    @Test func noWonGoesAstray() async throws {
        let plan = RoundsPlan.current
        // PostgreSQL is killed, not the machine under it, so its files would survive without fsync too; it is on so that
        // what is tested is what runs.
        let server = try await TestServer.another(settings: ["shared_buffers": "64MB", "fsync": "on"])
        try await server.start(detached: false)
        do {
            let neighbours = RoundNeighbours.all()
            try await neighbours.run { url in
                let rig = try RoundsRig(server: server, neighboursURL: url)
                do {
                    try await Self.run(plan, rig, neighbours)
                } catch {
                    for part in RoundsRig.Part.allCases { RoundsRecord.say("\(part):\n\(rig.text(part))") }
                    try await rig.shutDown()
                    throw error
                }
                try await rig.shutDown()
            }
        } catch {
            try await server.stop(.immediate)
            throw error
        }
        try await server.stop(.immediate)
    }

    private static func run(_ plan: RoundsPlan, _ rig: RoundsRig, _ neighbours: Neighbours) async throws {
        let configuration = try PostgresConfiguration(
            url: rig.server.adminURL(),
            schema: "payments",
            applicationName: "test"
        )
        let database = PostgresClient(configuration, logger: .quiet)
        let record = RoundsRecord()
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await database.run() }
            defer { group.cancelAll() }
            try await database.execute("CREATE SCHEMA payments")
            for part in [RoundsRig.Part.sandbox, .first, .second] { try await rig.start(part) }
            try await introduce(database)
            let ledger = RoundsLedger(database: database, record: record)
            try await withThrowingTaskGroup(of: Void.self) { watch in
                watch.addTask { await ledger.watch() }
                defer { watch.cancelAll() }
                try await RoundsStorm(plan: plan, rig: rig, record: record).run()
                RoundsRecord.say("over after \(ContinuousClock.now - start); \(record.summary)")
                try await quiet(plan, database)
            }
            await ledger.sample()
            let books = try await RoundsBooks(database, portOneURL: rig.portOneURL)
            let held = books.truth.count { $0.paid > $0.cancelled }
            RoundsRecord.say(
                """
                seed \(plan.seed), \(plan.rounds) rounds, \(books.orders.count) orders, \(books.truth.count) \
                payments, of which \(held) have paid for theirs; \(ContinuousClock.now - start)
                """
            )
            #expect(
                record.count(of: "killed first") > 0 && record.count(of: "killed PostgreSQL") > 0,
                "there was a storm"
            )
            #expect(held > plan.rounds / 8, "people did pay")
            RoundsVerdict(record: record, books: books, told: RoundNeighbours(neighbours.state.withLock(\.self)))
                .check()
            checkLog(of: rig.server)
        }
    }

    private static func introduce(_ database: PostgresClient) async throws {
        for app in ["anlaka", "culture"] {
            let accounts = RoundsPlan.accounts(of: app == "anlaka" ? .anlaka : .culture)
            try await database.execute(
                """
                INSERT INTO people (account_id, app, public_id, nickname)
                SELECT n, \(app), lpad(to_hex(n), 24, '0'), '사람 ' || n
                FROM generate_series(\(accounts.lowerBound), \(accounts.upperBound)) n
                """
            )
        }
    }

    /// Waits until all that is open has come to its end.
    private static func quiet(_ plan: RoundsPlan, _ database: PostgresClient) async throws {
        let start = ContinuousClock.now
        var told = start
        while let unfinished = try await RoundsBooks.unfinished(database) {
            try #require(ContinuousClock.now - start < plan.patience, "\(unfinished) are not at their end")
            if ContinuousClock.now - told > .seconds(5) {
                RoundsRecord.say("waiting for \(unfinished)")
                told = .now
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    /// Nobody ran into another so that PostgreSQL had to part them, and nothing was refused that should not have been tried.
    private static func checkLog(of server: PostgresServer) {
        let log = (try? String(contentsOfFile: "\(server.directory)/server.log", encoding: .utf8)) ?? ""
        let errors = log.split(separator: "\n").filter { $0.contains("ERROR:") }
        for error in Set(errors.map { String($0.drop { $0 != "E" }) }).sorted().prefix(10) {
            RoundsRecord.say("\(error)")
        }
        #expect(!log.isEmpty)
        #expect(!errors.contains { $0.contains("deadlock detected") || $0.contains("violates") })
    }
}
