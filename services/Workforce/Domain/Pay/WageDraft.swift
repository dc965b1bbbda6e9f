import Payroll

/// A new wage, as entered (MOUP contract 1.3, SalaryBody).
struct WageDraft: Sendable, Equatable {
    private let typed: Wage
    private let taxMode: WageTerms.TaxMode?
    private let dependents: Int?
    private let isEmployedForThreeMonths: Bool?
    /// Whether the wage also applies to shifts that have not begun (MOUP contract 3D, T12).
    let appliesToFutureShifts: Bool

    /// Won, for hourly and fixed rates.
    static let highestRate = 100_000_000

    /// - Parameters:
    ///   - typed: the entered values, without those of the workplace.
    ///   - taxMode, dependents, isEmployedForThreeMonths: nil keeps the previous value.
    /// - Throws: `WorkforceError.field`.
    init(
        _ typed: Wage,
        taxMode: WageTerms.TaxMode? = nil,
        dependents: Int? = nil,
        isEmployedForThreeMonths: Bool? = nil,
        appliesToFutureShifts: Bool = false
    ) throws {
        for (rate, field) in [(typed.hourlyRate, "hourlyRate"), (typed.fixedRate, "fixedRate")] {
            guard let rate else { continue }
            try Self.check(rate, field, in: 1...Self.highestRate)
        }
        switch typed.terms.basis {
        case .hourly where typed.hourlyRate == nil: throw WorkforceError.field("시급제에는 hourlyRate가 필수입니다.")
        case .fixed where typed.fixedRate == nil: throw WorkforceError.field("고정급에는 fixedRate가 필수입니다.")
        default: break
        }
        if let day = typed.terms.payDay { try Self.check(day, "salaryDate", in: 1...31) }
        if let dependents { try Self.check(dependents, "dependents", in: 1...11) }
        self.typed = typed
        self.taxMode = taxMode
        self.dependents = dependents
        self.isEmployedForThreeMonths = isEmployedForThreeMonths
        self.appliesToFutureShifts = appliesToFutureShifts
    }

    /// The resulting wage at a workplace.
    ///
    /// - Parameter previous: the wage before the change; nil for a new worker.
    func wage(after previous: Wage?, at workplace: Workplace) -> Wage {
        var wage = typed
        let kept = previous?.terms ?? typed.terms
        wage.terms.taxMode = taxMode ?? kept.taxMode
        wage.terms.dependents = dependents ?? kept.dependents
        wage.terms.isEmployedForThreeMonths = isEmployedForThreeMonths ?? kept.isEmployedForThreeMonths
        wage.terms.hasFiveOrMoreEmployees = workplace.hasFiveOrMoreEmployees
        return wage
    }

    private static func check(_ number: Int, _ field: String, in range: ClosedRange<Int>) throws {
        guard range.contains(number) else {
            throw WorkforceError.field("\(field)은(는) \(range.lowerBound)에서 \(range.upperBound) 사이여야 합니다.")
        }
    }
}
