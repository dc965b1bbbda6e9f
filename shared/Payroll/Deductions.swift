/// What is taken from a month's pay (MOUP contract 3D, T8 and T9), in won, each cut to ten.
package struct Deductions: Sendable, Equatable {
    package var pension = 0
    /// What pension was reckoned on.
    package var pensionBase = 0
    package var health = 0
    package var longTermCare = 0
    package var employment = 0
    package var incomeTax = 0
    package var localIncomeTax = 0

    package var total: Int { pension + health + longTermCare + employment + incomeTax + localIncomeTax }

    /// From so many minutes of a month on, part-timers are insured.
    package static let insuredMinutes = 60 * 60
    /// From so much pay on, they have a pension whatever their hours.
    package static let insuredPay = 2_200_000
    /// What a day labourer earns in a day free of tax.
    package static let taxFreeDay = 150_000

    init() {}

    init(gross: Int, minutes: Int, days: [CivilDate: Int], terms: WageTerms, rates: Rates) {
        let isInsured = minutes >= Self.insuredMinutes
        if terms.hasPension, isInsured || gross >= Self.insuredPay {
            pensionBase = min(max(gross / 1000 * 1000, rates.pensionBase.lowerBound), rates.pensionBase.upperBound)
            pension = rates.pension.timesCutToTen(pensionBase)
        }
        if terms.hasHealth, isInsured {
            health = rates.health.timesCutToTen(gross)
            longTermCare = rates.longTermCare.timesCutToTen(health)
        }
        if terms.hasEmployment, isInsured || terms.isEmployedForThreeMonths {
            employment = rates.employment.timesCutToTen(gross)
        }
        if terms.hasIncomeTax {
            incomeTax = Self.incomeTax(gross: gross, days: days, terms: terms)
            localIncomeTax = Fraction(1, of: 10).timesCutToTen(incomeTax)
        }
    }

    private static func incomeTax(gross: Int, days: [CivilDate: Int], terms: WageTerms) -> Int {
        switch terms.taxMode {
        case .table: WithholdingTable.tax(pay: gross, dependents: terms.dependents)
        case .business: Fraction(3, of: 100).timesCutToTen(gross)
        case .daily: taxOfDays(days, cycle: terms.cycle)
        }
    }

    /// 2.7 % of each day's pay above the free amount, withheld payment by payment; less than 1,000 won of one is not
    /// collected (Income Tax Act 47, 55, 59, 86).
    private static func taxOfDays(_ days: [CivilDate: Int], cycle: WageTerms.Cycle) -> Int {
        let payments = Dictionary(grouping: days) { day, _ in
            switch cycle {
            case .daily: day.dayNumber
            case .weekly: day.monday.dayNumber
            case .monthly: 0
            }
        }
        return payments.values.reduce(0) { sum, days in
            let tax = days.reduce(0) { $0 + Fraction(27, of: 1000).times(max(0, $1.value - taxFreeDay)) }.cutToTen
            return sum + (tax < 1000 ? 0 : tax)
        }
    }
}
