import Contracts
import FoundationEssentials
import Logging
import Postgres
import PostgresServer
import Synchronization
import TestKit
import Testing

@testable import Payments

/// Accounts order and pay correctly and incorrectly on two copies of the service, while copies and PostgreSQL are killed
/// and PortOne fails. The ledger balances at every moment, and in the end every payment is settled or refunded.
@Suite(.timeLimit(.minutes(40))) struct RoundsTests {
    @Test func randomOrdersUnderCrashes_settleEveryPayment() async throws {
        let plan = RoundsPlan.current
        // PostgreSQL is killed and not the machine, so its files would survive without fsync. fsync is on so that the
        // test uses the production setting.
        let server = try await TestServer.another(settings: ["shared_buffers": "64MB", "fsync": "on"])
        try await server.start(detached: false)
        do {
            let stubs = RoundStubs.all()
            try await stubs.run { url in
                let rig = try RoundsRig(server: server, stubsURL: url)
                do {
                    try await Self.run(plan, rig, stubs)
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

    private static func run(_ plan: RoundsPlan, _ rig: RoundsRig, _ stubs: StubServices) async throws {
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
            try await addProfile(database)
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
                "processes were killed"
            )
            #expect(held > plan.rounds / 8, "enough payments were made")
            RoundsVerdict(record: record, books: books, told: RoundStubs(stubs.state.withLock(\.self))).check()
            checkLog(of: rig.server)
        }
    }

    private static func addProfile(_ database: PostgresClient) async throws {
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

    /// Waits until no order, webhook, refund, payment or delivery is pending.
    private static func quiet(_ plan: RoundsPlan, _ database: PostgresClient) async throws {
        let start = ContinuousClock.now
        var told = start
        while let unfinished = try await RoundsBooks.unfinished(database) {
            try #require(ContinuousClock.now - start < plan.timeout, "\(unfinished) are unfinished")
            if ContinuousClock.now - told > .seconds(5) {
                RoundsRecord.say("waiting for \(unfinished)")
                told = .now
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    /// PostgreSQL logged no deadlock and no constraint violation.
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
