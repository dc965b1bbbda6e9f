import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase
import Values

/// SQL of payslips.
struct PayslipStore: Sendable {
    /// A user's membership at a workplace with pay in a month, a current one first; otherwise the current or latest
    /// membership. Includes deleted workplaces.
    func place(
        of account: AccountID,
        at workplace: WorkplaceID,
        in month: CivilMonth,
        in database: some Querying
    ) async throws -> PaidPlace? {
        try await database.optional(
            """
            \(Self.places(in: month)) WHERE k.workplace_id = \(workplace) AND k.account_id = \(account)
            ORDER BY m.worker_id IS NULL, k.parted_at IS NOT NULL, k.id DESC LIMIT 1
            """,
            Self.decode
        )
    }

    /// A worker's membership, also a former one.
    func place(of worker: WorkerID, in month: CivilMonth, in database: some Querying) async throws -> PaidPlace? {
        try await database.optional("\(Self.places(in: month)) WHERE k.id = \(worker)", Self.decode)
    }

    private static func places(in month: CivilMonth) -> SQL {
        """
        SELECT k.id, w.id, w.name, p.nickname, p.withdrawn_at IS NOT NULL, k.is_accepted, m.payslip
        FROM workers k JOIN workplaces w ON w.id = k.workplace_id JOIN people p ON p.account_id = k.account_id
            LEFT JOIN months m ON m.worker_id = k.id AND m.month = \(month)
        """
    }

    private static func decode(_ row: borrowing Row) throws -> PaidPlace {
        let (worker, workplace, name, nickname, isWithdrawn, isAccepted, payslip) = try row.decode(
            as: (WorkerID, WorkplaceID, String, String, Bool, Bool, String?).self
        )
        return PaidPlace(
            worker: worker,
            workplace: workplace,
            workplaceName: name,
            nickname: isWithdrawn ? Person.withdrawnName : nickname,
            isAccepted: isAccepted,
            payslip: payslip
        )
    }

    /// In order.
    func shifts(of worker: WorkerID, in month: CivilMonth, in database: some Querying) async throws -> [PaidShift] {
        try await database.all(
            """
            SELECT id, date, starts_at, ends_at, net_minutes, night_minutes, rest_minutes, hourly_rate, gross_pay,
                coalesce(net_pay, 0)
            FROM shifts WHERE worker_id = \(worker) AND date BETWEEN \(month.first) AND \(month.last)
            ORDER BY date, starts_at, id
            """
        ) { row in
            let columns = try row.decode(
                as: (ShiftID, CivilDate, Date, Date?, Int, Int, Int, Int, Int, Int).self
            )
            return PaidShift(
                id: columns.0,
                date: columns.1,
                startsAt: columns.2,
                endsAt: columns.3,
                netMinutes: columns.4,
                nightMinutes: columns.5,
                restMinutes: columns.3 == nil ? 0 : columns.6,
                hourlyRate: columns.7,
                gross: columns.8,
                net: columns.9
            )
        }
    }

    /// The paid months of a user at all workplaces, newest first.
    func list(
        of account: AccountID,
        before cursor: PaidMonth.Cursor?,
        limit: Int,
        in database: some Querying
    ) async throws -> [PaidMonth] {
        let older: SQL = cursor.map { "AND (m.month, m.worker_id) < (\($0.month), \($0.worker))" } ?? ""
        return try await database.all(
            """
            SELECT m.worker_id, m.month, w.id, w.name, m.gross_pay, m.net_pay
            FROM workers k JOIN months m ON m.worker_id = k.id JOIN workplaces w ON w.id = k.workplace_id
            WHERE k.account_id = \(account) \(older)
            ORDER BY m.month DESC, m.worker_id DESC LIMIT \(limit)
            """
        ) { row in
            let (worker, month, workplace, name, gross, net) = try row.decode(
                as: (WorkerID, CivilMonth, WorkplaceID, String, Int, Int).self
            )
            return PaidMonth(
                worker: worker,
                month: month,
                workplace: workplace,
                workplaceName: name,
                gross: gross,
                net: net
            )
        }
    }
}
