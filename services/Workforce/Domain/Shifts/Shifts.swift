import Contracts
import Postgres
import Values

/// Planning of shifts: by workers for themselves, by owners for all workers of a workplace (MOUP contract 1.5, 3A.9).
struct Shifts: Sendable {
    let database: PostgresClient
    let access: Access
    let pay: PayrollProjection
    let alerts: Alerts
    let links = ShiftRoutineStore()

    /// Plans shifts of the caller.
    ///
    /// - Parameter routines: the caller's own, without duplicates.
    /// - Returns: the new shifts, in order.
    func add(
        _ plan: ShiftPlan,
        routines: [RoutineID],
        at workplace: WorkplaceID,
        by account: AccountID
    ) async throws -> [ShiftID] {
        let (workplace, worker) = try await access.acceptedMembership(of: account, at: workplace, in: database)
        try access.requireWritable(workplace)
        return try await change(worker) { roster in
            try await requireOwn(routines, of: account, in: roster.transaction)
            let shifts = try await roster.add(plan)
            try await links.link(shifts, to: routines, in: roster.transaction)
            return shifts
        }
    }

    /// Changes a worker's shifts in one transaction.
    func change<Value>(_ worker: Worker, _ body: (inout WorkerSchedule) async throws -> Value) async throws -> Value {
        try await database.transaction(key: "workplace \(worker.workplace)") { transaction in
            var roster = try await WorkerSchedule(worker, in: transaction)
            let value = try await body(&roster)
            try await roster.settle(pay)
            return value
        }
    }

    /// - Throws: `WorkforceError.limit` for too many routines; `.routineNotFound` for another user's, or a duplicate.
    func requireOwn(_ routines: [RoutineID], of account: AccountID, in transaction: PostgresTransaction) async throws {
        guard routines.count <= Routine.limitOfShift else {
            throw WorkforceError.limit("루틴은 근무마다 \(Routine.limitOfShift)개까지 연결할 수 있습니다.")
        }
        guard !routines.isEmpty else { return }
        let count = try await links.lock(routines, of: account, in: transaction)
        guard count == routines.count else { throw WorkforceError.routineNotFound }
    }

    /// Alerts a worker about a change of the worker's shifts by the owner.
    ///
    /// - Parameter shift: one of the shifts; nil after their deletion.
    func tell(
        _ worker: Worker,
        of kind: WorkforceEvents.AlertKind,
        at workplace: Workplace,
        first: CivilDate,
        count: Int,
        shift: ShiftID?,
        by sender: AccountID,
        in transaction: PostgresTransaction
    ) async throws {
        try await alerts.announce(
            WorkforceEvents.MemberAlerted(
                account: worker.person.account,
                sender: sender,
                kind: kind,
                arguments: [workplace.name, first.description, String(count)],
                workplace: workplace.id,
                worker: worker.id,
                shift: shift
            ),
            in: transaction
        )
    }
}
