import Contracts
import Postgres

/// SQL for reading workplaces and their workers.
struct WorkplaceStore: Sendable {
    /// The columns of `Workplace.Columns`, of a table or alias `w`.
    static let columns: SQL = """
        w.id, w.creator_id, w.name, w.category, w.address, w.latitude, w.longitude, w.is_shared, w.five_or_more,
        w.abandoned_at IS NOT NULL
        """

    /// The columns of `Worker.Columns`, of tables or aliases `k` (workers) and `p` (people).
    static let workerColumns: SQL = """
        k.id, k.workplace_id, k.worker_color, k.owner_color, k.is_accepted, k.parted_at IS NOT NULL,
        \(PersonStore.columns)
        """

    /// - Returns: nil for a deleted workplace.
    func workplace(_ id: WorkplaceID, in database: some Querying) async throws -> Workplace? {
        try await database.optional(
            "SELECT \(Self.columns) FROM workplaces w WHERE w.id = \(id) AND w.deleted_at IS NULL"
        ) { Workplace(try $0.decode(as: Workplace.Columns.self)) }
    }

    func worker(_ id: WorkerID, in database: some Querying) async throws -> Worker? {
        try await database.optional(
            """
            SELECT \(Self.workerColumns) FROM workers k JOIN people p USING (account_id) WHERE k.id = \(id)
            """
        ) { Worker(try $0.decode(as: Worker.Columns.self)) }
    }

    /// A user's current membership at a workplace.
    func worker(of account: AccountID, at workplace: WorkplaceID, in database: some Querying) async throws -> Worker? {
        try await database.optional(
            """
            SELECT \(Self.workerColumns) FROM workers k JOIN people p USING (account_id)
            WHERE k.workplace_id = \(workplace) AND k.account_id = \(account) AND k.parted_at IS NULL
            """
        ) { Worker(try $0.decode(as: Worker.Columns.self)) }
    }

    /// Locks a worker's row until the transaction ends, which serializes changes of the worker's shifts and wages.
    ///
    /// - Throws: `WorkforceError.workerNotFound` for a worker who has left meanwhile.
    func lock(worker: WorkerID, in transaction: PostgresTransaction) async throws {
        let found = try await transaction.optional(
            "SELECT 1 FROM workers WHERE id = \(worker) AND parted_at IS NULL FOR NO KEY UPDATE"
        ) { try $0.decode(Int32.self) }
        guard found != nil else { throw WorkforceError.workerNotFound }
    }
}

extension Workplace {
    typealias Columns = (WorkplaceID, AccountID, String, String, String?, Double?, Double?, Bool, Bool, Bool)

    init(_ columns: Columns) {
        self.init(
            id: columns.0,
            creator: columns.1,
            name: columns.2,
            category: columns.3,
            address: columns.4,
            latitude: columns.5,
            longitude: columns.6,
            isShared: columns.7,
            hasFiveOrMoreEmployees: columns.8,
            isAbandoned: columns.9
        )
    }
}

extension Worker {
    typealias Columns = (WorkerID, WorkplaceID, String?, String?, Bool, Bool, AccountID, String, String?, String?, Bool)

    init(_ columns: Columns) {
        self.init(
            id: columns.0,
            workplace: columns.1,
            person: Person((columns.6, columns.7, columns.8, columns.9, columns.10)),
            workerColor: columns.2,
            ownerColor: columns.3,
            isAccepted: columns.4,
            hasParted: columns.5
        )
    }
}
