import Postgres

/// Who may do what at a workplace (MOUP contract 4, roles and approval). Every call that names a workplace, a worker or a
/// shift begins here.
struct Access: Sendable {
    let people: People
    private let store = WorkplaceStore()
    private let workers = WorkerStore()

    init(people: People) {
        self.people = people
    }

    /// What the owner has asked for: the workplace, which is theirs.
    ///
    /// - Throws: `WorkforceError.workplaceNotFound`; `.forbidden` for another's, or in another role.
    func owned(_ workplace: Int64, by account: Int64, in database: some Querying) async throws -> Workplace {
        try await people.person(account, as: .owner)
        let workplace = try await self.workplace(workplace, in: database)
        guard workplace.creator == account else { throw WorkforceError.forbidden }
        return workplace
    }

    /// Somebody's own place at a workplace, also while the owner has not decided.
    ///
    /// - Throws: `WorkforceError.workplaceNotFound`, `.workerNotFound` for who is no member.
    func membership(
        of account: Int64,
        at workplace: Int64,
        in database: some Querying
    ) async throws -> (workplace: Workplace, worker: Worker) {
        let workplace = try await self.workplace(workplace, in: database)
        guard let worker = try await store.worker(of: account, at: workplace.id, in: database) else {
            throw WorkforceError.workerNotFound
        }
        return (workplace, worker)
    }

    /// Somebody's own place at a workplace, once accepted.
    ///
    /// - Throws: as `membership`; `WorkforceError.forbidden` while the owner has not decided.
    func acceptedMembership(
        of account: Int64,
        at workplace: Int64,
        in database: some Querying
    ) async throws -> (workplace: Workplace, worker: Worker) {
        let membership = try await membership(of: account, at: workplace, in: database)
        guard membership.worker.isAccepted else { throw WorkforceError.forbidden }
        return membership
    }

    /// Another's place at a workplace.
    ///
    /// - Throws: `WorkforceError.workerNotFound`, also for a worker of another workplace, and one who has parted.
    func worker(_ id: Int64, at workplace: Workplace, in database: some Querying) async throws -> Worker {
        guard let worker = try await store.worker(id, in: database), worker.workplace == workplace.id,
            !worker.hasParted
        else { throw WorkforceError.workerNotFound }
        return worker
    }

    /// Another's place at a workplace as the owner's list has it: also of somebody who left the app while they were there,
    /// and so has parted. Their record can be read, and taken from the list.
    ///
    /// - Throws: `WorkforceError.workerNotFound`.
    func listedWorker(_ id: Int64, at workplace: Workplace, in database: some Querying) async throws -> Worker {
        guard let worker = try await workers.listed(id, at: workplace, in: database) else {
            throw WorkforceError.workerNotFound
        }
        return worker
    }

    /// - Throws: `WorkforceError.forbidden` for a workplace whose creator has left the app.
    func requireWritable(_ workplace: Workplace) throws {
        guard !workplace.isAbandoned else { throw WorkforceError.forbidden }
    }

    private func workplace(_ id: Int64, in database: some Querying) async throws -> Workplace {
        guard let workplace = try await store.workplace(id, in: database) else {
            throw WorkforceError.workplaceNotFound
        }
        return workplace
    }
}
