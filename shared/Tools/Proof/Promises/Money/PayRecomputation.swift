import Contracts
package import Payroll
package import Values

/// What a payslip has to show, from the shifts that a phone knows of and the terms that it joined with
/// (`MOUPClient.join`).
package enum PayRecomputation {
    private static let rate = 10_030

    private static let terms: WageTerms = {
        var terms = WageTerms(cycle: .monthly, basis: .hourly, payDay: 10)
        (terms.hasPension, terms.hasHealth, terms.hasEmployment, terms.hasIncomeTax) = (true, true, true, true)
        return terms
    }()

    /// The lines of a payslip.
    ///
    /// - Parameter shifts: Of the month, whose weeks have no other shifts outside of it.
    package static func lines(of shifts: [WorkedShift], in month: CivilMonth) -> [String: Int64] {
        let recorded = shifts.enumerated().map { number, worked in
            var shift = Shift(
                id: ShiftID(rawValue: Int64(number) + 1),
                date: worked.date,
                start: worked.start,
                length: worked.length,
                rest: worked.rest,
                rate: rate
            )
            (shift.hasNightAllowance, shift.hasWeeklyAllowance) = (true, true)
            return shift
        }
        return lines(of: Payslip(MonthPay(month, shifts: recorded, terms: terms), terms: terms))
    }

    /// The amounts of a payslip by the names of their lines.
    package static func lines(of payslip: Payslip) -> [String: Int64] {
        let sums = [
            "minutes of work": payslip.totalWorkMinutes, "minutes at night": payslip.nightTimeMinutes,
            "minutes of breaks": payslip.restTimeMinutes, "gross": payslip.grossIncome,
            "deducted": payslip.totalDeductions, "net": payslip.netIncome, "labour cost": payslip.labourCost,
        ]
        let parts = [
            ("earned", payslip.earnings), ("deduction", payslip.deductions), ("employer", payslip.employerCosts),
        ]
        let lines = parts.flatMap { part, lines in lines.map { ("\(part) \($0.code)", $0.amount) } }
        return sums.merging(lines, uniquingKeysWith: +).mapValues { Int64($0) }
    }
}

extension PayslipReading {
    /// With a recomputation for each set of the shifts that are open.
    var pair: PayslipPair {
        let recomputed = (0..<(1 << open.count)).map { set in
            let there = open.enumerated().filter { set >> $0.offset & 1 == 1 }.map(\.element)
            return PayRecomputation.lines(of: shifts + there, in: month)
        }
        return PayslipPair("\(worker), \(month)", stored: shown, recomputed: recomputed, at: at, trace: trace)
    }
}
