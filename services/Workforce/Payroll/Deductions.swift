import Values

/// The deductions from a month's pay (MOUP contract 3D, T8 and T9), in won, each truncated to ten.
package struct Deductions: Sendable, Equatable {
    package var pension = 0
    /// The income that the pension contribution is calculated from.
    package var pensionBase = 0
    package var health = 0
    package var longTermCare = 0
    package var employment = 0
    package var incomeTax = 0
    package var localIncomeTax = 0

    package var total: Int { pension + health + longTermCare + employment + incomeTax + localIncomeTax }

    /// The minutes per month from which part-timers are insured.
    package static let insuredMinutes = 60 * 60
    /// The pay from which the pension is mandatory regardless of hours.
    package static let insuredPay = 2_200_000
    /// The tax-free pay of a day labourer per day.
    package static let taxFreeDay = 150_000
    /// The rate for workers who are not employees (Income Tax Act 129).
    static let businessTax = Fraction(3, of: 100)
    /// The rate on the income tax (Local Tax Act 103-13).
    static let localTax = Fraction(1, of: 10)

    /// The days per month from which day labourers have the pension (Enforcement Decree of the National Pension Act 2).
    package static let insuredDays = 8

    /// Whether employment insurance applies; to day labourers from the first day (Employment Insurance Act 10, its decree
    /// 3).
    static func isEmploymentInsured(minutes: Int, terms: WageTerms) -> Bool {
        minutes >= insuredMinutes || terms.isEmployedForThreeMonths || terms.isOfDayLabourer
    }

    init() {}

    /// - Parameter days: the days with pay.
    init(gross: Int, minutes: Int, days: [DayPay], terms: WageTerms, rates: Rates) {
        let isInsured = minutes >= Self.insuredMinutes
        let hasInsuredDays = terms.isOfDayLabourer && days.count >= Self.insuredDays
        if terms.hasPension, isInsured || gross >= Self.insuredPay || hasInsuredDays {
            pensionBase = min(max(gross / 1000 * 1000, rates.pensionBase.lowerBound), rates.pensionBase.upperBound)
            pension = rates.pension.timesCutToTen(pensionBase)
        }
        if terms.hasHealth, isInsured {
            health = rates.health.timesCutToTen(gross)
            longTermCare = rates.longTermCare.timesCutToTen(health)
        }
        if terms.hasEmployment, Self.isEmploymentInsured(minutes: minutes, terms: terms) {
            employment = rates.employment.timesCutToTen(gross)
        }
        if terms.hasIncomeTax {
            incomeTax = Self.incomeTax(gross: gross, days: days, terms: terms)
            localIncomeTax = Self.localTax.timesCutToTen(incomeTax)
        }
    }

    private static func incomeTax(gross: Int, days: [DayPay], terms: WageTerms) -> Int {
        switch terms.taxMode {
        case .table: WithholdingTable.tax(pay: gross, dependents: terms.dependents)
        case .business: businessTax.timesCutToTen(gross)
        case .daily: taxOfDays(days, cycle: terms.cycle)
        }
    }

    /// 2.7 % of each day's pay above the free amount, withheld payment by payment (Income Tax Act 47, 55, 59).
    private static func taxOfDays(_ days: [DayPay], cycle: WageTerms.Cycle) -> Int {
        DayPayment.all(days, cycle: cycle).reduce(0) { $0 + $1.tax }
    }
}

/// A payment to a day labourer: for a day, a week from Monday to Sunday, or the month.
struct DayPayment: Equatable {
    /// The days in order, at least one.
    var days: [DayPay]

    /// Less than 1,000 won of a payment is not collected (Income Tax Act 86).
    static let leastTax = 1000
    static let rate = Fraction(27, of: 1000)

    var tax: Int {
        let tax = days.reduce(0) { $0 + Self.rate.times(max(0, $1.amount - Deductions.taxFreeDay)) }.cutToTen
        return tax < Self.leastTax ? 0 : tax
    }

    /// - Parameter days: The days in order.
    static func all(_ days: [DayPay], cycle: WageTerms.Cycle) -> [DayPayment] {
        days.reduce(into: []) { payments, day in
            if let last = payments.last?.days.last, belongTogether(last.date, day.date, cycle) {
                payments[payments.count - 1].days.append(day)
            } else {
                payments.append(DayPayment(days: [day]))
            }
        }
    }

    private static func belongTogether(_ one: CivilDate, _ other: CivilDate, _ cycle: WageTerms.Cycle) -> Bool {
        switch cycle {
        case .daily: one == other
        case .weekly: one.monday == other.monday
        case .monthly: true
        }
    }
}
