import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import Values

/// SQL of the home screen; the number of statements does not depend on the number of workplaces and workers.
struct HomeStore: Sendable {
    /// The workplaces with a wage of a user, with the wage of a month, otherwise the first later one.
    func paidPlaces(
        of account: AccountID,
        in month: CivilMonth,
        in database: some Querying
    ) async throws -> [PaidWorkplace] {
        try await database.all(
            """
            SELECT k.id, EXISTS (SELECT FROM clockings c WHERE c.worker_id = k.id), \(WorkplaceStore.columns),
                \(WageStore.columns)
            FROM workers k JOIN workplaces w ON w.id = k.workplace_id
            CROSS JOIN LATERAL (
                SELECT * FROM wages a WHERE a.worker_id = k.id
                ORDER BY a.since > \(month.last), abs(a.since - \(month.last)) LIMIT 1
            ) g
            WHERE k.account_id = \(account) AND k.parted_at IS NULL AND k.is_accepted AND w.deleted_at IS NULL
            ORDER BY w.name, w.id
            """
        ) { PaidWorkplace(try $0.decode(as: PaidWorkplace.Columns.self)) }
    }

    /// The workplaces of an owner, sorted by name.
    func workplaces(of owner: AccountID, in database: some Querying) async throws -> [Workplace] {
        try await database.all(
            """
            SELECT \(WorkplaceStore.columns) FROM workplaces w WHERE w.creator_id = \(owner) AND w.deleted_at IS NULL
            ORDER BY w.name, w.id
            """
        ) { Workplace(try $0.decode(as: Workplace.Columns.self)) }
    }

    /// The number of routines on a user's shifts of a day.
    func routines(of account: AccountID, on day: CivilDate, in database: some Querying) async throws -> Int {
        try await database.one(
            """
            SELECT count(*) FROM workers k JOIN workplaces w ON w.id = k.workplace_id
                JOIN shifts s ON s.worker_id = k.id AND s.date = \(day) JOIN shift_routines r ON r.shift_id = s.id
            WHERE k.account_id = \(account) AND k.parted_at IS NULL AND w.deleted_at IS NULL
            """
        ) { try $0.decode(Int.self) }
    }

    /// The pay of a user at each workplace, by worker.
    func months(
        ofWorker account: AccountID,
        _ month: CivilMonth,
        at now: Date,
        in database: some Querying
    ) async throws -> [WorkerID: TwoMonths] {
        let rows = try await database.all(
            """
            SELECT m.worker_id, \(Self.figures) FROM workers k JOIN \(Self.months(month, now))
            WHERE k.account_id = \(account)
            """
        ) { row in
            let (worker, kept, figures) = try row.decode(WorkerID.self, CivilMonth.self, [Int].self)
            return (worker, kept, MonthFigures(figures))
        }
        return rows.reduce(into: [:]) { $0[$1.0, default: TwoMonths()].add($1.2, isPresent: $1.1 == month) }
    }

    /// The workers with pay at an owner's workplaces in a month or the previous one, sorted by name. Former workers are
    /// omitted, except for withdrawn users who were workers at the time.
    func workers(
        ofOwner account: AccountID,
        _ month: CivilMonth,
        at now: Date,
        in database: some Querying
    ) async throws -> [OwnerHome.Staff] {
        let rows = try await database.all(
            """
            SELECT k.id, k.workplace_id, p.nickname, p.withdrawn_at IS NOT NULL, \(Self.figures)
            FROM workplaces w JOIN workers k ON k.workplace_id = w.id JOIN people p ON p.account_id = k.account_id
                JOIN \(Self.months(month, now))
            WHERE w.creator_id = \(account) AND w.deleted_at IS NULL
                AND k.is_listed
            ORDER BY p.nickname, k.id
            """
        ) { row in
            let (worker, workplace, nickname, isWithdrawn, kept, figures) = try row.decode(
                as: (WorkerID, WorkplaceID, String, Bool, CivilMonth, [Int]).self
            )
            let name = isWithdrawn ? Person.withdrawnName : nickname
            var months = TwoMonths()
            months.add(MonthFigures(figures), isPresent: kept == month)
            return OwnerHome.Staff(worker: worker, workplace: workplace, nickname: name, months: months)
        }
        // The two months of a worker are adjacent rows.
        return rows.reduce(into: []) { staff, row in
            guard staff.last?.worker == row.worker else { return staff.append(row) }
            staff[staff.count - 1].months.join(row.months)
        }
    }

