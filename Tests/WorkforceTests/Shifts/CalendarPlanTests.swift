import FoundationEssentials
import Postgres
import Synchronization
import TestKit
import Testing
import Values

@testable import Workforce

/// The plans of PostgreSQL for queries of shifts, on filled tables.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CalendarPlanTests {
    private static let days = Calendars.days(around: CivilMonth(year: 2025, month: 11))

    @Test func frequentQueries_useIndexes() async throws {
        try await fill()
        let plans = Plans()
        let store = CalendarStore()
        let own = try await store.memberships(of: 77, in: plans)
        #expect(try await store.entries(of: own, in: ShiftWindow(Self.days), from: plans).count == 100)
        let all = try await store.memberships(at: 7, in: plans)
        #expect(try await store.entries(of: all, in: ShiftWindow(Self.days), from: plans).count == 1000)
        _ = try await store.entry(500, in: plans)
        _ = try await store.attendance(of: 77, in: ShiftWindow(Self.days), from: plans)
        let shifts = ShiftStore()
        _ = try await shifts.shift(500, in: plans)
        _ = try await shifts.shifts(ofSeries: 7, since: Self.days.lowerBound, in: plans)
        let week = Self.days.lowerBound...Self.days.lowerBound + 7
        _ = try await shifts.times(of: 77, on: week, ignoring: [1, 2], in: plans)
        let now = SeoulTime.instant(Self.days.lowerBound)
        _ = try await ClockingStore().planned(of: 77, starting: now...now + 7200, in: plans)
        #expect(plans.all.count == 11)
        for plan in plans.all { #expect(!plan.contains("Seq Scan"), "\(plan)") }
    }

    /// 100,000 shifts of 1,000 people at 100 workplaces, among 20,000 with few shifts.
    private func fill() async throws {
        try await TestDatabase.current.client.batch([
            """
            INSERT INTO people (account_id, nickname, role)
            SELECT n, '사람' || n, 'ROLE_WORKER' FROM generate_series(1, 20000) n
            """,
            """
            INSERT INTO workplaces (creator_id, name, category, is_shared)
            SELECT n, '가게' || n, '카페', true FROM generate_series(1, 2000) n
            """,
            """
            INSERT INTO workers (workplace_id, account_id, is_accepted)
            SELECT CASE WHEN n <= 1000 THEN n % 100 + 1 ELSE n % 1900 + 101 END, n, true FROM generate_series(1, 20000) n
            """,
            """
            INSERT INTO series (worker_id, days, until) SELECT n, 127, '2026-01-31' FROM generate_series(1, 20000) n
            """,
            """
            INSERT INTO shifts (worker_id, workplace_id, series_id, series_date, date, starts_at, ends_at, rest_minutes,
                hourly_rate, has_night_allowance, has_holiday_allowance)
            SELECT w, w % 100 + 1, w, d, d, d::timestamp AT TIME ZONE 'Asia/Seoul' + interval '9 hours',
                d::timestamp AT TIME ZONE 'Asia/Seoul' + interval '17 hours', 60, 10030, false, false
            FROM generate_series(1, 1000) w, generate_series(0, 99) n, LATERAL (SELECT date '2025-09-01' + n AS d) dates
            """,
            "INSERT INTO routines (account_id, name) SELECT n, 'r' FROM generate_series(1, 1000) n",
            "INSERT INTO shift_routines SELECT n, n % 1000 + 1 FROM generate_series(1, 100000, 3) n",
        ])
        try await TestDatabase.current.analyze()
    }
}

/// Runs EXPLAIN on each statement before the statement itself.
private final class Plans: Querying {
    private let plans = Mutex<[String]>([])

    var all: [String] { plans.withLock { $0 } }

    func perform(_ sql: SQL) async throws -> PostgresResult {
        let client = TestDatabase.current.client
        let lines = try await client.all("EXPLAIN (COSTS OFF) \(sql)") { try $0.decode(String.self) }
        plans.withLock { $0.append(lines.joined(separator: "\n")) }
        return try await client.perform(sql)
    }
}
