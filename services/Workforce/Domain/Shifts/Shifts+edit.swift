import Contracts
import Postgres

/// Changes of one shift, or of all following shifts in a series (MOUP contract 1.5, calls 35 to 38).
extension Shifts {
    /// Changes a shift of the caller.
    ///
    /// - Parameter routines: replace the linked routines.
    func edit(_ id: ShiftID, to plan: ShiftPlan, routines: [RoutineID], by account: AccountID) async throws {
        try await change(try await access.ownShift(id, of: account, in: database).worker) { roster in
            let shift = try await roster.shift(id)
            try await requireOwn(routines, of: account, in: roster.transaction)
            try await roster.edit(shift, to: plan)
            try await links.link([id], to: routines, in: roster.transaction)
        }
    }

    /// Replaces a shift of the caller and the following ones by a new series.
    ///
    /// - Returns: the new shifts.
    func editFollowing(_ id: ShiftID, to plan: ShiftPlan, routines: [RoutineID], by account: AccountID) async throws
        -> [ShiftID]
    {
        try requireRepeating(plan)
        return try await change(try await access.ownShift(id, of: account, in: database).worker) { roster in
            let (shift, old) = try await roster.following(id)
            try requireNotBefore(shift, plan)
            let transaction = roster.transaction
            try await requireOwn(routines, of: account, in: transaction)
            return try await roster.replace(old, by: plan) { new, _ in
                try await links.link(new, to: routines, in: transaction)
            }
        }
    }

    /// Changes a shift of a worker at the caller's workplace. The worker's routines stay linked.
    func edit(_ id: ShiftID, of worker: WorkerID, at workplace: WorkplaceID, to plan: ShiftPlan, by owner: AccountID)
        async throws
    {
        let (workplace, worker) = try await access.ownedWorker(worker, at: workplace, by: owner, in: database)
        try await change(worker) { roster in
            try await roster.edit(try await roster.shift(id), to: plan)
            let first = plan.occurrences[0].date
            try await tell(
                worker,
                of: .shiftsChanged,
                at: workplace,
                first: first,
                count: 1,
                shift: id,
                by: owner,
                in: roster.transaction
            )
        }
    }

    /// Replaces a shift of a worker at the caller's workplace, and the following ones, by a new series. A new shift
    /// without a predecessor on its date gets the routines of the first.
    ///
    /// - Returns: the new shifts.
    func editFollowing(
        _ id: ShiftID,
        of worker: WorkerID,
        at workplace: WorkplaceID,
        to plan: ShiftPlan,
        by owner: AccountID
    ) async throws -> [ShiftID] {
        try requireRepeating(plan)
        let (workplace, worker) = try await access.ownedWorker(worker, at: workplace, by: owner, in: database)
        return try await change(worker) { roster in
            let (shift, old) = try await roster.following(id)
            try requireNotBefore(shift, plan)
            let transaction = roster.transaction
            let new = try await roster.replace(old, by: plan) { new, copies in
                let known = Dictionary(uniqueKeysWithValues: copies.map { ($0.copy, $0.original) })
                let sources = new.map { ShiftCopy(original: known[$0] ?? shift.id, copy: $0) }
                try await links.copyLinks(sources, in: transaction)
            }
            try await tell(
                worker,
                of: .shiftsChanged,
                at: workplace,
                first: plan.occurrences[0].date,
                count: new.count,
                shift: new.first,
                by: owner,
                in: transaction
            )
            return new
        }
    }

    private func requireRepeating(_ plan: ShiftPlan) throws {
        guard plan.recurrence != nil else { throw WorkforceError.rule("repeatDays: 반복 요일을 선택하세요.") }
    }

    /// Earlier shifts are kept, so a series from an earlier date would duplicate them.
    private func requireNotBefore(_ shift: ShiftRecord, _ plan: ShiftPlan) throws {
        guard plan.firstDay >= shift.date else {
            throw WorkforceError.rule("startTime: 반복 근무는 수정하는 근무보다 앞당길 수 없습니다.")
        }
    }
}