    /// A month's figures, in the order of `MonthFigures.init(_:)`.
    private static let figures: SQL = """
        m.month, ARRAY[m.net_minutes, m.night_minutes, m.rest_minutes, m.base_pay, m.night_allowance,
            m.weekly_allowance, m.overtime_premium, m.holiday_premium, m.gross_pay, m.pension, m.health,
            m.long_term_care, m.employment, m.income_tax, m.local_income_tax, m.net_pay, m.labour_cost,
            CASE WHEN m.fixed_pay = 0 THEN e.net WHEN e.count = 0 THEN m.net_pay
                WHEN e.minutes = 0 THEN 0 ELSE m.net_pay * e.past_minutes / e.minutes END]
        """

    /// A month and the previous one of a worker `k`, with the net pay earned in the month by shifts whose planned end
    /// is past. Fixed pay is earned in proportion to the minutes; if its month has no shift, its week is over.
    private static func months(_ month: CivilMonth, _ now: Date) -> SQL {
        """
        months m ON m.worker_id = k.id AND m.month IN (\(month), \(month.next(-1)))
        LEFT JOIN LATERAL (
            SELECT count(*), coalesce(sum(s.net_minutes), 0)::bigint AS minutes,
                coalesce(sum(s.net_minutes) FILTER (WHERE s.ends_at <= \(now)), 0)::bigint AS past_minutes,
                coalesce(sum(s.net_pay) FILTER (WHERE s.ends_at <= \(now)), 0)::bigint AS net
            FROM shifts s
            WHERE m.month = \(month) AND s.worker_id = m.worker_id AND s.date BETWEEN \(month) AND \(month.last)
        ) e ON true
        """
    }
}

/// A workplace where a user has a wage.
struct PaidWorkplace: Sendable {
    var worker: WorkerID
    var isNowWorking: Bool
    var workplace: Workplace
    var wage: Wage

    fileprivate typealias Columns = (
        WorkerID, Bool, WorkplaceID, AccountID, String, String, String?, Double?, Double?, Bool, Bool, Bool, String,
        String, Int?,
        Int?, Int?, Int?, Bool, Bool, Bool, Bool, Bool, Bool, Bool, String, Int, Bool, Bool
    )

    fileprivate init(_ c: Columns) {
        worker = c.0
        isNowWorking = c.1
        workplace = Workplace((c.2, c.3, c.4, c.5, c.6, c.7, c.8, c.9, c.10, c.11))
        wage = Wage(
            (
                c.12, c.13, c.14, c.15, c.16, c.17, c.18, c.19, c.20, c.21, c.22, c.23, c.24, c.25, c.26, c.27, c.28
            )
        )
    }
}

extension MonthFigures {
    fileprivate init(_ f: [Int]) {
        self.init(
            netMinutes: f[0],
            nightMinutes: f[1],
            restMinutes: f[2],
            base: f[3],
            nightAllowance: f[4],
            weeklyAllowance: f[5],
            overtimePremium: f[6],
            holidayPremium: f[7],
            gross: f[8],
            pension: f[9],
            health: f[10],
            longTermCare: f[11],
            employment: f[12],
            incomeTax: f[13],
            localIncomeTax: f[14],
            net: f[15],
            labourCost: f[16],
            earned: f[17]
        )
    }
}
