import Contracts
import FoundationEssentials
import Payroll
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

// At the time of the service no reminder is due yet, so that it sends none itself.
@Suite(.database(Migrations.all), .service(at: "2023-11-14T22:13:20Z")) struct RemindersTests {
    private var world: WorkforceWorld { .current }
    private let day = CivilDate(dayNumber: 20_397)
    private var database: PostgresClient { TestDatabase.current.client }

    private func alarms(at now: Date) -> Reminders {
        Reminders(database: database, alerts: AlertRecord.alerts, now: { now })
    }

    private func begin(at date: Date) async throws {
        try await database.execute("UPDATE alarm_marks SET sent_through = \(date), sent_key = '{}'")
    }

    @Test func routine_isDueOnDayOfItsShift() async throws {
        let place = try await world.place(of: 1)
        let routine = try await world.routine(1, "오픈", alarm: "08:00")
        let silent = try await world.routine(1, "조용히")
        let shift = try await world.shift(place, on: self.day, routines: [routine, silent])
        _ = try await world.shift(place, on: self.day + 1, routines: [routine])
        let due = SeoulTime.instant(self.day, minute: 480)
        try await self.begin(at: due - 60)
        #expect(try await self.alarms(at: due - 1).sendAlone(.routine) == 0)
        #expect(try await self.alarms(at: due).sendAlone(.routine) == 1)
        // Neither a second run nor a replica whose clock is behind sends it again.
        for later in [0.0, -30, 30, 3000] { #expect(try await self.alarms(at: due + later).sendAlone(.routine) == 0) }
        let alerts = try await AlertRecord.all()
        #expect(alerts.map(\.kind) == [.routineDue])
        #expect(alerts.map(\.account) == [1])
        #expect(alerts.map(\.shift) == [shift])
        #expect(alerts.map(\.routine) == [routine])
        #expect(alerts.first?.arguments.first == "오픈")
    }

    @Test func concurrentReplicas_sendEachReminderOnce() async throws {
        let place = try await world.place(of: 1)
        let routines = try await withThrowingTaskGroup(of: RoutineID.self) { group in
            for number in 0..<20 { group.addTask { try await world.routine(1, "루틴 \(number)", alarm: "08:00") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // More reminders than one batch has.
        for minute in 0..<30 { _ = try await world.shift(place, on: self.day, at: 600 + minute, routines: routines) }
        let due = SeoulTime.instant(self.day, minute: 480)
        try await self.begin(at: due - 60)
        try await withThrowingDiscardingTaskGroup { group in
            for copy in 0..<6 {
                group.addTask {
                    for round in 0..<10 { _ = try await self.alarms(at: due + Double(copy + round)).send(.routine) }
                }
            }
        }
        let alerts = try await AlertRecord.all()
        #expect(alerts.count == 600)
        #expect(Set(alerts.map { [$0.shift?.rawValue, $0.routine?.rawValue] }).count == 600)
    }

    /// Three replicas check once a second, each at its own moment, and each check could be the first after a restart.
    @Test(arguments: Reminders.Kind.allCases) func reminder_isSentOnTimeAndOnce(kind: Reminders.Kind) async throws {
        let place = try await world.place(of: 1)
        let minute: Int
        switch kind {
        case .shift:
            minute = 510
            _ = try await world.shift(place, on: self.day, at: 540)
        case .routine:
            minute = 480
            _ = try await world.shift(place, on: self.day, routines: [world.routine(1, "오픈", alarm: "08:00")])
        case .payDay:
            minute = 540
            try await self.pay(place.worker, cycle: "monthly", day: self.day.day, in: self.day.month)
        }
        let due = SeoulTime.instant(self.day, minute: minute)
        try await self.begin(at: due - 60)
        for second in -3...3 {
            try await withThrowingDiscardingTaskGroup { group in
                for offset in [0.0, 0.3, 0.6] {
                    group.addTask { _ = try await self.alarms(at: due + Double(second) + offset).send(kind) }
                }
            }
            #expect(try await AlertRecord.all().count == (second < 0 ? 0 : 1), "second \(second)")
        }
    }

    @Test func overdueReminder_isSkipped() async throws {
        let place = try await world.place(of: 1)
        let early = try await world.routine(1, "이른 것", alarm: "06:00")
        let late = try await world.routine(1, "늦은 것", alarm: "08:00")
        _ = try await world.shift(place, on: self.day, routines: [early, late])
        try await self.begin(at: SeoulTime.instant(self.day + -3))
        #expect(try await self.alarms(at: SeoulTime.instant(self.day, minute: 500)).sendAlone(.routine) == 1)
        #expect(try await AlertRecord.all().map(\.routine) == [late])
    }

    @Test func routineReminders_aroundMidnight_areSent() async throws {
        let place = try await world.place(of: 1)
        let last = try await world.routine(1, "자정 전", alarm: "23:59")
        let first = try await world.routine(1, "자정", alarm: "00:00")
        _ = try await world.shift(place, on: self.day, routines: [last])
        _ = try await world.shift(place, on: self.day + 1, routines: [first])
        let midnight = SeoulTime.instant(self.day + 1)
        try await self.begin(at: midnight - 90)
        #expect(try await self.alarms(at: midnight + 1).sendAlone(.routine) == 2)
        #expect(try await AlertRecord.all().map(\.routine) == [last, first])
    }

    @Test(arguments: [
        // Monthly: the day of the month, or its last day. Weekly: the weekday.
        ("2025-11-10", 10, "monthly", true), ("2025-11-11", 10, "monthly", false), ("2025-11-30", 31, "monthly", true),
        ("2025-11-29", 31, "monthly", false), ("2025-11-30", 30, "monthly", true), ("2025-12-30", 31, "monthly", false),
        ("2025-11-07", 4, "weekly", true), ("2025-11-08", 4, "weekly", false), ("2025-11-07", 4, "daily", false),
    ])
    func payDayReminder_followsPayCycle(date: String, payDay: Int, cycle: String, isDue: Bool) async throws {
        let day = try #require(CivilDate(date))
        let place = try await world.place(of: 1)
        try await self.pay(place.worker, cycle: cycle, day: payDay, in: day.month)
        let nine = SeoulTime.instant(day, minute: 540)
        try await self.begin(at: nine - 60)
        #expect(try await self.alarms(at: nine - 1).sendAlone(.payDay) == 0)
        #expect(try await self.alarms(at: nine + 1).sendAlone(.payDay) == (isDue ? 1 : 0))
        #expect(try await self.alarms(at: nine + 2).sendAlone(.payDay) == 0)
        #expect(try await AlertRecord.all().map(\.kind) == (isDue ? [.payDay] : []))
    }

    @Test func payDayReminder_withoutPay_isNotSent() async throws {
        let place = try await world.place(of: 1)
        let month = self.day.month
        try await self.pay(place.worker, cycle: "monthly", day: self.day.day, in: month)
        try await self.database.execute("DELETE FROM months")
        let nine = SeoulTime.instant(self.day, minute: 540)
        try await self.begin(at: nine - 60)
        #expect(try await self.alarms(at: nine + 1).sendAlone(.payDay) == 0)
    }

    /// Stores a wage, and a month with earnings.
    private func pay(_ worker: WorkerID, cycle: String, day: Int, in month: CivilMonth) async throws {
        let terms = WageTerms(
            cycle: WageTerms.Cycle(rawValue: cycle) ?? .monthly,
            basis: .hourly,
            payDay: cycle == "monthly" ? day : nil,
            payWeekday: cycle == "monthly" ? nil : Weekday(rawValue: day)
        )
        let wage = Wage(terms: terms, hourlyRate: 10_030)
        let start = SeoulTime.instant(month.first, minute: 600)
        try await database.transaction { transaction in
            try await WageStore().save(wage, of: worker, since: month.first, in: transaction)
            try await transaction.execute(
                """
                INSERT INTO shifts (worker_id, workplace_id, date, starts_at, ends_at, rest_minutes, hourly_rate,
                    has_night_allowance, has_holiday_allowance)
                SELECT \(worker), workplace_id, \(month.first), \(start), \(start + 3600), 0, 10030, false, false
                FROM workers WHERE id = \(worker)
                """
            )
            try await PayrollProjection().refresh(worker, around: [month.first], in: transaction)
        }
    }
}
