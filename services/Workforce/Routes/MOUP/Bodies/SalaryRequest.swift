import Payroll

/// A wage in requests (MOUP contract 1.3, SalaryBody), with the optional inputs of 3D.
struct SalaryRequest: Decodable {
    var salaryType: SalaryType
    var salaryCalculation: SalaryCalculation
    var hourlyRate: Int?
    var fixedRate: Int?
    var salaryDate: Int?
    var salaryDay: DayOfWeek?
    var hasNationalPension: Bool
    var hasHealthInsurance: Bool
    var hasEmploymentInsurance: Bool
    var hasIndustrialAccident: Bool
    var hasIncomeTax: Bool
    var hasHolidayAllowance: Bool
    var hasNightAllowance: Bool
    var incomeTaxMode: IncomeTaxMode?
    var dependents: Int?
    var employedThreeMonthsOrMore: Bool?
    /// Used only for changes of a wage.
    var applyToFutureWorks: Bool?

    func draft() throws -> WageDraft {
        var terms = WageTerms(
            cycle: salaryType.cycle,
            basis: salaryCalculation == .fixed ? .fixed(fixedRate ?? 0) : .hourly,
            payDay: salaryDate,
            payWeekday: salaryDay?.weekday
        )
        terms.hasPension = hasNationalPension
        terms.hasHealth = hasHealthInsurance
        terms.hasEmployment = hasEmploymentInsurance
        terms.hasIncomeTax = hasIncomeTax
        let wage = Wage(
            terms: terms,
            hourlyRate: hourlyRate,
            fixedRate: fixedRate,
            hasIndustrialAccident: hasIndustrialAccident,
            hasHolidayAllowance: hasHolidayAllowance,
            hasNightAllowance: hasNightAllowance
        )
        return try WageDraft(
            wage,
            taxMode: incomeTaxMode?.mode,
            dependents: dependents,
            isEmployedForThreeMonths: employedThreeMonthsOrMore,
            appliesToFutureShifts: applyToFutureWorks ?? false
        )
    }
}
