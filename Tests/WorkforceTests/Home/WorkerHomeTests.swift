import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Payroll
import Postgres
import TestKit
import Testing

@testable import Workforce

@Suite(.database(Migrations.all)) struct WorkerHomeTests {
    private var world: WorkforceWorld { .current }

    private func home(_ now: Date, _ prepare: @escaping @Sendable (PayWorld) async throws -> Void) async throws
        -> (home: WorkerHomeAnswer, text: String)
    {
        let found = Found()
        try await WorkforceWorld.test(clock: ManualClock(now)) { world in
            try await prepare(PayWorld())
            let answer = try await world.client(1).send(.get, "/home")
            #expect(answer.status == .ok)
            await found.set(try answer.json(WorkerHomeAnswer.self), answer.text)
        }
        return try #require(await found.value)
    }

    private actor Found {
        var value: (home: WorkerHomeAnswer, text: String)?
        func set(_ home: WorkerHomeAnswer, _ text: String) { value = (home, text) }
    }

    /// S08: all items are enabled, and the whole month was worked. T10: 68,260 + 8,840 of health, 17,590 + 1,750 of
    /// tax.
    @Test func workerHome_showsPayOfMonth() async throws {
        let vector = try #require(MonthVector.all.first { $0.name == "S08" })
        let (home, _) = try await home(.seoul("2025-11-30", 1439)) { pay in
            var wage = vector.wage
            wage.terms.payDay = 10
            let place = try await pay.workplace(of: 9)
            let worker = try await pay.worker(1, at: place, wage)
            try await pay.work(worker, vector)
            try await pay.work(worker, "2025-10-15", 540, 60)
        }
        #expect(home.nowMonth == 11 && home.totalSalary == 1_725_370)
        // One hour of October: 10,030.
        #expect(home.prevMonthSalaryDiff == 1_725_370 - 10_030)
        #expect(home.totalEarnedToDate == 1_725_370)
        let place = try #require(home.workerMonthlyWorkplaceSummaryInfoList.first)
        #expect(place.daysUntilPayday == 10)
        #expect(!place.homeWorkplaceSummaryInfo.isNowWorking)
        #expect(place.homeWorkplaceSummaryInfo.workplaceSummaryInfo.workplaceName == "언덕카페")
        #expect(place.totalWorkMinutes == 9_600 && place.dayTimeMinutes == 9_600 && place.nightTimeMinutes == 0)
        #expect(place.restTimeMinutes == 1_200 && place.dayTimeIncome == 1_604_800)
        #expect(place.totalHolidayAllowance == 320_960 && place.totalNightAllowance == 0)
        #expect(place.grossIncome == 1_925_760 && place.nationalPension == 86_620)
        #expect(place.healthInsurance == 77_100 && place.longTermCare == 8_840 && place.employmentInsurance == 17_330)
        #expect(place.incomeTax == 19_340 && place.localIncomeTax == 1_750 && place.netIncome == 1_725_370)
        let taken = [place.nationalPension, place.healthInsurance, place.employmentInsurance, place.incomeTax]
        #expect(place.grossIncome - taken.reduce(0) { $0 + ($1 ?? 0) } == place.netIncome)
    }

    @Test func disabledAmounts_areNull() async throws {
        let (home, text) = try await home(.seoul("2025-11-30")) { pay in
            _ = try await pay.worker(1, at: try await pay.workplace(of: 9), .hourly())
        }
        let place = try #require(home.workerMonthlyWorkplaceSummaryInfoList.first)
        #expect(place.totalWorkMinutes == 0 && place.netIncome == 0 && place.earnedToDate == 0)
        for key in [
            "daysUntilPayday", "totalHolidayAllowance", "totalNightAllowance", "nationalPension", "healthInsurance",
            "employmentInsurance", "incomeTax",
        ] { #expect(text.contains("\"\(key)\":null"), "\(key)") }
        #expect(home.totalSalary == 0 && home.prevMonthSalaryDiff == 0 && home.todayRoutineCounts == 0)
    }

    @Test func enabledAmounts_withoutShifts_areZero() async throws {
        let (home, text) = try await home(.seoul("2025-11-30")) { pay in
            _ = try await pay.worker(1, at: try await pay.workplace(of: 9), .full)
        }
        #expect(home.workerMonthlyWorkplaceSummaryInfoList.first?.nationalPension == 0)
        #expect(!text.replacing(#""daysUntilPayday":null"#, with: "").contains("null"))
    }

    /// Deleted, left, pending and unpaid workplaces are not listed; the others are ordered by name.
    @Test func workerHome_listsActivePaidWorkplaces() async throws {
        let (home, _) = try await home(.seoul("2025-11-30")) { pay in
            let database = TestDatabase.current.client
            var places: [WorkplaceID] = []
            for (index, name) in ["다", "나", "가", "떠난 곳", "없어진 곳", "기다리는 곳", "무급"].enumerated() {
                let place = try await pay.workplace(of: index < 3 ? 9 : 8, name)
                let worker = try await pay.worker(
                    1,
                    at: place,
                    name == "무급" ? nil : .hourly(),
                    isAccepted: name != "기다리는 곳"
                )
                if name != "무급" { try await pay.work(worker, "2025-11-05", 540, 60) }
                places.append(place)
            }
            try await database.execute("UPDATE workers SET parted_at = now() WHERE workplace_id = \(places[3])")
            try await database.execute("UPDATE workplaces SET deleted_at = now() WHERE id = \(places[4])")
        }
        let names = home.workerMonthlyWorkplaceSummaryInfoList
            .map(\.homeWorkplaceSummaryInfo.workplaceSummaryInfo.workplaceName)
        #expect(names == ["가", "나", "다"])
        #expect(home.totalSalary == 30_090)
    }

    @Test func workerHome_showsClockingAndTodaysRoutines() async throws {
        let (home, _) = try await home(.seoul("2025-11-05", 600)) { pay in
            let database = TestDatabase.current.client
            let worker = try await pay.worker(1, at: try await pay.workplace(of: 9), .hourly())
            let today = try await pay.work(worker, "2025-11-05", 540, 60)
            let again = try await pay.work(worker, "2025-11-05", 900, 60)
            let tomorrow = try await pay.work(worker, "2025-11-06", 540, 60)
            for name in ["하나", "둘"] {
                let routine = try await database.one(
                    "INSERT INTO routines (account_id, name) VALUES (1, \(name)) RETURNING id"
                ) { try $0.decode(RoutineID.self) }
                for shift in name == "하나" ? [today, again, tomorrow] : [today] {
                    try await database.execute("INSERT INTO shift_routines VALUES (\(shift), \(routine))")
                }
            }
            try await database.execute("INSERT INTO clockings VALUES (1, \(worker), \(today))")
        }
        #expect(home.todayRoutineCounts == 3)
        #expect(home.workerMonthlyWorkplaceSummaryInfoList.first?.homeWorkplaceSummaryInfo.isNowWorking == true)
    }

    /// A shift counts once its planned end is past; fixed pay in proportion to the minutes.
    @Test(arguments: [
        ("2025-11-05", 599.0, 0, 0), ("2025-11-05", 600.0, 10_030, 250_000), ("2025-11-07", 0.0, 30_090, 750_000),
    ])
    func earnedToDate_countsEndedShifts(date: String, minute: Double, hourly: Int, fixed: Int) async throws {
        let now = Date.seoul(date).addingTimeInterval(minute * 60)
        let (home, _) = try await home(now) { pay in
            let one = try await pay.worker(1, at: try await pay.workplace(of: 9, "가"), .hourly())
            let other = try await pay.worker(1, at: try await pay.workplace(of: 9, "나"), .fixed(1_000_000))
            for worker in [one, other] {
                try await pay.work(worker, "2025-11-05", 540, 60)
                try await pay.work(worker, "2025-11-06", 540, 120)
                try await pay.work(worker, "2025-11-20", 540, 60)
            }
        }
        #expect(home.workerMonthlyWorkplaceSummaryInfoList.map(\.earnedToDate) == [hourly, fixed])
        #expect(home.totalEarnedToDate == hourly + fixed && home.totalSalary == 40_120 + 1_000_000)
    }

    /// The day and the month change at midnight in Seoul, 15:00 in UTC.
    @Test(arguments: [(-1.0, 11, 10_030, 10_030, 0), (0.0, 12, 20_060, 10_030, 1), (1.0, 12, 20_060, 10_030, 1)])
    func workerHome_atSeoulMidnight_changesMonth(
        second: Double,
        month: Int,
        total: Int,
        difference: Int,
        routines: Int
    ) async throws {
        let now = Date.seoul("2025-12-01", second: second)
        let (home, _) = try await home(now) { pay in
            let database = TestDatabase.current.client
            var wage = Wage.hourly()
            wage.terms.payDay = 31
            let worker = try await pay.worker(1, at: try await pay.workplace(of: 9), wage)
            try await pay.work(worker, "2025-11-30", 1_380, 60)
            let shift = try await pay.work(worker, "2025-12-01", 0, 120)
            let routine = try await database.one(
                "INSERT INTO routines (account_id, name) VALUES (1, '열기') RETURNING id"
            ) { try $0.decode(RoutineID.self) }
            try await database.execute("INSERT INTO shift_routines VALUES (\(shift), \(routine))")
        }
        #expect(home.nowMonth == month && home.totalSalary == total)
        #expect(home.prevMonthSalaryDiff == difference && home.todayRoutineCounts == routines)
        // The last shift of November ends at midnight sharp.
        #expect(home.totalEarnedToDate == 0)
        // 31 is the last day of November, too.
        #expect(home.workerMonthlyWorkplaceSummaryInfoList.first?.daysUntilPayday == (month == 11 ? 0 : 30))
    }

    @Test(.service) func home_ofOtherRoles_isRefused() async throws {
        try await TestDatabase.current.client.execute("UPDATE people SET role = 'ROLE_ADMIN' WHERE account_id = 2")
        let answer = try await world.client(2).send(.get, "/home")
        #expect(answer.status == .forbidden && answer.text.contains("PERMISSION_403"))
        try await TestDatabase.current.client.execute("UPDATE people SET withdrawn_at = now() WHERE account_id = 1")
        #expect(try await world.client(1).send(.get, "/home").text.contains("USER_404"))
    }
}

struct WorkerHomeAnswer: Decodable, Sendable {
    var nowMonth: Int
    var totalSalary: Int
    var prevMonthSalaryDiff: Int
    var totalEarnedToDate: Int
    var todayRoutineCounts: Int
    var workerMonthlyWorkplaceSummaryInfoList: [Place]

    struct Place: Decodable, Sendable {
        var homeWorkplaceSummaryInfo: Info
        var daysUntilPayday: Int?
        var totalWorkMinutes: Int
        var dayTimeMinutes: Int
        var nightTimeMinutes: Int
        var restTimeMinutes: Int
        var dayTimeIncome: Int
        var totalHolidayAllowance: Int?
        var totalNightAllowance: Int?
        var grossIncome: Int
        var nationalPension: Int?
        var healthInsurance: Int?
        var longTermCare: Int?
        var employmentInsurance: Int?
        var incomeTax: Int?
        var localIncomeTax: Int?
        var netIncome: Int
        var earnedToDate: Int
    }

    struct Info: Decodable, Sendable {
        var workplaceSummaryInfo: Summary
        var isNowWorking: Bool
    }

    struct Summary: Decodable, Sendable { var workplaceName: String }
}
