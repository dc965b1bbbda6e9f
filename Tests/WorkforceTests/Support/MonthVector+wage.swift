import Payroll
import TestKit
import Values

@testable import Workforce

extension MonthVector {
    /// The wage of a month that was calculated by hand, as a user enters it.
    var wage: Wage {
        let cycle = WageTerms.Cycle(rawValue: cycle) ?? .monthly
        var wage = basis == "hourly" ? Wage.hourly(rate) : Wage.fixed(rate, cycle)
        wage.terms.cycle = cycle
        if payWeekday == "friday" { wage.terms.payWeekday = .friday }
        wage.terms.hasPension = flags.contains("NationalPension")
        wage.terms.hasHealth = flags.contains("HealthInsurance")
        wage.terms.hasEmployment = flags.contains("EmploymentInsurance")
        wage.terms.hasIncomeTax = flags.contains("IncomeTax")
        wage.terms.hasFiveOrMoreEmployees = fiveOrMore ?? false
        if taxMode == "BUSINESS_3_3" { wage.terms.taxMode = .business }
        wage.hasIndustrialAccident = flags.contains("IndustrialAccident")
        wage.hasHolidayAllowance = flags.contains("HolidayAllowance")
        wage.hasNightAllowance = flags.contains("NightAllowance")
        return wage
    }
}
