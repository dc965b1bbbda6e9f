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

/// The wages of a worker over time: each applies from a day on, until the next.
struct WageHistory: Sendable, Equatable {
    /// In ascending order.
    var entries: [Entry]

    struct Entry: Sendable, Equatable {
        var since: CivilDate
        var wage: Wage
    }

    /// The newest wage, which may apply from a later day on.
    var latest: Wage? { entries.last?.wage }

    /// The wage at the end of a month; the first one for months before it. nil without wage terms.
    func wage(in month: CivilMonth) -> Wage? { wage(on: month.last) }

    private func wage(on date: CivilDate) -> Wage? {
        (entries.last { $0.since <= date } ?? entries.first)?.wage
    }

    /// The terms for a shift on a day.
    func snapshot(on date: CivilDate) -> Wage.Snapshot {
        wage(on: date)?.snapshot ?? Wage.Snapshot()
    }

    /// The wages that decide about the pay of a month; empty without wage terms.
    func deciding(_ month: CivilMonth) -> [Entry] {
        guard let terms else { return [] }
        let days = Set(terms.deciding(month).entries.map(\.since))
        return entries.filter { days.contains($0.since) }
    }

    /// nil without wage terms.
    var terms: TermHistory? {
        TermHistory(entries.map { TermHistory.Entry(since: $0.since, terms: $0.wage.terms) })
    }
}
