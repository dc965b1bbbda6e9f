package import Postgres

extension PostgresClient {
    /// Deletes all rows of a table that match a condition, such as an age, in batches, so that no statement runs into
    /// its time limit or holds many locks. Several processes may do so at the same time.
    ///
    /// - Parameters:
    ///   - table: A table without partitions, since rows of different partitions can have the same `ctid`.
    ///   - condition: The text after `WHERE`; it needs an index.
    ///   - size: The number of rows of a batch.
    /// - Returns: The number of deleted rows.
    @discardableResult
    package func prune(_ table: String, where condition: SQL, inBatchesOf size: Int = 5_000) async throws -> Int {
        try await prune(inBatchesOf: size) { Self.pruning(table, where: condition, limit: $0) }
    }

    /// The statement of a batch; tests check its plan.
    package static func pruning(_ table: String, where condition: SQL, limit: Int) -> SQL {
        """
        DELETE FROM \(identifier: table) WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM \(identifier: table) WHERE \(condition) LIMIT \(limit) FOR UPDATE SKIP LOCKED
        ))
        """
    }

    /// Repeats a statement that deletes at most a number of rows until it finds fewer. Each runs in a transaction of
    /// its own, on a leased connection, so that no other statement waits behind it.
    ///
    /// - Returns: The number of deleted rows.
    @discardableResult
    package func prune(inBatchesOf size: Int = 5_000, _ statement: (_ limit: Int) -> SQL) async throws -> Int {
        var deleted = 0
        while true {
            let batch = try await transaction { try await $0.execute(statement(size)) }
            deleted += batch
            guard batch == size else { return deleted }
        }
    }
}
