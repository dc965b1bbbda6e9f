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

/// What operators see of memberships and payslips.
@Suite(.database(Migrations.all), .service) struct OperatorRoutesTests {
    private var world: WorkforceWorld { .current }
    private var console: ServiceClient { ServiceClient(world.client, to: .workforce, process: .console) }

    private func path(_ account: AccountID, _ workplace: WorkplaceID, _ month: String) -> String {
        "\(OperatorsAPI.Payslip.path)?account=\(account)&workplace=\(workplace)&month=\(month)"
    }

    private func payslip(_ account: AccountID, _ workplace: WorkplaceID, _ month: String) async throws
        -> OperatorsAPI.Payslip
    {
        let answer = try await console.send(.get, path(account, workplace, month))
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json()
    }

    private func memberships(of account: AccountID) async throws -> [OperatorsAPI.Membership] {
        let answer = try await console.send(.get, "\(OperatorsAPI.Memberships.path)?account=\(account)")
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json(OperatorsAPI.Memberships.self).memberships
    }

    /// The amounts are those that the worker sees; the console calculates none.
    @Test(arguments: MonthVector.all) func payslip_hasTheStoredAmounts(vector: MonthVector) async throws {
        let pay = PayWorld()
        let place = try await pay.workplace(of: 9)
        let worker = try await pay.worker(1, at: place, vector.wage)
        try await pay.work(worker, vector)
        let found = try await payslip(1, place, vector.month)
        #expect(found.worker == worker && found.workplaceName == "언덕카페" && found.nickname == "하루")
        let slip = try #require(found.pay)
        #expect(slip.gross == vector.lines["GROSS"] && slip.net == vector.lines["NET"])
        for (lines, sum) in [
            (slip.earnings, slip.gross), (slip.deductions, slip.deducted), (slip.employerCosts, slip.labourCost),
        ] {
            #expect(lines.reduce(0) { $0 + $1.amount } == sum)
            for line in lines {
                #expect(line.parts.reduce(0) { $0 + $1.amount } == line.amount)
                #expect(line.amount != 0 || line.reason != nil || !line.parts.isEmpty, "\(line.name)")
                #expect(!line.law.isEmpty)
            }
        }
        #expect(found.shifts.count == vector.perShift.count)
        #expect(found.shifts.map(\.day) == found.shifts.map(\.day).sorted())
    }

    @Test func formula_hasItsFigures() async throws {
        let pay = PayWorld()
        let place = try await pay.workplace(of: 9)
        let worker = try await pay.worker(1, at: place, .full)
        for day in 3...7 { try await pay.work(worker, "2025-11-0\(day)", 540, 540, rest: 60) }
        let slip = try #require(try await payslip(1, place, "2025-11").pay)
        let base = try #require(slip.earnings.first)
        #expect(base.name == "기본급" && base.formula == "횟수 × ⌊근로시간 × 시급 ÷ 60⌋")
        #expect(base.parts.map(\.calculation) == ["5회 × ⌊480분 × 10,030원 ÷ 60⌋"])
        #expect(base.parts.map(\.amount) == [401_200] && base.law == "근로기준법 제43조")
        let weekly = try #require(slip.earnings.first { $0.name == "주휴수당" })
        #expect(
            weekly.parts.first?.calculation
                == "⌊⌊min(2,400분, 2400) × 10,030원 ÷ 300⌋ ÷ 5회⌋ × 5회 + 0원"
        )
        #expect(weekly.parts.first?.date == "2025-11-03" && weekly.parts.first?.figures == [])
    }

    @Test func shifts_haveBreaksAndAttendance() async throws {
        let pay = PayWorld()
        let place = try await pay.workplace(of: 9)
        let worker = try await pay.worker(1, at: place, .hourly())
        let shift = try await pay.work(worker, "2025-11-05", 1320, 480, rest: 60)
        try await pay.work(worker, "2025-11-03", 540, nil)
        try await pay.work(worker, "2025-12-01", 540, 60)
        let begin = Date.seoul("2025-11-05", 1320)
        try await TestDatabase.current.client.execute(
            "UPDATE shifts SET started_at = \(begin), ended_at = \(begin + 28_860) WHERE id = \(shift)"
        )
        let found = try await payslip(1, place, "2025-11").shifts
        #expect(found.map(\.day) == ["2025-11-03", "2025-11-05"])
        #expect(found[0].endsAt == nil && found[0].clockedInAt == nil)
        #expect(found[1].endsAt == begin.timeIntervalSince1970 + 28_800 && found[1].breakMinutes == 60)
        #expect(found[1].clockedInAt == begin.timeIntervalSince1970)
        #expect(found[1].clockedOutAt == begin.timeIntervalSince1970 + 28_860)
    }

    @Test func membershipWithoutWageTerms_hasShiftsAndNoPay() async throws {
        let pay = PayWorld()
        let place = try await pay.workplace(of: 9)
        let worker = try await pay.worker(9, at: place, nil)
        try await pay.work(worker, "2025-11-05", 540, 480)
        let found = try await payslip(9, place, "2025-11")
        #expect(found.pay == nil && found.shifts.count == 1)
    }

    @Test func memberships_areListed_currentOnesFirst() async throws {
        let (pay, database) = (PayWorld(), TestDatabase.current.client)
        let (first, second) = (try await pay.workplace(of: 9), try await pay.workplace(of: 1, "<b>집</b>"))
        let parted = try await pay.worker(1, at: first, .full)
        try await database.execute("UPDATE workers SET parted_at = now() WHERE id = \(parted)")
        let own = try await pay.worker(1, at: second, .full)
        let again = try await pay.worker(1, at: first, .full, isAccepted: false)
        let found = try await memberships(of: 1)
        #expect(found.map(\.worker) == [again, own, parted])
        #expect(found.map(\.isOwner) == [false, true, false] && found.map(\.isAccepted) == [false, true, true])
        #expect(found.map { $0.leftAt == nil } == [true, true, false] && found[1].workplaceName == "<b>집</b>")
        for account in [AccountID(2), 999] { #expect(try await memberships(of: account) == []) }
    }

    @Test func unknownMembership_isNotFound_andInvalidQueryIsRefused() async throws {
        let pay = PayWorld()
        let place = try await pay.workplace(of: 9)
        _ = try await pay.worker(1, at: place, .full)
        for unknown in [path(2, place, "2025-11"), path(1, 999, "2025-11"), path(-1, 0, "2025-11")] {
            #expect(try await console.send(.get, unknown).status == .notFound)
        }
        let invalid = [
            path(1, place, "2025-13"), path(1, place, "november"), path(1, place, ""),
            "\(OperatorsAPI.Payslip.path)?account=x&workplace=1&month=2025-11",
            "\(OperatorsAPI.Payslip.path)?account=1&month=2025-11", OperatorsAPI.Memberships.path,
            "\(OperatorsAPI.Memberships.path)?account=99999999999999999999",
        ]
        for path in invalid { #expect(try await console.send(.get, path).status == .badRequest, "\(path)") }
    }
}
