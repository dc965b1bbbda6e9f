import Contracts
import FoundationEssentials
import Postgres
import Profiles
import TestKit
import Testing
import Values

@testable import Community

/// Attendances of more than a year are counted, and have no rows.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct AttendanceRetentionTests {
    private var database: PostgresClient { TestDatabase.current.client }
    private let clock = ManualClock("2027-12-31T12:00")

    private var attendance: Attendance {
        let people = People(database: TestDatabase.current.client, fetch: { _ in nil })
        return Attendance(database: TestDatabase.current.client, people: people, now: { [clock] in clock.now })
    }

    /// Accounts that have attended on each of the last `days` days.
    private func fill(_ accounts: Int, days: Int) async throws {
        let today = SeoulTime.date(of: clock.now)
        try await database.batch([
            """
            INSERT INTO people (account_id, app, public_id, nickname)
            SELECT n, 'anlaka', lpad(to_hex(n), 24, '0'), 'n' FROM generate_series(1, \(accounts)) n
            """,
            """
            INSERT INTO attendances (account_id, day)
            SELECT a, \(today)::date - d::integer FROM generate_series(1, \(accounts)) a, generate_series(0, \(days) - 1) d
            """,
        ])
        try await TestDatabase.current.analyze()
    }

    private func record(of account: AccountID) async throws -> Attendance.Record {
        let today = SeoulTime.date(of: clock.now)
        return try await database.transaction { try await AttendanceStore().record(of: account, on: today, in: $0) }
    }

    private func rows() async throws -> Int {
        try await database.one("SELECT count(*) FROM attendances") { try $0.decode(Int.self) }
    }

    @Test func oldAttendances_areCounted() async throws {
        try await fill(20, days: 800)
        let attendance = attendance
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await attendance.foldOld(inBatchesOf: 500) } }
            try await group.waitForAll()
        }
        #expect(try await rows() == 20 * 366)
        for account in [1, 20] as [AccountID] {
            #expect(try await record(of: account) == Attendance.Record(days: 800, isToday: true))
        }
        // A year later, and after a break.
        clock.advance(by: 366 * 86_400)
        try await attendance.foldOld()
        #expect(try await rows() == 0)
        #expect(try await attendance.attend(page: nil, account: 7) == Attendance.Record(days: 801, isToday: false))
        try await database.transaction { try await AttendanceStore().deleteAll(of: 7, in: $0) }
        #expect(try await record(of: 7) == Attendance.Record(days: 0, isToday: false))
        #expect(try await record(of: 8) == Attendance.Record(days: 800, isToday: false))
    }

    @Test func folding_readsOnlyItsBatch() async throws {
        try await fill(100, days: 400)
        let first = SeoulTime.date(of: clock.now) + -Attendance.daysKept
        let plan = try await Plans.measured(AttendanceStore.folding(before: first, limit: 100))
        #expect(!plan.contains("Seq Scan on attendances") && Plans.rows(of: plan) < 2_000, "\(plan)")
    }
}
