import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// Reminders of workers before their shifts.
// At the time of the service no reminder is due yet, so that it sends none itself.
@Suite(.database(Migrations.all), .service(at: "2023-11-14T22:13:20Z")) struct ShiftAlarmTests {
    private var world: WorkforceWorld { .current }
    private let day = CivilDate(dayNumber: 20_397)
    private var database: PostgresClient { TestDatabase.current.client }

    private func send(at now: Date) async throws -> Int {
        try await Reminders(database: database, alerts: AlertRecord.alerts, now: { now }).sendAlone(.shift)
    }

    private func begin(at date: Date) async throws {
        try await database.execute("UPDATE alarm_marks SET sent_through = \(date), sent_key = '{}'")
    }

    @Test func shiftReminder_isSentHalfAnHourBefore() async throws {
        let place = try await world.place(of: 1)
        let shift = try await world.shift(place, on: self.day, at: 545)
        _ = try await world.shift(place, on: self.day + 1, at: 545)
        let due = SeoulTime.instant(self.day, minute: 515)
        try await self.begin(at: due - 60)
        #expect(try await self.send(at: due - 1) == 0)
        #expect(try await self.send(at: due) == 1)
        // Neither a second run nor a replica whose clock is behind sends it again.
        for later in [0.0, -30, 30, 1700, 3000] { #expect(try await self.send(at: due + later) == 0) }
        let name = try await self.database.one("SELECT name FROM workplaces WHERE id = \(place.workplace)") {
            try $0.decode(String.self)
        }
        let alert = try #require(try await AlertRecord.all().first)
        #expect(alert.kind == .shiftDue && alert.kind.rawValue == "WORK_REMINDER")
        #expect(alert.account == 1 && alert.sender == nil)
        #expect(alert.arguments == [name, "09:05"])
        #expect(alert.shift == shift && alert.workplace == place.workplace && alert.worker == place.worker)
    }

    @Test func shiftReminders_aroundMidnight_areSent() async throws {
        let place = try await world.place(of: 1)
        // The first shift crosses midnight; the second begins after it, with its reminder before it; the third has
        // its reminder at midnight.
        _ = try await world.shift(place, on: self.day, at: 1430, minutes: 480)
        _ = try await world.shift(place, on: self.day + 1, at: 10)
        _ = try await world.shift(place, on: self.day + 1, at: 30)
        let midnight = SeoulTime.instant(self.day + 1)
        try await self.begin(at: midnight - 2400 - 60)
        #expect(try await self.send(at: midnight - 2401) == 0)
        #expect(try await self.send(at: midnight - 2400) == 1)
        #expect(try await self.send(at: midnight - 1201) == 0)
        #expect(try await self.send(at: midnight - 1199) == 1)
        #expect(try await self.send(at: midnight - 1) == 0)
        #expect(try await self.send(at: midnight + 1) == 1)
        #expect(try await AlertRecord.all().map { $0.arguments.last } == ["23:50", "00:10", "00:30"])
    }

    @Test func shiftReminder_forBegunOrPartedWorker_isNotSent() async throws {
        let place = try await world.place(of: 1)
        let due = SeoulTime.instant(self.day, minute: 510)
        let clockedIn = try await world.shift(place, on: self.day, at: 540)
        try await self.database.execute("UPDATE shifts SET started_at = \(due - 60) WHERE id = \(clockedIn)")
        _ = try await world.shift(try await world.place(of: 2, isAccepted: false), on: self.day, at: 540)
        let parted = try await world.place(of: 2)
        _ = try await world.shift(parted, on: self.day, at: 540)
        try await self.database.execute("UPDATE workers SET parted_at = now() WHERE id = \(parted.worker)")
        try await self.begin(at: due - 60)
        #expect(try await self.send(at: due + 1) == 0)
        // The shift is planned less than half an hour before its start.
        _ = try await world.shift(place, on: self.day, at: 530)
        #expect(try await self.send(at: due + 2) == 0)
    }

    @Test func shiftReminder_afterOutage_skipsBegunShifts() async throws {
        let place = try await world.place(of: 1)
        let begun = try await world.shift(place, on: self.day, at: 540)
        let next = try await world.shift(place, on: self.day, at: 550)
        try await self.begin(at: SeoulTime.instant(self.day))
        #expect(try await self.send(at: SeoulTime.instant(self.day, minute: 540)) == 1)
        let alerted = try await AlertRecord.all().map(\.shift)
        #expect(alerted == [next] && alerted != [begun])
    }

    @Test func concurrentReplicas_sendEachShiftReminderOnce() async throws {
        let place = try await world.place(of: 1)
        let due = SeoulTime.instant(self.day, minute: 510)
        let start = due + Reminders.shiftLead
        // More reminders than one batch has, all due at the same moment.
        try await self.database.execute(
            """
            INSERT INTO shifts (worker_id, workplace_id, date, starts_at, rest_minutes, hourly_rate,
                has_night_allowance, has_holiday_allowance)
            SELECT \(place.worker), \(place.workplace), \(self.day), \(start), 0, 0, false, false
            FROM generate_series(1, 450)
            """
        )
        try await self.begin(at: due - 60)
        try await withThrowingDiscardingTaskGroup { group in
            for copy in 0..<4 {
                group.addTask {
                    for round in 0..<6 { _ = try await self.send(at: due + Double(copy + round)) }
                }
            }
        }
        while try await self.send(at: due + 20) > 0 {}
        let shifts = try await AlertRecord.all().map(\.shift)
        #expect(shifts.count == 450)
        #expect(Set(shifts).count == 450)
    }
}
