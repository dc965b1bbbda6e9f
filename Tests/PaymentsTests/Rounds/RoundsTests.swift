import Contracts
import FoundationEssentials
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
        let stubs = RoundStubs.all()
        try await stubs.run { stubsURL in
            // PostgreSQL is killed and not the machine, so its files would survive without fsync. fsync is on so that the
            // test uses the production setting.
            try await CrashHarness.run(schema: "payments", settings: ["fsync": "on"], RoundsService.programs) {
                try RoundsService.program($0, $1, stubsURL: stubsURL)
            } _: { harness, database in
                try await Self.run(plan, harness, database, stubs)
            }
        }
    }

    private static func run(
        _ plan: RoundsPlan,
        _ harness: CrashHarness,
        _ database: PostgresClient,
        _ stubs: StubServices
    ) async throws {
        let (service, record) = (RoundsService(harness: harness), RoundsRecord(RoundObservations()))
        let start = ContinuousClock.now
        try await addProfiles(database)
        let ledger = RoundsLedger(database: database, record: record)
        try await withThrowingTaskGroup(of: Void.self) { watch in
            watch.addTask { await ledger.watch() }
            defer { watch.cancelAll() }
            try await RoundsRun(plan: plan, service: service, record: record).run()
            RoundsRecord.say("over after \(ContinuousClock.now - start); \(record.summary)")
            try await quiet(plan, database)
        }
        await ledger.sample()
        let books = try await RoundsBooks(database, portOneURL: service.portOneURL)
        let held = books.reports.count { $0.paid > $0.cancelled }
        RoundsRecord.say(
            """
            seed \(plan.seed), \(plan.rounds) rounds, \(books.orders.count) orders, \(books.reports.count) \
            payments, of which \(held) have paid for theirs; \(ContinuousClock.now - start)
            """
        )
        #expect(harness.kills(of: "first") > 0 && harness.kills(of: "PostgreSQL") > 0, "processes were killed")
        #expect(held > plan.rounds / 8, "enough payments were made")
        RoundsCheck(record: record, books: books, stubs: RoundStubs(stubs.state.withLock(\.self))).check()
        checkLog(of: harness.server)
    }

    private static func addProfiles(_ database: PostgresClient) async throws {
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
        var reported = start
        while let unfinished = try await RoundsBooks.unfinished(database) {
            try #require(ContinuousClock.now - start < plan.timeout, "\(unfinished) are unfinished")
            if ContinuousClock.now - reported > .seconds(5) {
                RoundsRecord.say("waiting for \(unfinished)")
                reported = .now
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
