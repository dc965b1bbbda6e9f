import Payroll
import Values

/// The wage of a worker, as entered (MOUP contract 1.3, SalaryBody).
struct Wage: Sendable, Equatable {
    /// The terms that pay is calculated with.
    var terms: WageTerms
    /// Won; both may be present, `terms.basis` selects one.
    var hourlyRate: Int?
    var fixedRate: Int?
    /// Stored for the app; the employer pays it.
    var hasIndustrialAccident = false
    var hasHolidayAllowance = false
    var hasNightAllowance = false

    /// The terms stored with a shift, so that later changes do not affect it (MOUP contract 3D, T12).
    var snapshot: Snapshot {
        guard case .hourly = terms.basis else { return Snapshot() }
        return Snapshot(
            hourlyRate: hourlyRate ?? 0,
            hasNightAllowance: hasNightAllowance,
            hasHolidayAllowance: hasHolidayAllowance
        )
    }

    /// The terms that a shift is recorded under; zero for fixed pay, and without wages.
    struct Snapshot: Sendable, Equatable {
        var hourlyRate = 0
        var hasNightAllowance = false
        var hasHolidayAllowance = false
    }
}

/// The wages of a worker over time: each applies from a month on, until the next.
struct WageHistory: Sendable, Equatable {
    /// In ascending order.
    var entries: [Entry]

    struct Entry: Sendable, Equatable {
        var since: CivilMonth
        var wage: Wage
    }

    /// The newest wage, which may apply from a later month on.
    var latest: Wage? { entries.last?.wage }

    /// The wage of a month; the first one for months before it. nil without wage terms.
    func wage(in month: CivilMonth) -> Wage? {
        (entries.last { $0.since <= month } ?? entries.first)?.wage
    }

    /// The terms for a shift on a day.
    func snapshot(on date: CivilDate) -> Wage.Snapshot {
        wage(in: date.month)?.snapshot ?? Wage.Snapshot()
    }
}
