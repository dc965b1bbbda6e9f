import Contracts
import Payroll
import Values

/// A calculated month, as stored.
struct CalculatedMonth: Sendable {
    var pay: MonthPay
    /// JSON (`StoredPayslip`).
    var payslip: String
    var mark: Mark

    /// The inputs that a month was calculated from.
    struct Mark: Sendable, Equatable {
        /// Fingerprint of the shifts and the wages.
        var basis: Int64
        /// Revision of the rates.
        var revision: String
    }
}

extension CalculatedMonth.Mark {
    /// - Parameters:
    ///   - shifts: the shifts of all weeks that overlap the month.
    ///   - wages: those that decide about the month, in order.
    init(_ shifts: [Shift], _ wages: [WageHistory.Entry], _ book: PayRates) throws {
        var print = Fingerprint()
        for (index, entry) in wages.enumerated() {
            // The first applies to earlier days as well.
            if index > 0 { print.combine(entry.since.dayNumber) }
            print.combine(Array(try StoredPayslip.text(of: StoredWage(entry.wage)).utf8))
        }
        for shift in shifts.sorted(by: { $0.id < $1.id }) {
            let numbers = [
                Int(shift.id.rawValue), shift.date.dayNumber, shift.start, shift.length ?? -1, shift.rest, shift.rate,
                shift.hasNightAllowance ? 1 : 0, shift.hasWeeklyAllowance ? 1 : 0,
            ]
            for number in numbers { print.combine(number) }
        }
        self.init(basis: print.value, revision: book.revision)
    }
}
