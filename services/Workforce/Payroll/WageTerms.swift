package import Contracts
package import Values

/// The wage terms of a worker at a workplace (MOUP contract 1.3, 3D).
package struct WageTerms: Sendable, Equatable {
    package enum Cycle: String, Sendable, CaseIterable {
        case monthly, weekly, daily
    }

    /// The basis of the pay.
    package enum Basis: Sendable, Equatable {
        /// Won per hour; each shift has the rate that it was recorded with.
        case hourly
        /// Won for each month, week or day of the cycle with work.
        case fixed(Int)
    }

    /// How income tax is withheld.
    package enum TaxMode: String, Sendable, CaseIterable {
        /// The simplified table for employees (Enforcement Decree of the Income Tax Act, annex 2).
        case table
        /// 3 % and local tax on it, for workers who are not employees (Income Tax Act 129).
        case business
        /// Day labourers (Income Tax Act 47, 55, 59).
        case daily
    }

    package var cycle: Cycle
    package var basis: Basis
    /// The pay day of the month; in a shorter month its last day.
    package var payDay: Int?
    /// The pay day of the week.
    package var payWeekday: Weekday?
    package var hasPension = false
    package var hasHealth = false
    package var hasEmployment = false
    package var hasIncomeTax = false
    package var taxMode = TaxMode.table
    /// Including the worker.
    package var dependents = 1
    /// Whether the worker has been employed for three months or more, so that employment insurance applies below 60
    /// hours as well.
    package var isEmployedForThreeMonths = false
    /// Whether the workplace has five employees or more, so that the premiums of the Labor Standards Act apply.
    package var hasFiveOrMoreEmployees = false

    /// Whether the worker is a day labourer (Employment Insurance Act 2).
    var isOfDayLabourer: Bool { taxMode == .daily }

    /// Whether the pay is fixed for each week.
    var isPaidByWeek: Bool { basis != .hourly && cycle == .weekly }

    package init(cycle: Cycle, basis: Basis, payDay: Int? = nil, payWeekday: Weekday? = nil) {
        self.cycle = cycle
        self.basis = basis
        self.payDay = payDay
        self.payWeekday = payWeekday
    }
}

/// A recorded shift, with the wage terms at the time of recording: later changes of wages do not affect it (MOUP
/// contract 3D, T12).
package struct Shift: Sendable, Equatable {
    package var id: ShiftID
    /// The day in Korea on which the shift begins; the whole shift belongs to it.
    package var date: CivilDate
    /// Minutes after midnight of `date`.
    package var start: Int
    /// Minutes from start to end; nil for an open shift.
    package var length: Int?
    /// Minutes of unpaid break (Labor Standards Act 54).
    package var rest: Int
    /// Won per hour; 0 for fixed pay.
    package var rate: Int
    package var hasNightAllowance = false
    package var hasWeeklyAllowance = false

    package init(id: ShiftID, date: CivilDate, start: Int, length: Int?, rest: Int, rate: Int) {
        self.id = id
        self.date = date
        self.start = start
        self.length = length
        self.rest = rest
        self.rate = rate
    }

    /// The order in which shifts are processed.
    static func precedes(_ left: Shift, _ right: Shift) -> Bool {
        (left.date, left.start, left.id) < (right.date, right.start, right.id)
    }
}
