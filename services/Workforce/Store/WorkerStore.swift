import Contracts
import FoundationEssentials
import Postgres

/// SQL of memberships at workplaces.
struct WorkerStore: Sendable {
    /// - Returns: nil when the user is already a member.
    func insert(
        _ account: AccountID,
        at workplace: WorkplaceID,
        workerColor: String? = nil,
        ownerColor: String? = nil,
        isAccepted: Bool,
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> WorkerID? {
        try await transaction.optional(
            """
            INSERT INTO workers (workplace_id, account_id, worker_color, owner_color, is_accepted, joined_at)
            VALUES (\(workplace), \(account), \(workerColor), \(ownerColor), \(isAccepted), \(now))
            ON CONFLICT DO NOTHING RETURNING id
            """
        ) { try $0.decode(WorkerID.self) }
    }

    /// The workers in the owner's list, by id: all current ones except the owner, and withdrawn users who were workers
    /// at the time.
    ///
    /// - Parameter activeOnly: omits withdrawn users.
    func listed(
        at workplace: Workplace,
        activeOnly: Bool,
        in database: some Querying
    ) async throws -> [Worker] {
        try await database.all(
            """
            SELECT \(WorkplaceStore.workerColumns) FROM workers k JOIN people p USING (account_id)
            WHERE k.workplace_id = \(workplace.id) AND k.account_id <> \(workplace.creator) AND k.is_listed
                AND (p.withdrawn_at IS NULL OR NOT \(activeOnly))
            ORDER BY k.id
            """
        ) { Worker(try $0.decode(as: Worker.Columns.self)) }
    }

    /// One of the workers in the owner's list, or the owner.
    func listed(_ id: WorkerID, at workplace: Workplace, in database: some Querying) async throws -> Worker? {
        try await database.optional(
            """
            SELECT \(WorkplaceStore.workerColumns) FROM workers k JOIN people p USING (account_id)
            WHERE k.id = \(id) AND k.workplace_id = \(workplace.id) AND k.is_listed
            """
        ) { Worker(try $0.decode(as: Worker.Columns.self)) }
    }

    /// Locks the accepted and pending workers of a workplace until the transaction ends.
    ///
    /// - Parameter limit: the number of workers to lock; nil for all.
    /// - Returns: the workers, sorted by id, which is the common lock order.
    func lockAll(
        at workplace: WorkplaceID,
        limit: Int? = nil,
        in transaction: PostgresTransaction
    ) async throws -> [Worker] {
        try await transaction.all(
            """
            SELECT \(WorkplaceStore.workerColumns) FROM workers k JOIN people p USING (account_id)
            WHERE k.workplace_id = \(workplace) AND k.parted_at IS NULL ORDER BY k.id LIMIT \(limit)
            FOR NO KEY UPDATE OF k
            """
        ) { Worker(try $0.decode(as: Worker.Columns.self)) }
    }

    /// Locks a user's memberships at shared workplaces until the transaction ends.
    ///
    /// - Returns: the workers, sorted by id.
    func lockAll(of account: AccountID, in transaction: PostgresTransaction) async throws -> [Worker] {
        try await transaction.all(
            """
            SELECT \(WorkplaceStore.workerColumns) FROM workers k JOIN people p USING (account_id)
            WHERE k.account_id = \(account) AND k.parted_at IS NULL
                AND k.workplace_id IN (SELECT id FROM workplaces WHERE is_shared)
            ORDER BY k.id FOR NO KEY UPDATE OF k
            """
        ) { Worker(try $0.decode(as: Worker.Columns.self)) }
    }

    /// - Returns: false for a worker who was already accepted, or has left.
    func accept(_ worker: WorkerID, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.execute(
            "UPDATE workers SET is_accepted = true WHERE id = \(worker) AND parted_at IS NULL AND NOT is_accepted"
        ) == 1
    }

    /// Changes colors; nil leaves one unchanged.
    func color(
        _ worker: WorkerID,
        workerColor: String? = nil,
        ownerColor: String? = nil,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            """
            UPDATE workers SET worker_color = coalesce(\(workerColor), worker_color),
                owner_color = coalesce(\(ownerColor), owner_color)
            WHERE id = \(worker)
            """
        )
    }

    /// Removes a former worker from the owner's list.
    func unlist(_ worker: WorkerID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            "UPDATE workers SET is_listed = false WHERE id = \(worker) AND parted_at IS NOT NULL"
        )
    }
}
