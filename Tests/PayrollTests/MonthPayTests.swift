import Contracts
import TestKit
import Testing
import Values

@testable import Payroll

@Suite struct MonthPayTests {
    @Test func vectors_areComplete() {
        #expect(MonthVector.all.count == 19)
    }

    @Test(arguments: MonthVector.all)
    func pay_matchesVectorToTheWon(vector: MonthVector) {
        let pay = MonthPay(vector.civilMonth, shifts: vector.recorded.shuffled(), terms: vector.terms)
        let lines = [
            "net minutes": pay.netMinutes, "night minutes": pay.nightMinutes,
            "day minutes": pay.netMinutes - pay.nightMinutes, "break minutes": pay.restMinutes, "base pay": pay.base,
            "night allowance": pay.nightAllowance, "weekly holiday allowance": pay.weeklyAllowance,
            "overtime premium": pay.overtimePremium, "holiday-work premium": pay.holidayPremium, "GROSS": pay.gross,
            "national pension": pay.deductions.pension, "health insurance": pay.deductions.health,
            "long-term care": pay.deductions.longTermCare, "employment insurance": pay.deductions.employment,
            "income tax": pay.deductions.incomeTax, "local income tax": pay.deductions.localIncomeTax,
            "total deductions": pay.deductions.total, "NET": pay.net,
        ]
        #expect(Set(vector.lines.keys).isSubset(of: lines.keys))
        // Lines that are zero are left out of a vector.
        for (name, amount) in lines { #expect(amount == vector.lines[name] ?? 0, "\(name)") }
        #expect(pay.shifts.map(\.gross) == vector.perShift.map { $0[0] })
        if vector.basisIsHourly {
            #expect(pay.netOfShifts == vector.perShift.compactMap { $0[1] })
        } else {
            #expect(pay.netOfShifts.reduce(0, +) == (pay.shifts.isEmpty ? 0 : pay.net))
        }
    }

    /// Random months: the lines always add up, and the result does not depend on the order of the shifts.
    @Test func lines_ofRandomMonths_addUp() throws {
        var random = SplitMix(state: 7)
        for _ in 0..<300 {
            var terms = WageTerms(cycle: .monthly, basis: .hourly)
            terms.hasPension = Bool.random(using: &random)
            terms.hasHealth = Bool.random(using: &random)
            terms.hasEmployment = Bool.random(using: &random)
            terms.hasIncomeTax = Bool.random(using: &random)
            terms.hasFiveOrMoreEmployees = Bool.random(using: &random)
            terms.taxMode = WageTerms.TaxMode.allCases.randomElement(using: &random) ?? .table
            let shifts = randomShifts(&random)
            let month = CivilMonth(year: 2025, month: 10)
            let pay = MonthPay(month, shifts: shifts, terms: terms)
            #expect(pay == MonthPay(month, shifts: shifts.shuffled(using: &random), terms: terms))
            let parts = pay.base + pay.nightAllowance + pay.weeklyAllowance + pay.overtimePremium + pay.holidayPremium
            #expect(pay.gross == parts)
            #expect(pay.net == pay.gross - pay.deductions.total)
            #expect(pay.netOfShifts.reduce(0, +) == pay.net)
            #expect(pay.nightMinutes <= pay.netMinutes)
        }
    }

    /// Working longer never earns less.
    @Test func oneMoreMinute_neverLowersGross() {
        var random = SplitMix(state: 8)
        var terms = WageTerms(cycle: .monthly, basis: .hourly)
        for round in 0..<300 {
            terms.hasFiveOrMoreEmployees = round % 2 == 0
            var shifts = randomShifts(&random)
            let month = CivilMonth(year: 2025, month: 10)
            let before = MonthPay(month, shifts: shifts, terms: terms).gross
            guard let index = shifts.indices.randomElement(using: &random), let length = shifts[index].length,
                length < ShiftMinutes.longest
            else { continue }
            shifts[index].length = length + 1
            #expect(MonthPay(month, shifts: shifts, terms: terms).gross >= before)
        }
    }

    /// A shift that is recorded as two is paid as one, except for the rounding of each part.
    @Test func splitShifts_payTheSameAsJoinedOnes() throws {
        let date = try #require(CivilDate("2025-11-05"))
        for rate in [10_030, 12_000, 10_137] {
            for five in [true, false] {
                var terms = WageTerms(cycle: .monthly, basis: .hourly)
                terms.hasFiveOrMoreEmployees = five
                let whole = Shift(id: 1, date: date, start: 540, length: 660, rest: 0, rate: rate)
                let parts = [
                    Shift(id: 1, date: date, start: 540, length: 300, rest: 0, rate: rate),
                    Shift(id: 2, date: date, start: 840, length: 360, rest: 0, rate: rate),
                ]
                let month = CivilMonth(year: 2025, month: 11)
                let joined = MonthPay(month, shifts: [whole], terms: terms)
                let split = MonthPay(month, shifts: parts, terms: terms)
                #expect(split.netMinutes == joined.netMinutes)
                #expect((0...2).contains(joined.gross - split.gross))
            }
        }
    }

    private func randomShifts(_ random: inout SplitMix) -> [Shift] {
        (0..<Int.random(in: 0...30, using: &random)).map { number in
            let first = CivilDate(dayNumber: 20_358)
            var shift = Shift(
                id: ShiftID(rawValue: Int64(number)),
                date: first + Int.random(in: 0...40, using: &random),
                start: Int.random(in: 0..<1440, using: &random),
                length: Int.random(in: 0...9, using: &random) == 0 ? nil : Int.random(in: 0...1440, using: &random),
                rest: Int.random(in: 0...90, using: &random),
                rate: Int.random(in: 9_000...20_000, using: &random)
            )
            shift.hasNightAllowance = Bool.random(using: &random)
            shift.hasWeeklyAllowance = Bool.random(using: &random)
            return shift
        }
    }
}

extension MonthVector {
    fileprivate var basisIsHourly: Bool { basis == "hourly" }
}
