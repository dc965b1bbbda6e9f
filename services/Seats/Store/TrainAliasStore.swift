import Postgres

/// SQL of the aliases of running trains.
struct TrainAliasStore: Sendable {
    /// Gives an alias to each train that has none, as long as there are free ones. An alias is never the code of a train.
    ///
    /// - Parameter codes: trains whose rows the transaction has locked, so that another copy of the service waits.
    func assign(to codes: [String], in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            UPDATE train_aliases SET train_code = NULL, freed_at = now()
            WHERE alias = ANY(\(codes.filter { $0.utf8.count == TrainCode.aliasLength })) AND train_code IS NOT NULL
            """
        )
        try await transaction.execute(
            """
            WITH wanting AS (
                SELECT code, row_number() OVER () AS number FROM unnest(\(codes)) AS code
                WHERE NOT EXISTS (SELECT FROM train_aliases a WHERE a.train_code = code)
            ), free AS (
                SELECT alias FROM train_aliases a
                WHERE train_code IS NULL AND NOT EXISTS (SELECT FROM trains t WHERE t.code = a.alias)
                ORDER BY freed_at, alias LIMIT (SELECT count(*) FROM wanting) FOR UPDATE SKIP LOCKED
            ), numbered AS (
                SELECT alias, row_number() OVER () AS number FROM free
            )
            UPDATE train_aliases a SET train_code = w.code FROM numbered n JOIN wanting w USING (number)
            WHERE a.alias = n.alias
            """
        )
    }

    /// Frees the aliases of trains without a sighting within an hour, unless a journey on them is active.
    ///
    /// - Returns: their number, at most `limit`.
    func free(limit: Int, in database: some Querying) async throws -> Int {
        try await database.execute(
            """
            WITH gone AS (
                SELECT code FROM trains t WHERE sighted_at < now() - interval '1 hour'
                    AND EXISTS (SELECT FROM train_aliases a WHERE a.train_code = t.code)
                    AND NOT EXISTS (SELECT FROM journeys j WHERE j.status = 'ACTIVE' AND j.train_code = t.code)
                ORDER BY code LIMIT \(limit) FOR UPDATE SKIP LOCKED
            )
            UPDATE train_aliases a SET train_code = NULL, freed_at = now() FROM gone WHERE a.train_code = gone.code
            """
        )
    }

    /// The aliases of trains, by their codes.
    func aliases(of codes: [String], in database: some Querying) async throws -> [String: String] {
        let rows = try await database.all(
            "SELECT train_code, alias FROM train_aliases WHERE train_code = ANY(\(codes))"
        ) { try $0.decode(String.self, String.self) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// The train that an alias stands for; nil for a train's own code, and for an alias that is free.
    func train(of alias: String, in database: some Querying) async throws -> String? {
        try await database.optional(
            """
            SELECT train_code FROM train_aliases WHERE alias = \(alias) AND train_code IS NOT NULL
                AND NOT EXISTS (SELECT FROM trains WHERE code = \(alias))
            """
        ) { try $0.decode(String.self) }
    }
}
