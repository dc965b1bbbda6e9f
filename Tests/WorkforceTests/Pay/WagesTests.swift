import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// From when on a changed wage applies, and to which shifts.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct WagesTests {
    private var world: WorkforceWorld { .current }

    private func change(_ id: WorkplaceID, _ salary: String) async throws {
        let body = PlacesBodies.change(salary: salary)
        #expect(try await world.client(1).send(.patch, "/workplaces/\(id)/workers/me", json: body).status == .noContent)
    }

    private func worked(_ clock: ManualClock) async throws -> (workplace: WorkplaceID, worker: WorkerID) {
        clock.move(to: "2025-10-01T03:00:00Z")
        let id = try await world.shared()
        let worker = try await world.member(1, at: id)
        for day in ["10-15", "11-05", "11-25", "12-03"] {
            try await world.shift(of: worker, start: "2025-\(day)T03:00:00Z")
        }
        clock.move(to: "2025-11-20T03:00:00Z")
        return (id, worker)
    }

    @Test(.service(at: "2025-11-05T03:00:00Z")) func wageChange_keepsRatesUnlessAppliedToFutureShifts() async throws {
        let (id, worker) = try await worked(world.clock)
        let before = ["2025-10 80240", "2025-11 160480", "2025-12 80240"]
        #expect(try await world.months(of: worker) == before)
        try await change(id, PlacesBodies.salary(hourly: "12000"))
        #expect(try await world.months(of: worker) == before)
        // A new shift gets the current wage, a late entry of an earlier month the wage of that month.
        try await world.shift(of: worker, start: "2025-11-26T03:00:00Z")
        try await world.shift(of: worker, start: "2025-10-16T03:00:00Z")
        #expect(try await world.months(of: worker) == ["2025-10 160480", "2025-11 256480", "2025-12 80240"])
        let following = PlacesBodies.salary(hourly: "13000", more: #","applyToFutureWorks":true"#)
        try await change(id, following)
        #expect(try await world.months(of: worker) == ["2025-10 160480", "2025-11 288240", "2025-12 104000"])
    }

    /// What was earned before the change stays, and fixed pay is paid for the days that remain of the month.
    @Test(.service(at: "2025-11-05T03:00:00Z")) func changedBasis_appliesFromTodayOn() async throws {
        let (id, worker) = try await worked(world.clock)
        let fixed = PlacesBodies.salary(calculation: "SALARY_CALCULATION_FIXED", fixed: "2000000")
        try await change(id, fixed)
        // A shift by the hour, and 11 of 30 days.
        #expect(try await world.months(of: worker) == ["2025-10 80240", "2025-11 813573", "2025-12 2000000"])
        let weekly = PlacesBodies.salary(
            type: "SALARY_WEEKLY",
            calculation: "SALARY_CALCULATION_FIXED",
            fixed: "400000",
            day: "null"
        )
        try await change(id, weekly)
        #expect(try await world.months(of: worker) == ["2025-10 80240", "2025-11 480240", "2025-12 400000"])
        try await change(id, PlacesBodies.salary())
        #expect(try await world.months(of: worker) == ["2025-10 80240", "2025-11 160480", "2025-12 80240"])
        #expect(try await world.count("wages") == 2)
    }

    /// Ten shifts for a monthly salary, then pay by the hour; and the other way.
    @Test(.service(at: "2025-11-01T03:00:00Z"), arguments: [true, false])
    func changedBasis_keepsEarnedPay(isFixedFirst: Bool) async throws {
        let fixed = PlacesBodies.salary(calculation: "SALARY_CALCULATION_FIXED", fixed: "2000000")
        let id = try await world.shared()
        let worker = try await world.member(1, at: id)
        try await change(id, isFixedFirst ? fixed : PlacesBodies.salary())
        for day in 3...12 { try await world.shift(of: worker, start: "2025-11-\(day < 10 ? "0" : "")\(day)T03:00:00Z") }
        world.clock.move(to: "2025-11-15T03:00:00Z")
        try await change(id, isFixedFirst ? PlacesBodies.salary() : fixed)
        // 14 of 30 days; no shift yet under the second wage.
        #expect(try await world.months(of: worker) == ["2025-11 \(isFixedFirst ? 933_333 : 802_400)"])
        try await world.shift(of: worker, start: "2025-11-20T03:00:00Z")
        #expect(try await world.months(of: worker) == ["2025-11 \(isFixedFirst ? 1_013_573 : 1_869_066)"])
    }

    /// A day on which work has begun keeps its terms.
    @Test(.service(at: "2025-11-05T03:00:00Z")) func changeAfterWork_appliesFromTomorrow() async throws {
        let id = try await world.shared()
        let worker = try await world.member(1, at: id)
        try await world.shift(of: worker, start: "2025-11-05T02:00:00Z")
        let fixed = PlacesBodies.salary(calculation: "SALARY_CALCULATION_FIXED", fixed: "3000000")
        try await change(id, fixed)
        #expect(try await world.months(of: worker) == ["2025-11 80240"])
        // Under fixed pay a shift has no rate; it gets one with the next wage by the hour.
        try await world.shift(of: worker, start: "2025-11-06T02:00:00Z")
        #expect(try await world.months(of: worker) == ["2025-11 \(80_240 + 2_500_000)"])
        try await change(id, PlacesBodies.salary(hourly: "20000"))
        #expect(try await world.months(of: worker) == ["2025-11 \(80_240 + 160_000)"])
    }

    /// A week's pay may fall into the month after its only shift; when the pay is by the hour again, that month is
    /// empty.
    @Test(.service(at: "2025-11-05T03:00:00Z")) func weeklyPay_createsAndRemovesMonthWithoutShifts() async throws {
        world.clock.move(to: "2025-10-01T03:00:00Z")
        let id = try await world.shared()
        let worker = try await world.member(1, at: id)
        // Friday; the week ends in November.
        try await world.shift(of: worker, start: "2025-10-31T03:00:00Z")
        world.clock.move(to: "2025-10-26T16:00:00Z")
        let weekly = PlacesBodies.salary(
            type: "SALARY_WEEKLY",
            calculation: "SALARY_CALCULATION_FIXED",
            fixed: "400000",
            day: #""SUNDAY""#
        )
        try await change(id, weekly)
        #expect(try await world.months(of: worker) == ["2025-10 0", "2025-11 400000"])
        // On Friday before work: four days of the week stay fixed, but the week has no shift on them.
        world.clock.move(to: "2025-10-30T16:00:00Z")
        try await change(id, PlacesBodies.salary())
        #expect(try await world.months(of: worker) == ["2025-10 80240"])
    }

    /// The weekly allowance follows the rate of the week's last shift, and is split among all its shifts: a shift of
    /// last month gets its part of the new allowance.
    @Test(.service(at: "2025-11-05T03:00:00Z")) func weeklyAllowance_acrossMonths_isSharedByAllShifts() async throws {
        world.clock.move(to: "2025-10-01T03:00:00Z")
        let id = try await world.shared()
        let worker = try await world.member(1, at: id)
        let allowed = PlacesBodies.salary().replacing(
            #""hasHolidayAllowance":false"#,
            with: #""hasHolidayAllowance":true"#
        )
        try await change(id, allowed)
        for start in ["2025-10-30", "2025-10-31", "2025-11-02"] {
            try await world.shift(of: worker, start: "\(start)T03:00:00Z")
        }
        world.clock.move(to: "2025-11-01T03:00:00Z")
        // 24 hours: 24/40 of 8 hours at 10,030, in three.
        #expect(try await world.months(of: worker) == ["2025-10 192576", "2025-11 96288"])
        let raised = allowed.replacing("10030", with: "20060").replacing("}", with: #","applyToFutureWorks":true}"#)
        try await change(id, raised)
        #expect(try await world.months(of: worker) == ["2025-10 224672", "2025-11 192576"])
    }

    /// A day begins at midnight in Korea.
    @Test(
        .service(at: "2025-09-10T03:00:00Z"),
        arguments: [("2025-10-31T14:59:59Z", "2025-10-31"), ("2025-10-31T15:00:00Z", "2025-11-01")]
    )
    func wageChange_startsWithDayInSeoul(at moment: String, since: String) async throws {
        let id = try await world.shared()
        _ = try await world.member(1, at: id)
        world.clock.move(to: moment)
        try await change(id, PlacesBodies.salary(hourly: "12000"))
        let since = try #require(CivilDate(since))
        let rates = try await world.database.all("SELECT since, hourly_rate FROM wages ORDER BY since") {
            let (since, rate) = try $0.decode(CivilDate.self, Int.self)
            return "\(since) \(rate)"
        }
        #expect(rates == ["2025-09-01 10030", "\(since) 12000"])
    }

    /// After concurrent changes one wage holds, and the pay follows it.
    @Test(.service(at: "2025-11-20T03:00:00Z")) func concurrentWageChanges_leaveOneWage() async throws {
        let id = try await world.shared()
        let worker = try await world.member(1, at: id)
        try await world.shift(of: worker, start: "2025-11-25T03:00:00Z")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for rate in 1...8 {
                let salary = PlacesBodies.salary(hourly: "\(rate * 10_000)", more: #","applyToFutureWorks":true"#)
                group.addTask { try await change(id, salary) }
            }
            try await group.waitForAll()
        }
        let rate = try await world.database.one(
            "SELECT hourly_rate FROM wages WHERE worker_id = \(worker) ORDER BY since DESC LIMIT 1"
        ) {
            try $0.decode(Int.self)
        }
        #expect(try await world.months(of: worker) == ["2025-11 \(rate * 8)"])
    }
}
