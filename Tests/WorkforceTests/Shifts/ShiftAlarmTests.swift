import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// What workers are reminded of before their shifts.
@Suite(.database(Migrations.all)) struct ShiftAlarmTests {
    private let day = CivilDate(dayNumber: 20_397)
    private var database: PostgresClient { TestDatabase.current.client }

    /// The service that runs beside the test sends nothing itself: for it nothing is due yet.
    private static let before = Date(timeIntervalSince1970: 1_700_000_000)

    private func send(at now: Date) async throws -> Int {
        try await Reminders(database: database, alerts: AlertRecord.alerts, now: { now }).send(.shift)
    }

    private func begin(at date: Date) async throws {
        try await database.execute("UPDATE alarm_marks SET sent_through = \(date), sent_key = '{}'")
    }

    @Test func aShiftIsToldOfHalfAnHourBefore() async throws {
        try await WorkforceWorld.test(now: { Self.before }) { world in
            let place = try await world.place(of: 1)
            let shift = try await world.shift(place, on: self.day, at: 545)
            _ = try await world.shift(place, on: self.day + 1, at: 545)
            let due = SeoulTime.instant(self.day, minute: 515)
            try await self.begin(at: due - 60)
            #expect(try await self.send(at: due - 1) == 0)
            #expect(try await self.send(at: due) == 1)
            // Neither again, nor by a copy whose clock is behind.
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
    }

    @Test func midnightIsCrossed() async throws {
        try await WorkforceWorld.test(now: { Self.before }) { world in
            let place = try await world.place(of: 1)
            // Begins before midnight and ends after it; begins after it, and is told of before; is told of at midnight.
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
    }

    @Test func nobodyIsToldOfWhatIsNotToCome() async throws {
        try await WorkforceWorld.test(now: { Self.before }) { world in
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
            // Planned when less than half an hour is left.
            _ = try await world.shift(place, on: self.day, at: 530)
            #expect(try await self.send(at: due + 2) == 0)
        }
    }

    @Test func afterANightOutOnlyWhatHasNotBegunIsToldOf() async throws {
        try await WorkforceWorld.test(now: { Self.before }) { world in
            let place = try await world.place(of: 1)
            let begun = try await world.shift(place, on: self.day, at: 540)
            let next = try await world.shift(place, on: self.day, at: 550)
            try await self.begin(at: SeoulTime.instant(self.day))
            #expect(try await self.send(at: SeoulTime.instant(self.day, minute: 540)) == 1)
            let told = try await AlertRecord.all().map(\.shift)
            #expect(told == [next] && told != [begun])
        }
    }

    @Test func manyAreSentEachOnce() async throws {
        try await WorkforceWorld.test(now: { Self.before }) { world in
            let place = try await world.place(of: 1)
            let due = SeoulTime.instant(self.day, minute: 510)
            let start = due + Reminders.shiftLead
            // More than are sent at a time, and all at one moment.
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
}
