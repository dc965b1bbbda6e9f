import Contracts
import FoundationEssentials
import Payroll
import Postgres
import Values

/// Changes of wages. A change applies from the current month in Korea on; earlier months are unchanged (MOUP contract
/// 3D, T12, T13).
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
        try await store.save(wage, of: worker, since: thisMonth, in: transaction)
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
        try await store.save(wage, of: worker, since: thisMonth, in: transaction)
        var repriced: [CivilDate] = []
        if draft.appliesToFutureShifts {
            repriced = try await store.reprice(shiftsOf: worker, after: now(), by: wage.snapshot, in: transaction)
        }
        try await refresh(worker, repriced: repriced, in: transaction)
    }

    /// Applies a change of the workplace's `hasFiveOrMoreEmployees` to a worker's wage.
    ///
    /// - Parameter worker: locked by the caller.
    func follow(_ workplace: Workplace, of worker: WorkerID, in transaction: PostgresTransaction) async throws {
        guard var wage = try await latest(of: worker, in: transaction) else { return }
        wage.terms.hasFiveOrMoreEmployees = workplace.hasFiveOrMoreEmployees
        try await store.save(wage, of: worker, since: thisMonth, in: transaction)
        try await refresh(worker, in: transaction)
    }

    /// Recalculates the current and later months, and those of the weeks with repriced shifts.
    private func refresh(
        _ worker: WorkerID,
        repriced: [CivilDate] = [],
        in transaction: PostgresTransaction
    ) async throws {
        let first = thisMonth
        // A week's fixed pay may belong to the month after its shifts.
        let dates = try await store.shiftDates(of: worker, since: first.first.monday, in: transaction)
        let months = Set(dates.flatMap(\.monthsOfWeek)).filter { $0 >= first }
        let whole = months.union(repriced.flatMap(\.monthsOfWeek)).union([first])
        try await pay.refresh(worker, months: whole, in: transaction)
    }

    private var thisMonth: CivilMonth { SeoulTime.date(of: now()).month }
}
