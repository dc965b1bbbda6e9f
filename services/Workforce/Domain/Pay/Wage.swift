import CivilTime
import Payroll

/// How somebody is paid at a workplace, as they typed it in (MOUP contract 1.3, SalaryBody).
struct Wage: Sendable, Equatable {
    /// What pay is reckoned with.
    var terms: WageTerms
    /// Won; both may be there, `terms.basis` says which counts.
    var hourlyRate: Int?
    var fixedRate: Int?
    /// Kept for the app; it is the employer's to pay.
    var hasIndustrialAccident = false
    var hasHolidayAllowance = false
    var hasNightAllowance = false

    /// What a shift takes with it, so that later changes leave it as it is (MOUP contract 3D, T12).
    var snapshot: Snapshot {
        guard case .hourly = terms.basis else { return Snapshot() }
        return Snapshot(
            hourlyRate: hourlyRate ?? 0,
            hasNightAllowance: hasNightAllowance,
            hasHolidayAllowance: hasHolidayAllowance
        )
    }

    /// The terms that a shift is recorded under; nothing for fixed pay, and for who is not paid.
    struct Snapshot: Sendable, Equatable {
        var hourlyRate = 0
        var hasNightAllowance = false
        var hasHolidayAllowance = false
    }
}

/// Somebody's wages over time: each holds from a month on, until the next.
struct WageHistory: Sendable, Equatable {
    /// In order.
    var entries: [Entry]

    struct Entry: Sendable, Equatable {
        var since: CivilMonth
        var wage: Wage
    }

    /// What holds now, or will.
    var latest: Wage? { entries.last?.wage }

    /// What held in a month; for months before the first entry that one. nil for who is not paid by wage terms.
    func wage(in month: CivilMonth) -> Wage? {
        (entries.last { $0.since <= month } ?? entries.first)?.wage
    }

    /// What a shift of a day is recorded under.
    func snapshot(on date: CivilDate) -> Wage.Snapshot {
        wage(in: date.month)?.snapshot ?? Wage.Snapshot()
    }
}
