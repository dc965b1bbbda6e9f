import Contracts
import FoundationEssentials
import Postgres

/// The people at a workplace: the owner decides who is let in and who stays, and what they are paid (MOUP contract 4,
/// approval).
struct Staff: Sendable {
    let database: PostgresClient
    let access: Access
    let wages: Wages
    let parting: Parting
    let alerts: Alerts
    private let places = WorkplaceStore()
    private let workers = WorkerStore()

    init(database: PostgresClient, access: Access, wages: Wages, parting: Parting, alerts: Alerts) {
        self.database = database
        self.access = access
        self.wages = wages
        self.parting = parting
        self.alerts = alerts
    }

    /// Everybody but the owner.
    ///
    /// - Parameter activeOnly: leaves out who has left the app.
    /// - Throws: `WorkforceError.forbidden`, `.workplaceNotFound`.
    func list(at id: Int64, activeOnly: Bool, by account: Int64) async throws -> [Worker] {
        let workplace = try await access.owned(id, by: account, in: database)
        return try await workers.listed(at: workplace, activeOnly: activeOnly, in: database)
    }

    /// Lets somebody in who has asked. Who is in already stays in.
    ///
    /// - Throws: `WorkforceError.forbidden`, `.workplaceNotFound`, `.workerNotFound`.
    func accept(_ worker: Int64, at id: Int64, by account: Int64) async throws {
        try await database.transaction { transaction in
            let workplace = try await access.owned(id, by: account, in: transaction)
            let worker = try await access.worker(worker, at: workplace, in: transaction)
            guard try await workers.accept(worker.id, in: transaction) else {
                // Accepted before, unless they took their question back at this moment.
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

    /// Turns down somebody who has asked.
    ///
    /// - Throws: `WorkforceError.undeletable` for who is in already; as `accept`.
    func reject(_ worker: Int64, at id: Int64, by account: Int64) async throws {
        try await database.transaction { transaction in
            let workplace = try await access.owned(id, by: account, in: transaction)
            let worker = try await access.worker(worker, at: workplace, in: transaction)
            try await places.lock(worker: worker.id, in: transaction)
            guard try await !access.worker(worker.id, at: workplace, in: transaction).isAccepted else {
                throw WorkforceError.undeletable
            }
            try await parting.remove(worker, from: workplace, in: transaction)
        }
    }

    /// Removes somebody; who has left the app is taken from the list.
    ///
    /// - Throws: `WorkforceError.undeletable` for the owner; as `accept`.
    func remove(_ worker: Int64, at id: Int64, by account: Int64) async throws {
        try await database.transaction { transaction in
            let workplace = try await access.owned(id, by: account, in: transaction)
            let worker = try await access.listedWorker(worker, at: workplace, in: transaction)
            guard worker.person.account != workplace.creator else { throw WorkforceError.undeletable }
            guard !worker.hasParted else { return try await workers.unlist(worker.id, in: transaction) }
            try await parting.remove(worker, from: workplace, in: transaction)
        }
    }

    /// Changes what a worker is paid, and their colour in the owner's calendar.
    ///
    /// - Throws: `WorkforceError.wageNotFound`, also for the owner, who is not paid; as `accept`.
    func change(
        _ worker: Int64,
        at id: Int64,
        color: String,
        wage: WageDraft,
        by account: Int64
    ) async throws {
        try await database.transaction { transaction in
            let workplace = try await access.owned(id, by: account, in: transaction)
            let worker = try await access.worker(worker, at: workplace, in: transaction)
            try await places.lock(worker: worker.id, in: transaction)
            try await workers.color(worker.id, ownerColor: color, in: transaction)
            try await wages.change(worker.id, to: wage, at: workplace, in: transaction)
        }
    }

    /// Changes what the caller is paid, and the workplace's colour in their calendar.
    ///
    /// - Throws: `WorkforceError.forbidden` for who is no worker, and where the owner has left the app;
    ///   `.workplaceNotFound`, `.workerNotFound`, `.wageNotFound`.
    func changeOwn(at id: Int64, color: String, wage: WageDraft, by account: Int64) async throws {
        try await access.people.person(account, as: .worker)
        try await database.transaction { transaction in
            let (workplace, worker) = try await access.membership(of: account, at: id, in: transaction)
            try access.requireWritable(workplace)
            try await places.lock(worker: worker.id, in: transaction)
            try await workers.color(worker.id, workerColor: color, in: transaction)
            try await wages.change(worker.id, to: wage, at: workplace, in: transaction)
        }
    }

    /// The caller leaves, or takes their question back.
    ///
    /// - Throws: `WorkforceError.forbidden` for who is no worker, `.undeletable` for the creator, who deletes the
    ///   workplace instead; `.workplaceNotFound`, `.workerNotFound`.
    func leave(_ id: Int64, by account: Int64) async throws {
        try await access.people.person(account, as: .worker)
        try await database.transaction { transaction in
            let (workplace, worker) = try await access.membership(of: account, at: id, in: transaction)
            guard workplace.creator != account else { throw WorkforceError.undeletable }
            try await parting.leave(worker, from: workplace, in: transaction)
        }
    }
}
