package import CivilTime

/// How somebody is paid at a workplace (MOUP contract 1.3, 3D).
package struct WageTerms: Sendable, Equatable {
    /// How often it is paid.
    package enum Cycle: String, Sendable, CaseIterable {
        case monthly, weekly, daily
    }

    /// What is paid for.
    package enum Basis: Sendable, Equatable {
        /// Won an hour; each shift carries the rate that it was recorded with.
        case hourly
        /// Won for each month, week or day of the cycle in which there was work.
        case fixed(Int)
    }

    /// How income tax is withheld.
    package enum TaxMode: String, Sendable, CaseIterable {
        /// The simplified table for employees (Enforcement Decree of the Income Tax Act, annex 2).
        case table
        /// 3 % and local tax on it, for people who are not employees (Income Tax Act 129).
        case business
        /// Day labourers (Income Tax Act 47, 55, 59).
        case daily
    }

    package var cycle: Cycle
    package var basis: Basis
    /// The day of the month on which it is paid; the last one of a shorter month.
    package var payDay: Int?
    /// The day of the week on which it is paid.
    package var payWeekday: Weekday?
    package var hasPension = false
    package var hasHealth = false
    package var hasEmployment = false
    package var hasIncomeTax = false
    package var taxMode = TaxMode.table
    /// The person included.
    package var dependents = 1
    /// Employed for three months or more, so that employment insurance counts below 60 hours, too.
    package var isEmployedForThreeMonths = false
    /// Whether the workplace has five employees or more, to whom the premiums of the Labor Standards Act apply.
    package var hasFiveOrMoreEmployees = false

    package init(cycle: Cycle, basis: Basis, payDay: Int? = nil, payWeekday: Weekday? = nil) {
        self.cycle = cycle
        self.basis = basis
        self.payDay = payDay
        self.payWeekday = payWeekday
    }
}

/// A stretch of work as it was recorded, with the terms that it was recorded under: later changes of wages do not touch it
/// (MOUP contract 3D, T12).
package struct Shift: Sendable, Equatable {
    package var id: Int64
    /// The Korean day on which it begins, to which all of it belongs.
    package var date: CivilDate
    /// Minutes after midnight of `date`.
    package var start: Int
    /// Minutes from start to end; nil while it is open.
    package var length: Int?
    /// Minutes of break, unpaid (Labor Standards Act 54).
    package var rest: Int
    /// Won an hour; 0 on fixed pay.
    package var rate: Int
    package var hasNightAllowance = false
    package var hasWeeklyAllowance = false

    package init(id: Int64, date: CivilDate, start: Int, length: Int?, rest: Int, rate: Int) {
        self.id = id
        self.date = date
        self.start = start
        self.length = length
        self.rest = rest
        self.rate = rate
    }

    /// The order in which a week is gone through.
    static func precedes(_ left: Shift, _ right: Shift) -> Bool {
        (left.date, left.start, left.id) < (right.date, right.start, right.id)
    }
}
