import Contracts
import FoundationEssentials
import Payroll
import Postgres
import ServiceDatabase
import Values

/// SQL of wages.
struct WageStore: Sendable {
    /// The columns of `Wage.Columns`, of a table or alias `g`.
    static let columns: SQL = """
        g.salary_type, g.salary_calculation, g.hourly_rate, g.fixed_rate, g.salary_date, g.salary_day,
        g.has_national_pension, g.has_health_insurance, g.has_employment_insurance, g.has_industrial_accident,
        g.has_income_tax, g.has_holiday_allowance, g.has_night_allowance, g.income_tax_mode, g.dependents,
        g.employed_three_months, g.five_or_more
        """

    /// Empty for a worker without wage terms.
    func history(of worker: WorkerID, in database: some Querying) async throws -> WageHistory {
        WageHistory(entries: try await database.run(entries(of: worker)))
    }

    /// The entries of a history, as a statement for a pipeline.
    func entries(of worker: WorkerID) -> Statement<[WageHistory.Entry]> {
        .all("SELECT g.since, \(Self.columns) FROM wages g WHERE g.worker_id = \(worker) ORDER BY g.since") { row in
            let columns = try row.decode(as: Wage.DatedColumns.self)
            return WageHistory.Entry(since: columns.0, wage: Wage(dated: columns))
        }
    }

    /// Stores a wage from a day on, and deletes later ones.
    func save(
        _ wage: Wage,
        of worker: WorkerID,
        since day: CivilDate,
        in transaction: PostgresTransaction
    ) async throws {
        let terms = wage.terms
        try await transaction.execute("DELETE FROM wages WHERE worker_id = \(worker) AND since >= \(day)")
        try await transaction.execute(
            """
            INSERT INTO wages (worker_id, since, salary_type, salary_calculation, hourly_rate, fixed_rate, salary_date,
                salary_day, has_national_pension, has_health_insurance, has_employment_insurance,
                has_industrial_accident, has_income_tax, has_holiday_allowance, has_night_allowance, income_tax_mode,
                dependents, employed_three_months, five_or_more)
            VALUES (\(worker), \(day), \(terms.cycle.rawValue), \(wage.isFixed ? "fixed" : "hourly"),
                \(wage.hourlyRate), \(wage.fixedRate), \(terms.payDay), \(terms.payWeekday?.rawValue),
                \(terms.hasPension), \(terms.hasHealth), \(terms.hasEmployment), \(wage.hasIndustrialAccident),
                \(terms.hasIncomeTax), \(wage.hasHolidayAllowance), \(wage.hasNightAllowance),
                \(terms.taxMode.rawValue), \(terms.dependents), \(terms.isEmployedForThreeMonths),
                \(terms.hasFiveOrMoreEmployees))
            """
        )
    }
}

extension WageStore {
    /// Sets whether the premiums apply to the wages of a worker from a day on.
    func setPremiums(
        _ apply: Bool,
        of worker: WorkerID,
        since day: CivilDate,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            """
            INSERT INTO wages (since, worker_id, salary_type, salary_calculation, hourly_rate, fixed_rate, salary_date,
                salary_day, has_national_pension, has_health_insurance, has_employment_insurance,
                has_industrial_accident, has_income_tax, has_holiday_allowance, has_night_allowance, income_tax_mode,
                dependents, employed_three_months, five_or_more)
            SELECT \(day), g.worker_id, \(Self.columns) FROM wages g
            WHERE g.worker_id = \(worker) AND g.since < \(day) ORDER BY g.since DESC LIMIT 1
            ON CONFLICT (worker_id, since) DO NOTHING
            """
        )
        try await transaction.execute(
            "UPDATE wages SET five_or_more = \(apply) WHERE worker_id = \(worker) AND since >= \(day)"
        )
    }

    /// The first day from today on without a shift that has begun, by plan or by the clock.
    func firstOpenDay(
        of worker: WorkerID,
        today: CivilDate,
        now: Date,
        in database: some Querying
    ) async throws -> CivilDate {
        let worked = try await database.one(
            """
            SELECT max(date) FROM shifts
            WHERE worker_id = \(worker) AND date >= \(today) AND (starts_at <= \(now) OR started_at IS NOT NULL)
            """
        ) { try $0.decode(CivilDate?.self) }
        return worked.map { $0 + 1 } ?? today
    }

    /// Applies a wage to the shifts from a day on.
    ///
    /// - Parameter unpriced: only to those that were recorded under fixed pay.
    /// - Returns: their dates.
    func reprice(
        shiftsOf worker: WorkerID,
        since day: CivilDate,
        unpriced: Bool,
        by wage: Wage.Snapshot,
        in transaction: PostgresTransaction
    ) async throws -> [CivilDate] {
        try await transaction.all(
            """
            UPDATE shifts SET hourly_rate = \(wage.hourlyRate), has_night_allowance = \(wage.hasNightAllowance),
                has_holiday_allowance = \(wage.hasHolidayAllowance)
            WHERE worker_id = \(worker) AND date >= \(day) AND (NOT \(unpriced) OR hourly_rate = 0) RETURNING date
            """
        ) { try $0.decode(CivilDate.self) }
    }

    /// The dates with a shift from a date on.
    func shiftDates(
        of worker: WorkerID,
        since date: CivilDate,
        in database: some Querying
    ) async throws -> [CivilDate] {
        try await database.all("SELECT DISTINCT date FROM shifts WHERE worker_id = \(worker) AND date >= \(date)") {
            try $0.decode(CivilDate.self)
        }
    }
}

extension Wage {
    typealias Columns = (
        String, String, Int?, Int?, Int?, Int?, Bool, Bool, Bool, Bool, Bool, Bool, Bool, String, Int, Bool, Bool
    )
    typealias DatedColumns = (
        CivilDate, String, String, Int?, Int?, Int?, Int?, Bool, Bool, Bool, Bool, Bool, Bool, Bool, String, Int, Bool,
        Bool
    )

    fileprivate var isFixed: Bool {
        if case .fixed = terms.basis { true } else { false }
    }

    init(dated c: DatedColumns) {
        self.init((c.1, c.2, c.3, c.4, c.5, c.6, c.7, c.8, c.9, c.10, c.11, c.12, c.13, c.14, c.15, c.16, c.17))
    }

    init(_ columns: Columns) {
        var terms = WageTerms(
            cycle: WageTerms.Cycle(rawValue: columns.0) ?? .monthly,
            basis: columns.1 == "fixed" ? .fixed(columns.3 ?? 0) : .hourly,
            payDay: columns.4,
            payWeekday: columns.5.flatMap(Weekday.init)
        )
        terms.hasPension = columns.6
        terms.hasHealth = columns.7
        terms.hasEmployment = columns.8
        terms.hasIncomeTax = columns.10
        terms.taxMode = WageTerms.TaxMode(rawValue: columns.13) ?? .table
        terms.dependents = columns.14
        terms.isEmployedForThreeMonths = columns.15
        terms.hasFiveOrMoreEmployees = columns.16
        self.init(
            terms: terms,
            hourlyRate: columns.2,
            fixedRate: columns.3,
            hasIndustrialAccident: columns.9,
            hasHolidayAllowance: columns.11,
            hasNightAllowance: columns.12
        )
    }
}
