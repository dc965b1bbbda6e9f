import Contracts
import Postgres

/// One plan for several workers (MOUP contract 1.5, call 30).
extension Shifts {
    /// Maximum number of workers per plan.
    static let batchLimit = 100

    /// The result of a plan for several workers.
    struct Batch: Sendable {
        /// The new shifts, grouped by worker.
        var shifts: [ShiftID] = []
        var failures: [Failure] = []
    }

    /// A worker without new shifts, and the reason.
    struct Failure: Sendable {
        var worker: WorkerID
        /// Empty for a user who is not a worker there.
        var nickname: String
        var reason: WorkforceError
    }

    /// Plans shifts for workers of the caller's workplace. Each worker gets all of the plan or nothing, independent of
    /// the others.
    func add(_ plan: ShiftPlan, for workers: [WorkerID], at workplace: WorkplaceID, by owner: AccountID) async throws
        -> Batch
    {
        let workplace = try await access.owned(workplace, by: owner, in: database)
        try access.requireWritable(workplace)
        var batch = Batch()
        var seen: Set<WorkerID> = []
        let workers = workers.filter { seen.insert($0).inserted }
        guard !workers.isEmpty else { throw WorkforceError.field("workerIdList: 근무자를 한 명 이상 선택하세요.") }
        guard workers.count <= Self.batchLimit else {
            throw WorkforceError.limit("한 번에 \(Self.batchLimit)명까지 등록할 수 있습니다.")
        }
        for id in workers {
            var nickname = ""
            do {
                let worker = try await access.worker(id, at: workplace, in: database)
                nickname = worker.person.shownName
                batch.shifts += try await add(plan, for: worker, at: workplace, by: owner)
            } catch let reason as WorkforceError {
                batch.failures.append(Failure(worker: id, nickname: nickname, reason: reason))
            }
        }
        return batch
    }

    private func add(
        _ plan: ShiftPlan,
        for worker: Worker,
        at workplace: Workplace,
        by owner: AccountID
    ) async throws -> [ShiftID] {
        guard worker.isAccepted else { throw WorkforceError.rule("아직 승인하지 않은 근무자입니다.") }
        return try await change(worker) { roster in
            let shifts = try await roster.add(plan)
            try await tell(
                worker,
                of: .shiftsAdded,
                at: workplace,
                first: plan.occurrences[0].date,
                count: shifts.count,
                shift: shifts.first,
                by: owner,
                in: roster.transaction
            )
            return shifts
        }
    }
}
