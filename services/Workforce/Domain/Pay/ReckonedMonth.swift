import CivilTime
import Payroll

/// A month as it is written down.
struct ReckonedMonth: Sendable {
    var pay: MonthPay
    /// JSON (`WrittenPayslip`).
    var payslip: String
    var mark: Mark

    /// What a month was reckoned from.
    struct Mark: Sendable, Equatable {
        /// Of the shifts and the wage.
        var basis: Int64
        /// Of the book of rates.
        var revision: String
    }
}

extension ReckonedMonth.Mark {
    /// - Parameter shifts: of the weeks that touch the month.
    init(_ shifts: [Shift], _ wage: Wage?, _ book: RateBook) throws {
        var print = Fingerprint()
        if let wage { print.combine(Array(try WrittenPayslip.text(of: WrittenWage(wage)).utf8)) }
        for shift in shifts.sorted(by: { $0.id < $1.id }) {
            let numbers = [
                Int(shift.id), shift.date.dayNumber, shift.start, shift.length ?? -1, shift.rest, shift.rate,
                shift.hasNightAllowance ? 1 : 0, shift.hasWeeklyAllowance ? 1 : 0,
            ]
            for number in numbers { print.combine(number) }
        }
        self.init(basis: print.value, revision: book.revision)
    }
}
