package import Postgres
package import ServiceKit

/// The counts of likes of a table with the columns `id` and `like_count`.
///
/// A like does not write the row that it counts for, which many like at the same time and which may have many indexes: it
/// appends its change to the table `like_changes`. A job adds the changes up into `like_count`, all of a row at once. The
/// count of a row is that column plus its changes, so it is exact at any time; an order by the column alone lags behind by
/// seconds.
///
/// The service's own migration creates the table `like_changes`, as in the estate and community services. It is the same in
/// every service except for the column that references the row.
package struct LikeCounts: Sendable {
    private let table: SQL
    private let column: SQL

    /// The age in seconds at which a change is added up: rows that are liked all the time are written once in this time,
    /// however many replicas there are.
    package static let age = 5.0
    /// Rows per statement.
    private static let batch = 500

    /// - Parameters:
    ///   - table: The table whose rows are liked.
    ///   - column: The column of `like_changes` that references it.
    package init(of table: String, by column: String) {
        self.table = "\(identifier: table)"
        self.column = "\(identifier: column)"
    }

    /// The count of a row of the table, an alias of which is given.
    package func count(of row: SQL) -> SQL {
        """
        (\(row).like_count + coalesce((SELECT sum(c.change) FROM like_changes c WHERE c.\(column) = \(row).id), 0))::int
        """
    }

    /// Adds up the changes of rows with changes of an age, a batch of rows. Rows that others have locked are left to a later
    /// call.
    ///
    /// - Parameter age: In seconds.
    /// - Returns: Whether there may be more.
    @discardableResult
    package func addUp(olderThan age: Double = Self.age, in database: some Querying) async throws -> Bool {
        let rows = try await database.one(
            """
            WITH due AS MATERIALIZED (
                SELECT locked.id FROM (
                    SELECT DISTINCT \(column) AS id FROM like_changes
                    WHERE created_at <= now() - make_interval(secs => \(age))
                ) changed CROSS JOIN LATERAL (
                    SELECT t.id FROM \(table) t WHERE t.id = changed.id FOR NO KEY UPDATE SKIP LOCKED
                ) locked LIMIT \(Self.batch)
            ), gone AS (
                DELETE FROM like_changes c USING due WHERE c.\(column) = due.id RETURNING due.id, c.change
            ), sums AS (
                SELECT id, sum(change) AS change FROM gone GROUP BY id
            ), counted AS (
                UPDATE \(table) t SET like_count = t.like_count + sums.change FROM sums
                WHERE t.id = sums.id AND sums.change <> 0
            )
            SELECT count(*) FROM due
            """
        ) { try $0.decode(Int.self) }
        return rows == Self.batch
    }

    /// The job that adds changes up.
    package func job(in database: PostgresClient) -> PeriodicJob {
        PeriodicJob("counts of likes", every: .seconds(1)) { try await addUp(in: database) }
    }
}
