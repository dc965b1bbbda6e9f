extension Payslip {
    /// The employer's costs of a month other than 0. Accident insurance is not included, because its rate depends on
    /// the trade.
    static func employerCosts(_ pay: MonthPay, _ terms: WageTerms, _ rates: Rates) -> [Line] {
        let share = pay.employersShare
        var lines = [Line(.wages, pay.gross, [.won("지급총액", pay.gross)])]
        func add(_ rule: PayRule, _ amount: Int, _ inputs: [Input]) {
            if amount > 0 { lines.append(Line(rule, amount, inputs)) }
        }
        let taken = DeductionLines(pay: pay, terms: terms, rates: rates)
        add(.employersPension, share.pension, taken.pensionInputs)
        add(.employersHealth, share.health, [.won("월보수", pay.gross), .rate("요율", rates.health)])
        add(
            .employersLongTermCare,
            share.longTermCare,
            [.won("건강보험료", share.health), .rate("요율", rates.longTermCare)]
        )
        add(
            .employersEmployment,
            share.employment,
            [.won("월보수", pay.gross), .rate("요율", rates.employersEmployment)]
        )
        return lines
    }
}

/// The employer's contributions in addition to the wages (MOUP contract 3D, T14).
package struct EmployersShare: Sendable, Equatable {
    package var pension = 0
    package var health = 0
    package var longTermCare = 0
    package var employment = 0

    package var total: Int { pension + health + longTermCare + employment }

    init() {}

    init(gross: Int, minutes: Int, taken: Deductions, terms: WageTerms, rates: Rates) {
        pension = taken.pension
        health = taken.health
        longTermCare = taken.longTermCare
        if terms.hasEmployment, Deductions.isEmploymentInsured(minutes: minutes, terms: terms) {
            employment = rates.employersEmployment.timesCutToTen(gross)
        }
    }
}
