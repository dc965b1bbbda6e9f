import Apps
import Payroll
import Values

/// A wage in responses (MOUP contract 1.3, SalaryDetail).
struct SalaryDetail: Encodable, Equatable {
    var salaryType: SalaryType
    var salaryCalculation: SalaryCalculation
    @Nullable var hourlyRate: Int?
    @Nullable var fixedRate: Int?
    @Nullable var salaryDate: Int?
    @Nullable var salaryDay: DayOfWeek?
    var hasNationalPension: Bool
    var hasHealthInsurance: Bool
    var hasEmploymentInsurance: Bool
    var hasIndustrialAccident: Bool
    var hasIncomeTax: Bool
    var hasHolidayAllowance: Bool
    var hasNightAllowance: Bool
    var incomeTaxMode: IncomeTaxMode
    var dependents: Int
    var employedThreeMonthsOrMore: Bool

    init(_ wage: Wage) {
        let terms = wage.terms
        salaryType = SalaryType(terms.cycle)
        salaryCalculation = if case .fixed = terms.basis { .fixed } else { .hourly }
        hourlyRate = wage.hourlyRate
        fixedRate = wage.fixedRate
        salaryDate = terms.payDay
        salaryDay = terms.payWeekday.map(DayOfWeek.init)
        hasNationalPension = terms.hasPension
        hasHealthInsurance = terms.hasHealth
        hasEmploymentInsurance = terms.hasEmployment
        hasIndustrialAccident = wage.hasIndustrialAccident
        hasIncomeTax = terms.hasIncomeTax
        hasHolidayAllowance = wage.hasHolidayAllowance
        hasNightAllowance = wage.hasNightAllowance
        incomeTaxMode = IncomeTaxMode(terms.taxMode)
        dependents = terms.dependents
        employedThreeMonthsOrMore = terms.isEmployedForThreeMonths
    }
}
