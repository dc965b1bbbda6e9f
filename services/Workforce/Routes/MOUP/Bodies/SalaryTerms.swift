import Payroll

/// The pay cycle.
enum SalaryType: String, Codable, Sendable {
    case monthly = "SALARY_MONTHLY"
    case weekly = "SALARY_WEEKLY"
    case daily = "SALARY_DAILY"

    init(_ cycle: WageTerms.Cycle) {
        self =
            switch cycle {
            case .monthly: .monthly
            case .weekly: .weekly
            case .daily: .daily
            }
    }

    var cycle: WageTerms.Cycle {
        switch self {
        case .monthly: .monthly
        case .weekly: .weekly
        case .daily: .daily
        }
    }
}

/// The basis of pay.
enum SalaryCalculation: String, Codable, Sendable {
    case hourly = "SALARY_CALCULATION_HOURLY"
    case fixed = "SALARY_CALCULATION_FIXED"
}

/// The mode of income tax withholding (MOUP contract 3D, extra inputs).
enum IncomeTaxMode: String, Codable, Sendable {
    case table = "WITHHOLDING_TABLE"
    case business = "BUSINESS_3_3"
    case daily = "DAILY_WORKER"

    init(_ mode: WageTerms.TaxMode) {
        self =
            switch mode {
            case .table: .table
            case .business: .business
            case .daily: .daily
            }
    }

    var mode: WageTerms.TaxMode {
        switch self {
        case .table: .table
        case .business: .business
        case .daily: .daily
        }
    }
}
