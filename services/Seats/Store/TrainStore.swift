import Postgres

/// SQL of the trains that the arrivals API has announced.
struct TrainStore: Sendable {
    /// The condition that a row of `trains` was sighted within 30 days.
    static let isKnown: SQL = "sighted_at > now() - interval '30 days'"

    func isKnown(_ train: TrainCode, in database: some Querying) async throws -> Bool {
        try await database.one(
            "SELECT EXISTS (SELECT FROM trains WHERE code = \(train.text) AND \(Self.isKnown))"
        ) { try $0.decode(Bool.self) }
    }

    /// Records that trains were sighted, and locks their rows. A time of less than a minute ago is kept, since every arrivals answer names the
    /// same trains.
    ///
    /// - Parameter codes: sorted, so that concurrent calls do not deadlock.
    func sight(_ codes: [String], in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO trains (code, sighted_at) SELECT code, now() FROM unnest(\(codes)) AS code
            ON CONFLICT (code) DO UPDATE SET sighted_at = excluded.sighted_at
            WHERE trains.sighted_at < excluded.sighted_at - interval '1 minute'
            """
        )
    }

    /// Deletes trains without a sighting within 30 days.
    ///
    /// - Returns: their number, at most `limit`.
    func prune(limit: Int, in database: some Querying) async throws -> Int {
        try await database.execute(
            """
            DELETE FROM trains WHERE code IN (
                SELECT code FROM trains WHERE NOT \(Self.isKnown) ORDER BY sighted_at LIMIT \(limit))
            """
        )
    }
}
