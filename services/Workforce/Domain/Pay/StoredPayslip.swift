import FoundationEssentials
import Payroll

/// A payslip with the applicable wage, as stored and returned.
struct StoredPayslip: Encodable {
    var payslip: Payslip
    var wage: StoredWage

    private enum CodingKeys: CodingKey { case wage }

    func encode(to encoder: any Encoder) throws {
        try payslip.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(wage, forKey: .wage)
    }

    /// JSON in a deterministic form.
    static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// A wage in the app's format (MOUP contract 1.3, SalaryBody), with the further inputs of 3D. Every key is present.
struct StoredWage: Encodable {
    private let wage: Wage

    init(_ wage: Wage) {
        self.wage = wage
    }

    private enum CodingKeys: CodingKey {
        case salaryType, salaryCalculation, hourlyRate, fixedRate, salaryDate, salaryDay
        case hasNationalPension, hasHealthInsurance, hasEmploymentInsurance, hasIndustrialAccident, hasIncomeTax
        case hasHolidayAllowance, hasNightAllowance
        case incomeTaxMode, dependents, employedThreeMonthsOrMore, fiveOrMoreEmployees
    }

    func encode(to encoder: any Encoder) throws {
        let terms = wage.terms
        let calculation = if case .hourly = terms.basis { "HOURLY" } else { "FIXED" }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("SALARY_\(terms.cycle.rawValue.uppercased())", forKey: .salaryType)
        try container.encode("SALARY_CALCULATION_\(calculation)", forKey: .salaryCalculation)
        try container.encode(wage.hourlyRate, forKey: .hourlyRate)
        try container.encode(wage.fixedRate, forKey: .fixedRate)
        try container.encode(terms.payDay, forKey: .salaryDate)
        try container.encode(terms.payWeekday.map { "\($0)".uppercased() }, forKey: .salaryDay)
        try container.encode(terms.hasPension, forKey: .hasNationalPension)
        try container.encode(terms.hasHealth, forKey: .hasHealthInsurance)
        try container.encode(terms.hasEmployment, forKey: .hasEmploymentInsurance)
        try container.encode(wage.hasIndustrialAccident, forKey: .hasIndustrialAccident)
        try container.encode(terms.hasIncomeTax, forKey: .hasIncomeTax)
        try container.encode(wage.hasHolidayAllowance, forKey: .hasHolidayAllowance)
        try container.encode(wage.hasNightAllowance, forKey: .hasNightAllowance)
        try container.encode(Self.name(of: terms.taxMode), forKey: .incomeTaxMode)
        try container.encode(terms.dependents, forKey: .dependents)
        try container.encode(terms.isEmployedForThreeMonths, forKey: .employedThreeMonthsOrMore)
        try container.encode(terms.hasFiveOrMoreEmployees, forKey: .fiveOrMoreEmployees)
    }

    private static func name(of mode: WageTerms.TaxMode) -> String {
        switch mode {
        case .table: "WITHHOLDING_TABLE"
        case .business: "BUSINESS_3_3"
        case .daily: "DAILY_WORKER"
        }
    }
}
