import Contracts
import Postgres
import ServiceDatabase
import Values

extension PayStore {
    /// Workers with a month of another revision of the rates, sorted by id.
    func stale(
        since month: CivilMonth,
        revision: String,
        after worker: WorkerID,
        limit: Int,
        in database: some Querying
    ) async throws -> [WorkerID] {
        try await database.all(
            """
            SELECT DISTINCT worker_id FROM months
            WHERE month >= \(month) AND revision <> \(revision) AND worker_id > \(worker)
            ORDER BY worker_id LIMIT \(limit)
            """
        ) { try $0.decode(WorkerID.self) }
    }

    /// A worker's months of another revision of the rates. Locks the worker, also a former one.
    func lockStale(
        of worker: WorkerID,
        since month: CivilMonth,
        revision: String,
        in transaction: PostgresTransaction
    ) async throws -> Set<CivilMonth> {
        let (_, months) = try await transaction.run(
            .execute("SELECT 1 FROM workers WHERE id = \(worker) FOR NO KEY UPDATE"),
            Statement.all(
                "SELECT month FROM months WHERE worker_id = \(worker) AND month >= \(month) AND revision <> \(revision)"
            ) { try $0.decode(CivilMonth.self) }
        )
        return Set(months)
    }
}
