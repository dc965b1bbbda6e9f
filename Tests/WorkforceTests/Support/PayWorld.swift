import Contracts
import FoundationEssentials
import Payroll
import Postgres
import TestKit
import Values

@testable import Workforce

/// Workplaces, people and shifts in the tables of the current test, and the pay calculated from them.
struct PayWorld {
    var pay: PayrollProjection

    /// - Parameter now: the current time of the calculation; by default before all shifts, so that no month is over.
    init(book: PayRates = .korean, now: Date = .seoul("2000-01-01")) {
        pay = PayrollProjection(book: book, now: { now })
    }

    private var database: PostgresClient { TestDatabase.current.client }

    func workplace(of creator: AccountID, _ name: String = "언덕카페", isShared: Bool = true) async throws -> WorkplaceID {
        try await database.one(
            """
            INSERT INTO workplaces (creator_id, name, category, is_shared) VALUES (\(creator), \(name), '카페', \(isShared))
            RETURNING id
            """
        ) { try $0.decode(WorkplaceID.self) }
    }

    /// - Parameter wage: nil for an owner's own row.
    func worker(
        _ account: AccountID,
        at workplace: WorkplaceID,
        _ wage: Wage?,
        since: String = "2025-01-01",
        isAccepted: Bool = true
    ) async throws -> WorkerID {
        let worker = try await database.one(
            """
            INSERT INTO workers (workplace_id, account_id, is_accepted) VALUES (\(workplace), \(account), \(isAccepted))
            RETURNING id
            """
        ) { try $0.decode(WorkerID.self) }
        if let wage { try await raise(worker, to: wage, since: since) }
        return worker
    }

    /// Stores a wage from a month on; recorded shifts keep their rate.
    func raise(_ worker: WorkerID, to wage: Wage, since: String) async throws {
        try await database.transaction { transaction in
            try await WageStore().save(wage, of: worker, since: CivilDate.of(since), in: transaction)
        }
    }

    /// Records a shift with the wage of its day, and calculates the pay.
    ///
    /// - Parameters:
    ///   - start, length: minutes; nil for a shift that is open.
    @discardableResult
    func work(_ worker: WorkerID, _ date: String, _ start: Int, _ length: Int?, rest: Int = 0) async throws -> ShiftID {
        let date = CivilDate.of(date)
        return try await database.transaction { transaction in
            try await WorkplaceStore().lock(worker: worker, in: transaction)
            let terms = try await WageStore().history(of: worker, in: transaction).snapshot(on: date)
            let begin = SeoulTime.instant(date, minute: start)
            let shift = try await transaction.one(
                """
                INSERT INTO shifts (worker_id, workplace_id, date, starts_at, ends_at, rest_minutes, hourly_rate,
                    has_night_allowance, has_holiday_allowance)
                SELECT \(worker), workplace_id, \(date), \(begin), \(length.map { begin.addingTimeInterval(Double($0 * 60)) }),
                    \(rest), \(terms.hourlyRate), \(terms.hasNightAllowance), \(terms.hasHolidayAllowance)
                FROM workers WHERE id = \(worker) RETURNING id
                """
            ) { try $0.decode(ShiftID.self) }
            try await pay.refresh(worker, around: [date], in: transaction)
            return shift
        }
    }

    /// Records a vector's shifts for a worker.
    func work(_ worker: WorkerID, _ vector: MonthVector) async throws {
        for shift in vector.shifts { try await work(worker, shift.date, shift.start, shift.length, rest: shift.rest) }
    }

    func refresh(_ worker: WorkerID, months: [String]) async throws {
        try await database.transaction { transaction in
            try await pay.refresh(worker, months: Set(months.map { CivilDate.of("\($0)-01").month }), in: transaction)
        }
    }

    /// Every month of a worker, as one string each.
    func months(of worker: WorkerID) async throws -> [String: String] {
        let rows = try await database.all("SELECT month, m::text FROM months m WHERE worker_id = \(worker)") {
            try $0.decode(CivilMonth.self, String.self)
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.0.description, $0.1) })
    }
}

extension CivilDate {
    static func of(_ text: String) -> CivilDate { CivilDate(text) ?? CivilDate(dayNumber: 0) }
}

extension Date {
    /// A minute of a day in Korea.
    static func seoul(_ date: String, _ minute: Int = 0, second: Double = 0) -> Date {
        SeoulTime.instant(.of(date), minute: minute).addingTimeInterval(second)
    }
}

extension Wage {
    /// An hourly wage without allowances and deductions.
    static func hourly(_ rate: Int = 10_030, _ adjust: (inout Wage) -> Void = { _ in }) -> Wage {
        var wage = Wage(terms: WageTerms(cycle: .monthly, basis: .hourly), hourlyRate: rate)
        adjust(&wage)
        return wage
    }

    static func fixed(_ rate: Int, _ cycle: WageTerms.Cycle = .monthly) -> Wage {
        Wage(terms: WageTerms(cycle: cycle, basis: .fixed(rate)), fixedRate: rate)
    }

    /// An hourly wage with all allowances and deductions.
    static let full = Wage.hourly { wage in
        wage.terms.hasPension = true
        wage.terms.hasHealth = true
        wage.terms.hasEmployment = true
        wage.terms.hasIncomeTax = true
        wage.hasHolidayAllowance = true
        wage.hasNightAllowance = true
    }
}
