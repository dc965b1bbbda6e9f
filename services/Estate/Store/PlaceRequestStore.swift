import Contracts
import Postgres
import ServiceDatabase
import Values

/// SQL of the budget of requests for places.
struct PlaceRequestStore: Sendable {
    /// Counts a request.
    ///
    /// - Returns: false when the limit of the day is reached.
    func count(
        _ account: AccountID,
        on day: CivilDate,
        limit: Int,
        in database: some Querying
    ) async throws -> Bool {
        try await database.execute(
            """
            INSERT INTO place_requests AS r (day, account_id, count) VALUES (\(day), \(account), 1)
            ON CONFLICT (day, account_id) DO UPDATE SET count = r.count + 1 WHERE r.count < \(limit)
            """
        ) == 1
    }

    func prune(before day: CivilDate, in database: PostgresClient) async throws {
        try await database.prune("place_requests", where: "day < \(day)")
    }
}
