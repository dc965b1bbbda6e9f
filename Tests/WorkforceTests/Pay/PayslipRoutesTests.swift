import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Payroll
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

@Suite(.database(Migrations.all)) struct PayslipRoutesTests {
    private var world: WorkforceWorld { .current }

    @Test func monthVectors_areComplete() {
        #expect(MonthVector.all.count == 19)
    }

    @Test(.service, arguments: MonthVector.all)
    func storedPay_matchesMonthVector(vector: MonthVector) async throws {
        let (pay, database) = (PayWorld(), TestDatabase.current.client)
        let place = try await pay.workplace(of: 9)
        let worker = try await pay.worker(1, at: place, vector.wage)
        try await pay.work(worker, vector)

        let day = CivilDate.of("\(vector.month)-01")
        let kept = try await database.one(
            """
            SELECT ARRAY[net_minutes, night_minutes, net_minutes - night_minutes, rest_minutes, base_pay,
                night_allowance, weekly_allowance, overtime_premium, holiday_premium, gross_pay, pension, health,
                long_term_care, employment, income_tax, local_income_tax, gross_pay - net_pay, net_pay]
            FROM months WHERE worker_id = \(worker) AND month = \(day)
            """
        ) { try $0.decode([Int].self) }
        let names = [
            "net minutes", "night minutes", "day minutes", "break minutes", "base pay", "night allowance",
            "weekly holiday allowance", "overtime premium", "holiday-work premium", "GROSS", "national pension",
            "health insurance", "long-term care", "employment insurance", "income tax", "local income tax",
            "total deductions", "NET",
        ]
        for (name, amount) in zip(names, kept) { #expect(amount == vector.lines[name] ?? 0, "\(name)") }

        let answer = try await world.client(1).send(.get, "/workplaces/\(place)/workers/me/payslips/\(vector.month)")
        #expect(answer.status == .ok)
        let body = try answer.json(PayslipAnswer.self)
        #expect(body.payslip.grossIncome == vector.lines["GROSS"])
        #expect(body.payslip.netIncome == vector.lines["NET"])
        #expect(body.payslip.earnings.reduce(0) { $0 + $1.amount } == vector.lines["GROSS"])
        #expect(body.shifts.map(\.grossIncome) == vector.perShift.map { $0[0] })
        if vector.basis == "hourly" {
            #expect(body.shifts.map(\.estimatedNetIncome) == vector.perShift.map { $0[1] })
        } else {
            // The shares of fixed pay add up to the month.
            #expect(body.shifts.compactMap(\.estimatedNetIncome).reduce(0, +) == vector.lines["NET"])
        }
    }

    @Test(.service) func payslip_isTheSameForWorkerAndOwner() async throws {
        let pay = PayWorld()
        let place = try await pay.workplace(of: 9)
        let worker = try await pay.worker(1, at: place, .full)
        let shift = try await pay.work(worker, "2025-11-05", 540, 540, rest: 60)
        let path = "/workplaces/\(place)/workers"
        let own = try await world.client(1).send(.get, "\(path)/me/payslips/2025-11")
        let body = try own.json(PayslipAnswer.self)
        #expect(body.workplaceId == place && body.workplaceName == "언덕카페")
        #expect(body.workerId == worker && body.nickname == "하루")
        #expect(body.payslip.month == "2025-11" && body.payslip.totalWorkMinutes == 480)
        #expect(body.payslip.earnings.map(\.label) == ["기본급", "주휴수당"])
        #expect(body.payslip.deductions.allSatisfy { $0.amount == 0 && $0.reason != nil })
        #expect(body.payslip.labourCost == 80_240)
        #expect(body.payslip.wage.salaryType == "SALARY_MONTHLY" && body.payslip.wage.hourlyRate == 10_030)
        #expect(own.text.contains(#""salaryDay":null"#))
        #expect(body.shifts.map(\.workId) == [shift])
        #expect(own.text.contains(#""startTime":"2025-11-05T00:00:00Z""#))
        let owners = try await world.client(9).send(.get, "\(path)/\(worker)/payslips/2025-11")
        #expect(owners.text == own.text)
    }

    @Test(.service) func payslip_withoutShifts_hasNoLines() async throws {
        let pay = PayWorld()
        let place = try await pay.workplace(of: 9)
        _ = try await pay.worker(1, at: place, .full)
        let answer = try await world.client(1).send(.get, "/workplaces/\(place)/workers/me/payslips/2025-10")
        #expect(answer.status == .ok)
        let slip = try answer.json(PayslipAnswer.self).payslip
        #expect(slip.earnings.isEmpty && slip.deductions.isEmpty && slip.employerCosts.isEmpty)
        #expect(slip.grossIncome == 0 && slip.netIncome == 0 && slip.wage.hasNationalPension)
    }

    /// From Monday 29 to Wednesday 31 December, paid on Sunday 4 January.
    @Test(.service(at: "2026-01-02T00:00")) func weeklyPay_isPaidInMonthWithoutShifts() async throws {
        let pay = PayWorld()
        let place = try await pay.workplace(of: 9)
        let worker = try await pay.worker(1, at: place, .fixed(400_000, .weekly))
        for date in ["2025-12-29", "2025-12-30", "2025-12-31"] { try await pay.work(worker, date, 540, 300, rest: 30) }
        let path = "/workplaces/\(place)/workers/me/payslips"
        let december = try await world.client(1).send(.get, "\(path)/2025-12").json(PayslipAnswer.self)
        #expect(december.payslip.grossIncome == 0 && december.payslip.totalWorkMinutes == 810)
        #expect(december.shifts.map(\.estimatedNetIncome) == [0, 0, 0])
        let january = try await world.client(1).send(.get, "\(path)/2026-01").json(PayslipAnswer.self)
        #expect(january.payslip.earnings.map(\.code) == ["FIXED_PAY"] && january.shifts.isEmpty)
        #expect(january.payslip.netIncome == 400_000)
        let home = try await world.client(1).send(.get, "/home").json(WorkerHomeAnswer.self)
        #expect(home.totalSalary == 400_000 && home.totalEarnedToDate == 400_000)
    }

    @Test(.service) func invalidPayslipRequest_returnsMOUPsCode() async throws {
        let pay = PayWorld()
        let (place, others) = (try await pay.workplace(of: 9), try await pay.workplace(of: 8, "옆가게"))
        let worker = try await pay.worker(1, at: place, .full)
        let unpaid = try await pay.worker(9, at: place, nil)
        let foreign = try await pay.worker(2, at: others, .full)
        try await pay.work(foreign, "2025-11-05", 540, 540, rest: 60)
        _ = try await pay.worker(2, at: place, .full, isAccepted: false)
        let cases: [(AccountID, String, Int, String)] = [
            (1, "\(place)/workers/me/payslips/2025-13", 400, "ARGUMENT_400"),
            (1, "\(place)/workers/me/payslips/2025-1", 400, "ARGUMENT_400"),
            (1, "\(place)/workers/me/payslips/november", 400, "ARGUMENT_400"),
            (1, "\(place)/workers/me/payslips/1999-01", 400, "ARGUMENT_400"),
            (1, "x/workers/me/payslips/2025-11", 400, "ARGUMENT_400"),
            (1, "0/workers/me/payslips/2025-11", 400, "VARIABLE_400"),
            (9, "\(place)/workers/x/payslips/2025-11", 400, "ARGUMENT_400"),
            (9, "\(place)/workers/-1/payslips/2025-11", 400, "VARIABLE_400"),
            (1, "999/workers/me/payslips/2025-11", 404, "WORKPLACE_404"),
            (1, "\(others)/workers/me/payslips/2025-11", 404, "WORKER_404"),
            (2, "\(place)/workers/me/payslips/2025-11", 403, "PERMISSION_403"),
            (9, "\(place)/workers/me/payslips/2025-11", 404, "SALARY_404"),
            (9, "\(place)/workers/\(unpaid)/payslips/2025-11", 404, "SALARY_404"),
            (9, "\(place)/workers/\(foreign)/payslips/2025-11", 404, "WORKER_404"),
            (9, "\(place)/workers/999/payslips/2025-11", 404, "WORKER_404"),
            (9, "\(others)/workers/\(foreign)/payslips/2025-11", 403, "PERMISSION_403"),
            (8, "\(place)/workers/\(worker)/payslips/2025-11", 403, "PERMISSION_403"),
            (2, "\(place)/workers/\(worker)/payslips/2025-11", 403, "PERMISSION_403"),
            (1, "\(place)/workers/\(worker)/payslips/2025-11", 403, "PERMISSION_403"),
            (9, "999/workers/\(worker)/payslips/2025-11", 404, "WORKPLACE_404"),
        ]
        for (account, path, status, code) in cases {
            let answer = try await world.client(account).send(.get, "/workplaces/\(path)")
            #expect(answer.status.code == status && answer.text.contains(code), "\(path): \(answer.text)")
        }
    }

    @Test(.service) func partedWorker_stillReadsOwnPayslips() async throws {
        let (pay, database) = (PayWorld(), TestDatabase.current.client)
        let place = try await pay.workplace(of: 9)
        let worker = try await pay.worker(1, at: place, .full)
        try await pay.work(worker, "2025-10-07", 540, 540, rest: 60)
        let path = "/workplaces/\(place)/workers"
        let before = try await world.client(1).send(.get, "\(path)/me/payslips/2025-10")
        try await database.execute("UPDATE workers SET parted_at = now() WHERE id = \(worker)")
        #expect(try await world.client(1).send(.get, "\(path)/me/payslips/2025-10").text == before.text)
        #expect(try await world.client(9).send(.get, "\(path)/\(worker)/payslips/2025-10").text == before.text)

        // The worker joins again under a new row: the old month belongs to the old row, a new month to the new one.
        let again = try await pay.worker(1, at: place, .hourly(12_000))
        try await pay.work(again, "2025-11-05", 540, 540, rest: 60)
        #expect(try await world.client(1).send(.get, "\(path)/me/payslips/2025-10").text == before.text)
        let november = try await world.client(1).send(.get, "\(path)/me/payslips/2025-11")
        #expect(try november.json(PayslipAnswer.self).workerId == again)

        try await database.execute("UPDATE workplaces SET deleted_at = now() WHERE id = \(place)")
        #expect(try await world.client(1).send(.get, "\(path)/me/payslips/2025-10").text == before.text)
        #expect(try await world.client(9).send(.get, "\(path)/\(worker)/payslips/2025-10").status == .notFound)
        // Other users get the answer for a missing workplace.
        #expect(try await world.client(2).send(.get, "\(path)/me/payslips/2025-10").text.contains("WORKPLACE_404"))
    }
}

/// The response with a payslip, with the members that the tests compare.
struct PayslipAnswer: Decodable {
    var workplaceId: WorkplaceID
    var workplaceName: String
    var workerId: WorkerID
    var nickname: String
    var shifts: [Shift]
    var payslip: Slip

    struct Shift: Decodable {
        var workId: ShiftID
        var grossIncome: Int
        var estimatedNetIncome: Int?
    }

    struct Slip: Decodable {
        var month: String
        var totalWorkMinutes: Int
        var grossIncome: Int
        var netIncome: Int
        var labourCost: Int
        var earnings: [Payslip.Line]
        var deductions: [Payslip.Line]
        var employerCosts: [Payslip.Line]
        var wage: PaidWage
    }

    struct PaidWage: Decodable {
        var salaryType: String
        var hourlyRate: Int?
        var hasNationalPension: Bool
    }
}
