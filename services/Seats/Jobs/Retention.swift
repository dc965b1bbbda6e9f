import Postgres
import ServiceDatabase
import ServiceKit

/// The job that keeps the tables bounded: it deletes old rows in batches, and the next one at once while there are more.
struct Retention: Sendable {
    let database: PostgresClient
    let responses: IdempotencyKeys
    var batch = 1_000

    private let store = RetentionStore()
    private let trains = TrainStore()

    var job: PeriodicJob {
        PeriodicJob("retention", every: .seconds(300)) { try await run() }
    }

    /// Deletes a batch of each table.
    ///
    /// - Returns: whether there may be more.
    /// - Throws: The first failure, after the other tables have had their turn.
    func run() async throws -> Bool {
        let deletions: [(Int, PostgresClient) async throws -> Int] = [
            { _, database in
                try await RetentionStore.messages.maintain(database)
                return 0
            },
            store.deleteRewards, store.deleteRequests, store.deleteJourneys, store.deleteReports, store.foldTransfers,
            store.deleteRevokedSessions, store.deleteAlerts, store.deleteSightings, trains.prune,
            { limit, database in
                // A car has some fifty rows.
                let limit = max(1, limit / 50)
                let cars = try await database.transaction {
                    try await CarStore().pruneUnused(limit: limit, in: $0)
                }
                return cars == limit ? self.batch : 0
            },
        ]
        try await responses.prune()
        var isMore = false
        try await deletions.attemptEach { if try await $0(batch, database) == batch { isMore = true } }
        return isMore
    }
}
