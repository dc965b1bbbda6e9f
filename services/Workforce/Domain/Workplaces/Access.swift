import Contracts
import Postgres

/// Authorization for workplaces (MOUP contract 4, roles and approval). Every call with a workplace, a worker or a shift
/// uses it first.
struct Access: Sendable {
    let people: People
    private let store = WorkplaceStore()
    private let workers = WorkerStore()

    /// A workplace owned by the caller.
    ///
    /// - Throws: `WorkforceError.workplaceNotFound`; `.forbidden` for another owner's, or in another role.
    func owned(_ workplace: WorkplaceID, by account: AccountID, in database: some Querying) async throws -> Workplace {
        try await people.person(account, as: .owner)
        let workplace = try await self.workplace(workplace, in: database)
        guard workplace.creator == account else { throw WorkforceError.forbidden }
        return workplace
    }

    /// The caller's membership at a workplace, accepted or pending.
    ///
    /// - Throws: `WorkforceError.workplaceNotFound`, `.workerNotFound` for a user who is not a member.
    func membership(
        of account: AccountID,
        at workplace: WorkplaceID,
        in database: some Querying
    ) async throws -> (workplace: Workplace, worker: Worker) {
        let workplace = try await self.workplace(workplace, in: database)
        guard let worker = try await store.worker(of: account, at: workplace.id, in: database) else {
            throw WorkforceError.workerNotFound
        }
        return (workplace, worker)
    }

    /// The caller's accepted membership at a workplace.
    ///
    /// - Throws: as `membership`; `WorkforceError.forbidden` while it is pending.
    func acceptedMembership(
        of account: AccountID,
        at workplace: WorkplaceID,
        in database: some Querying
    ) async throws -> (workplace: Workplace, worker: Worker) {
        let membership = try await membership(of: account, at: workplace, in: database)
        guard membership.worker.isAccepted else { throw WorkforceError.forbidden }
        return membership
    }

    /// A worker at a workplace.
    ///
    /// - Throws: `WorkforceError.workerNotFound`, also for a worker of another workplace or a former worker.
    func worker(_ id: WorkerID, at workplace: Workplace, in database: some Querying) async throws -> Worker {
        guard let worker = try await store.worker(id, in: database), worker.workplace == workplace.id,
            !worker.hasParted
        else { throw WorkforceError.workerNotFound }
        return worker
    }

    /// A worker in the owner's list: also a withdrawn user who was a worker at the time. Such a worker's record can be
    /// read, and removed from the list.
    ///
    /// - Throws: `WorkforceError.workerNotFound`.
    func listedWorker(_ id: WorkerID, at workplace: Workplace, in database: some Querying) async throws -> Worker {
        guard let worker = try await workers.listed(id, at: workplace, in: database) else {
            throw WorkforceError.workerNotFound
        }
        return worker
    }

    /// - Throws: `WorkforceError.forbidden` for a workplace whose creator's account is withdrawn.
    func requireWritable(_ workplace: Workplace) throws {
        guard !workplace.isAbandoned else { throw WorkforceError.forbidden }
    }

    private func workplace(_ id: WorkplaceID, in database: some Querying) async throws -> Workplace {
        guard let workplace = try await store.workplace(id, in: database) else {
            throw WorkforceError.workplaceNotFound
        }
        return workplace
    }
}
