import Contracts
import FoundationEssentials
import Postgres

/// The workers of a workplace: their approval, removal and wages (MOUP contract 4, approval).
struct Staff: Sendable {
    let database: PostgresClient
    let access: Access
    let wages: Wages
    let parting: Offboarding
    let alerts: Alerts
    private let places = WorkplaceStore()
    private let workers = WorkerStore()

    /// All workers except the owner.
    ///
    /// - Parameter activeOnly: omits withdrawn users.
    /// - Throws: `WorkforceError.forbidden`, `.workplaceNotFound`.
    func list(at id: WorkplaceID, activeOnly: Bool, by account: AccountID) async throws -> [Worker] {
        let workplace = try await access.owned(id, by: account, in: database)
        return try await workers.listed(at: workplace, activeOnly: activeOnly, in: database)
    }

    /// Accepts a pending worker; an accepted one is unchanged.
    ///
    /// - Throws: `WorkforceError.forbidden`, `.workplaceNotFound`, `.workerNotFound`.
    func accept(_ worker: WorkerID, at id: WorkplaceID, by account: AccountID) async throws {
        try await database.transaction(key: "workplace \(id)") { transaction in
            let workplace = try await access.owned(id, by: account, in: transaction)
            let worker = try await access.worker(worker, at: workplace, in: transaction)
            guard try await workers.accept(worker.id, in: transaction) else {
                // The worker was already accepted, or has withdrawn the request concurrently.
                _ = try await access.worker(worker.id, at: workplace, in: transaction)
                return
            }
            let alert = WorkforceEvents.MemberAlerted(
                account: worker.person.account,
                sender: account,
                kind: .joinAccepted,
                arguments: [workplace.name],
                workplace: workplace.id,
                worker: worker.id
            )
            try await alerts.announce(alert, in: transaction)
        }
    }

    /// Rejects a pending worker.
    ///
    /// - Throws: `WorkforceError.undeletable` for an accepted worker; as `accept`.
    func reject(_ worker: WorkerID, at id: WorkplaceID, by account: AccountID) async throws {
        try await database.transaction(key: "workplace \(id)") { transaction in
            let workplace = try await access.owned(id, by: account, in: transaction)
            let worker = try await access.worker(worker, at: workplace, in: transaction)
            try await places.lock(worker: worker.id, in: transaction)
            guard try await !access.worker(worker.id, at: workplace, in: transaction).isAccepted else {
                throw WorkforceError.undeletable
            }
            try await parting.remove(worker, from: workplace, in: transaction)
        }
    }

    /// Removes a worker; a withdrawn user is removed from the list.
    ///
    /// - Throws: `WorkforceError.undeletable` for the owner; as `accept`.
    func remove(_ worker: WorkerID, at id: WorkplaceID, by account: AccountID) async throws {
        try await database.transaction(key: "workplace \(id)") { transaction in
            let workplace = try await access.owned(id, by: account, in: transaction)
            let worker = try await access.listedWorker(worker, at: workplace, in: transaction)
            guard worker.person.account != workplace.creator else { throw WorkforceError.undeletable }
            guard !worker.hasParted else { return try await workers.unlist(worker.id, in: transaction) }
            try await parting.remove(worker, from: workplace, in: transaction)
        }
    }

    /// Changes a worker's wage and color in the owner's calendar.
    ///
    /// - Throws: `WorkforceError.wageNotFound`, also for the owner, who has no wage; as `accept`.
    func change(
        _ worker: WorkerID,
        at id: WorkplaceID,
        color: String,
        wage: WageDraft,
        by account: AccountID
    ) async throws {
        try await database.transaction(key: "workplace \(id)") { transaction in
            let workplace = try await access.owned(id, by: account, in: transaction)
            let worker = try await access.worker(worker, at: workplace, in: transaction)
            try await places.lock(worker: worker.id, in: transaction)
            try await workers.color(worker.id, ownerColor: color, in: transaction)
            try await wages.change(worker.id, to: wage, at: workplace, in: transaction)
        }
    }

    /// Changes the caller's wage and the workplace's color in the caller's calendar.
    ///
    /// - Throws: `WorkforceError.forbidden` for a user without the role worker, and if the owner's account is
    ///   withdrawn; `.workplaceNotFound`, `.workerNotFound`, `.wageNotFound`.
    func changeOwn(at id: WorkplaceID, color: String, wage: WageDraft, by account: AccountID) async throws {
        try await access.people.person(account, as: .worker)
        try await database.transaction(key: "workplace \(id)") { transaction in
            let (workplace, worker) = try await access.membership(of: account, at: id, in: transaction)
            try access.requireWritable(workplace)
            try await places.lock(worker: worker.id, in: transaction)
            try await workers.color(worker.id, workerColor: color, in: transaction)
            try await wages.change(worker.id, to: wage, at: workplace, in: transaction)
        }
    }

    /// The caller leaves, or cancels a pending request.
    ///
    /// - Throws: `WorkforceError.forbidden` for a user without the role worker; `.undeletable` for the creator, who
    ///   deletes the workplace instead; `.workplaceNotFound`, `.workerNotFound`.
    func leave(_ id: WorkplaceID, by account: AccountID) async throws {
        try await access.people.person(account, as: .worker)
        try await database.transaction(key: "workplace \(id)") { transaction in
            let (workplace, worker) = try await access.membership(of: account, at: id, in: transaction)
            guard workplace.creator != account else { throw WorkforceError.undeletable }
            try await parting.leave(worker, from: workplace, in: transaction)
        }
    }
}
