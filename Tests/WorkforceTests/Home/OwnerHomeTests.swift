import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Payroll
import Postgres
import TestKit
import Testing

@testable import Workforce

@Suite(.database(Migrations.all)) struct OwnerHomeTests {
    private var world: WorkforceWorld { .current }

    private struct Home: Decodable {
        var nowMonth: Int
        var totalSalary: Int
        var prevMonthSalaryDiff: Int
        var totalEarnedToDate: Int
        var totalLabourCost: Int
        var todayRoutineCounts: Int
        var ownerMonthlyWorkplaceSummaryInfoList: [Place]

        struct Place: Decodable {
            var workplaceSummaryInfo: WorkerHomeAnswer.Summary
            var labourCost: Int
            var earnedToDate: Int
            var monthlyWorkerSummaryInfoList: [Staff]
        }

        struct Staff: Decodable {
            var workerId: WorkerID
            var nickname: String
            var totalWorkMinutes: Int
            var grossIncome: Int
            var netIncome: Int
            var labourCost: Int
        }
    }

    /// S08 costs 1,925,760 + 86,620 + 68,260 + 8,840 + 22,140 and nets 1,725,370.
    @Test func ownerHome_showsStaffPayAndLabourCost() async throws {
        let vector = try #require(MonthVector.all.first { $0.name == "S08" })
        let people: [AccountID: String] = [1: "하루", 2: "나무", 3: "떠난", 4: "탈퇴", 5: "쉬는", 6: "지난달"]
        try await WorkforceWorld.test(workers: people, clock: ManualClock(.seoul("2025-11-30", 1_439))) { world in
            let (pay, database) = (PayWorld(), TestDatabase.current.client)
            let (cafe, empty) = (try await pay.workplace(of: 9, "나"), try await pay.workplace(of: 9, "가"))
            let gone = try await pay.workplace(of: 9, "다")
            let foreign = try await pay.workplace(of: 8, "라")
            _ = empty
            let full = try await pay.worker(1, at: cafe, vector.wage)
            try await pay.work(full, vector)
            try await pay.work(full, "2025-10-15", 540, 60)
            for (account, date) in [
                (AccountID(2), "2025-11-05"), (3, "2025-11-05"), (4, "2025-11-05"), (6, "2025-10-15"),
            ] { try await pay.work(try await pay.worker(account, at: cafe, .hourly()), date, 540, 60) }
            _ = try await pay.worker(5, at: cafe, .hourly())
            // The owner's own shifts are not paid.
            try await pay.work(try await pay.worker(9, at: cafe, nil), "2025-11-05", 540, 60)
            for place in [gone, foreign] {
                try await pay.work(try await pay.worker(2, at: place, .hourly()), "2025-11-05", 540, 60)
            }
            try await database.execute("UPDATE workplaces SET deleted_at = now() WHERE id = \(gone)")
            try await database.execute("UPDATE workers SET parted_at = now(), is_listed = false WHERE account_id = 3")
            try await database.execute("UPDATE people SET withdrawn_at = now() WHERE account_id = 4")
            try await database.execute("UPDATE workers SET parted_at = now() WHERE account_id = 4")

            let answer = try await world.client(9).send(.get, "/home")
            #expect(answer.status == .ok)
            let home = try answer.json(Home.self)
            #expect(home.nowMonth == 11)
            #expect(home.ownerMonthlyWorkplaceSummaryInfoList.map(\.workplaceSummaryInfo.workplaceName) == ["가", "나"])
            #expect(home.ownerMonthlyWorkplaceSummaryInfoList[0].monthlyWorkerSummaryInfoList.isEmpty)
            let staff = home.ownerMonthlyWorkplaceSummaryInfoList[1].monthlyWorkerSummaryInfoList
            #expect(Set(staff.map(\.nickname)) == ["하루", "나무", "탈퇴한 근무자"])
            let best = try #require(staff.first { $0.nickname == "하루" })
            #expect(best.workerId == full && best.totalWorkMinutes == 9_600)
            #expect([best.grossIncome, best.netIncome, best.labourCost] == [1_925_760, 1_725_370, 2_111_620])
            #expect(home.totalSalary == 1_725_370 + 2 * 10_030)
            #expect(home.prevMonthSalaryDiff == home.totalSalary - 2 * 10_030)
            #expect(home.totalEarnedToDate == home.totalSalary)
            #expect(home.totalLabourCost == 2_111_620 + 2 * 10_030)
            #expect(home.ownerMonthlyWorkplaceSummaryInfoList[1].labourCost == home.totalLabourCost)
            #expect(home.todayRoutineCounts == 0)
        }
    }

    @Test(arguments: [(-1.0, 11, 10_030), (0.0, 12, 20_060)])
    func ownerHome_atSeoulMidnight_changesMonth(second: Double, month: Int, total: Int) async throws {
        try await WorkforceWorld.test(clock: ManualClock(.seoul("2025-12-01", second: second))) { world in
            let pay = PayWorld()
            let worker = try await pay.worker(1, at: try await pay.workplace(of: 9), .hourly())
            try await pay.work(worker, "2025-11-30", 600, 60)
            try await pay.work(worker, "2025-12-01", 600, 120)
            let home = try await world.client(9).send(.get, "/home").json(Home.self)
            #expect(home.nowMonth == month && home.totalSalary == total)
            #expect(home.prevMonthSalaryDiff == 10_030)
        }
    }

    @Test(.service) func ownerHome_withoutWorkplaces_isEmpty() async throws {
        let home = try await world.client(9).send(.get, "/home").json(Home.self)
        #expect(home.ownerMonthlyWorkplaceSummaryInfoList.isEmpty && home.totalSalary == 0)
    }
}
