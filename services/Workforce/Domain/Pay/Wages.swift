import Contracts
import FoundationEssentials
import Payroll
import Postgres
import Values

/// Changes of wages. A change applies from the first day on which the worker has not begun to work, today at the earliest;
/// what was earned before is unchanged (MOUP contract 3D, T12, T13).
struct Wages: Sendable {
    let pay: PayrollProjection
    let now: @Sendable () -> Date
    private let store = WageStore()

    /// The newest wage; nil without wage terms.
    func latest(of worker: WorkerID, in database: some Querying) async throws -> Wage? {
        try await store.history(of: worker, in: database).latest
    }

    /// Stores the first wage of a new worker.
    func begin(
        _ draft: WageDraft,
        of worker: WorkerID,
        at workplace: Workplace,
        in transaction: PostgresTransaction
    ) async throws {
        let wage = draft.wage(after: nil, at: workplace)
        try await store.save(wage, of: worker, since: thisMonth.first, in: transaction)
    }

    /// - Parameter worker: locked by the caller.
    /// - Throws: `WorkforceError.wageNotFound` for a worker without wage terms.
    func change(
        _ worker: WorkerID,
        to draft: WageDraft,
        at workplace: Workplace,
        in transaction: PostgresTransaction
    ) async throws {
        guard let previous = try await latest(of: worker, in: transaction) else { throw WorkforceError.wageNotFound }
        let wage = draft.wage(after: previous, at: workplace)
        let since = try await save(wage, of: worker, in: transaction)
        // A shift that was recorded under fixed pay has no rate of its own to keep.
        let isFirstRate = wage.terms.basis == .hourly && previous.terms.basis != .hourly
        var repriced: [CivilDate] = []
        if draft.appliesToFutureShifts || isFirstRate {
            repriced = try await store.reprice(
                shiftsOf: worker,
                since: since,
                unpriced: !draft.appliesToFutureShifts,
                by: wage.snapshot,
                in: transaction
            )
        }
        try await refresh(worker, since: since, repriced: repriced, in: transaction)
    }

    /// Applies a change of the workplace's `hasFiveOrMoreEmployees` to a worker's wages, from the current month on: the
    /// size of a workplace is that of a month (Enforcement Decree of the Labor Standards Act 7-2).
    ///
    /// - Parameter worker: locked by the caller.
    func follow(_ workplace: Workplace, of worker: WorkerID, in transaction: PostgresTransaction) async throws {
        let first = thisMonth.first
        try await store.setPremiums(workplace.hasFiveOrMoreEmployees, of: worker, since: first, in: transaction)
        try await refresh(worker, since: first, in: transaction)
    }

    /// - Returns: the day from which the wage applies.
    private func save(_ wage: Wage, of worker: WorkerID, in transaction: PostgresTransaction) async throws -> CivilDate
    {
        let now = now()
        let today = SeoulTime.date(of: now)
        let since = try await store.firstOpenDay(of: worker, today: today, now: now, in: transaction)
        try await store.save(wage, of: worker, since: since, in: transaction)
        return since
    }

    /// Recalculates the month of the change and later ones, and those of the weeks with repriced shifts.
    private func refresh(
        _ worker: WorkerID,
        since day: CivilDate,
        repriced: [CivilDate] = [],
        in transaction: PostgresTransaction
    ) async throws {
        let first = day.month
        // A week's fixed pay may belong to the month after its shifts.
        let dates = try await store.shiftDates(of: worker, since: first.first.monday, in: transaction)
        let months = Set(dates.flatMap(\.monthsOfWeek)).filter { $0 >= first }
        let whole = months.union(repriced.flatMap(\.monthsOfWeek)).union([first])
        try await pay.refresh(worker, months: whole, in: transaction)
    }

    private var thisMonth: CivilMonth { SeoulTime.date(of: now()).month }
}
