import Contracts
import Values

@testable import Payroll

/// Months at random, of every kind.
enum MonthDraw {
    static func any(_ random: inout some RandomNumberGenerator) -> (CivilMonth, [Shift], WageTerms) {
        let month = CivilMonth(year: 2025, month: Int.random(in: 5...12, using: &random))
        return (month, shifts(around: month, &random), terms(&random))
    }

    static func terms(_ random: inout some RandomNumberGenerator) -> WageTerms {
        var terms = WageTerms(
            cycle: WageTerms.Cycle.allCases.randomElement(using: &random) ?? .monthly,
            basis: Int.random(in: 0..<3, using: &random) > 0
                ? .hourly : .fixed(.random(in: 1...900_000, using: &random)),
            payWeekday: Weekday.allCases.randomElement(using: &random)
        )
        terms.hasPension = .random(using: &random)
        terms.hasHealth = .random(using: &random)
        terms.hasEmployment = .random(using: &random)
        terms.hasIncomeTax = .random(using: &random)
        terms.hasFiveOrMoreEmployees = .random(using: &random)
        terms.isEmployedForThreeMonths = .random(using: &random)
        terms.dependents = .random(in: 1...4, using: &random)
        terms.taxMode = WageTerms.TaxMode.allCases.randomElement(using: &random) ?? .table
        return terms
    }

    static func shifts(around month: CivilMonth, _ random: inout some RandomNumberGenerator) -> [Shift] {
        (0..<Int.random(in: 0...30, using: &random)).map { number in
            var shift = Shift(
                id: ShiftID(rawValue: Int64(number)),
                date: month.first + Int.random(in: -6...36, using: &random),
                start: .random(in: 0..<1440, using: &random),
                length: Int.random(in: 0...9, using: &random) == 0 ? nil : .random(in: 0...1440, using: &random),
                rest: .random(in: 0...90, using: &random),
                rate: .random(in: 9_000...20_000, using: &random)
            )
            shift.hasNightAllowance = .random(using: &random)
            shift.hasWeeklyAllowance = .random(using: &random)
            return shift
        }
    }
}
