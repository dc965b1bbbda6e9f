import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// When the reminder of a linked routine is due, as stored with the link.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct DueRoutinesTests {
    private var world: WorkforceWorld { .current }
    private let day = CivilDate.of("2025-11-20")
    private var database: PostgresClient { TestDatabase.current.client }

    private func due() async throws -> [Date?] {
        try await database.all("SELECT due_at FROM shift_routines ORDER BY shift_id, routine_id") {
            try $0.decode(Date?.self)
        }
    }

    @Test(.service(at: "2025-11-19T03:00:00Z")) func link_isDueAtAlarmOnDayOfShift() async throws {
        let place = try await world.place(of: 1)
        let routine = try await world.routine(1, "오픈", alarm: "08:00")
        let silent = try await world.routine(1, "조용히")
        _ = try await world.shift(place, on: day, routines: [routine, silent])
        #expect(try await due() == [.seoul("2025-11-20", 480), nil])
    }

    @Test(.service(at: "2025-11-19T03:00:00Z")) func changedAlarm_movesReminders() async throws {
        let place = try await world.place(of: 1)
        let routine = try await world.routine(1, "오픈", alarm: "08:00")
        for next in 0..<2 { _ = try await world.shift(place, on: day + next, routines: [routine]) }
        for (alarm, minute) in [("08:30", 510), ("00:00", 0)] {
            let body = WorkforceWorld.body("오픈", alarm: alarm)
            #expect(try await world.client(1).send(.patch, "/routines/\(routine)", json: body).status == .noContent)
            #expect(try await due() == [.seoul("2025-11-20", minute), .seoul("2025-11-21", minute)])
        }
        let body = WorkforceWorld.body("오픈")
        #expect(try await world.client(1).send(.patch, "/routines/\(routine)", json: body).status == .noContent)
        #expect(try await due() == [nil, nil])
    }

    @Test(.service(at: "2025-11-19T03:00:00Z")) func movedShift_movesReminder() async throws {
        let place = try await world.place(of: 1)
        let routine = try await world.routine(1, "오픈", alarm: "08:00")
        let shift = try await world.shift(place, on: day, routines: [routine])
        let start = SeoulTime.instant(day + 2, minute: 540)
        try await database.execute(
            """
            UPDATE shifts SET date = \(day + 2), starts_at = \(start), ends_at = \(start + 3600) WHERE id = \(shift)
            """
        )
        #expect(try await due() == [.seoul("2025-11-22", 480)])
    }

    /// A month of links of three hundred people: the rows of other days are not read.
    @Test func dueRoutines_readOnlyWhatIsDue() async throws {
        try await database.batch([
            """
            INSERT INTO people (account_id, nickname, role)
            SELECT n, '사람' || n, 'ROLE_WORKER' FROM generate_series(1, 300) n
            """,
            """
            INSERT INTO workplaces (creator_id, name, category, is_shared)
            SELECT n, '가게' || n, '카페', true FROM generate_series(1, 300) n
            """,
            "INSERT INTO workers (workplace_id, account_id, is_accepted) SELECT n, n, true FROM generate_series(1, 300) n",
            """
            INSERT INTO shifts (worker_id, workplace_id, date, starts_at, ends_at, rest_minutes, hourly_rate,
                has_night_allowance, has_holiday_allowance)
            SELECT w, w, d, d::timestamp AT TIME ZONE 'Asia/Seoul' + interval '9 hours',
                d::timestamp AT TIME ZONE 'Asia/Seoul' + interval '17 hours', 60, 10030, false, false
            FROM generate_series(1, 300) w, generate_series(0, 29) n, LATERAL (SELECT date '2025-11-01' + n AS d) dates
            """,
            """
            INSERT INTO routines (account_id, name, alarm_minute) SELECT n, 'r', 400 + n % 100 FROM generate_series(1, 300) n
            """,
            "INSERT INTO shift_routines (shift_id, routine_id) SELECT id, worker_id FROM shifts",
        ])
        try await TestDatabase.current.analyze()
        let plans = Plans(counts: true)
        let at = Date.seoul("2025-11-20", 480)
        let mark = Reminders.Mark(through: at - 1, key: [.max])
        let found = try await ReminderStore().dueRoutines(after: mark, until: at, limit: 500, in: plans)
        #expect(found.count == 3)
        #expect(found.allSatisfy { $0.at == at })
        for plan in plans.all { #expect(Plans.rows(of: plan) < 1_500, "\(plan)") }
    }
}
