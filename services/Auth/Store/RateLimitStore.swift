import Postgres
import ServiceDatabase

/// SQL of rate limits.
struct RateLimitStore: Sendable {
    /// - Parameter window: seconds in which an empty bucket refills.
    /// - Returns: whether a token was available.
    func take(_ key: [UInt8], limit: Int, window: Double, in database: some Querying) async throws -> Bool {
        let taken = try await database.execute(
            """
            INSERT INTO allowances AS a (key, tokens, at, refill)
            VALUES (\(key), \(Double(limit)) - 1, now(), \(window))
            ON CONFLICT (key) DO UPDATE SET tokens = \(Self.level(limit, window)) - 1, at = now()
            WHERE \(Self.level(limit, window)) >= 1
            """
        )
        return taken == 1
    }

    /// Seconds until a token is available.
    func wait(_ key: [UInt8], limit: Int, window: Double, in database: some Querying) async throws -> Int {
        let level = try await level(key, limit: limit, window: window, in: database)
        return max(1, Int(((1 - (level ?? 1)) * window / Double(limit)).rounded(.up)))
    }

    /// The present level; nil for a full bucket that is not stored.
    func level(_ key: [UInt8], limit: Int, window: Double, in database: some Querying) async throws -> Double? {
        try await database.optional("SELECT \(Self.level(limit, window)) FROM allowances a WHERE key = \(key)") {
            try $0.decode(Double.self)
        }
    }

    func forget(_ key: [UInt8], in database: some Querying) async throws {
        try await database.execute("DELETE FROM allowances WHERE key = \(key)")
    }

    func giveBack(_ key: [UInt8], limit: Int, in database: some Querying) async throws {
        try await database.execute(
            "UPDATE allowances SET tokens = least(\(Double(limit)), tokens + 1) WHERE key = \(key)"
        )
    }

    /// Deletes full buckets. None is full before ten minutes, the shortest window.
    func forgetFull(in database: PostgresClient) async throws {
        try await database.prune(
            "allowances",
            where: "at < now() - interval '10 minutes' AND at < now() - make_interval(secs => refill)"
        )
    }

    /// The current level of a bucket.
    private static func level(_ limit: Int, _ window: Double) -> SQL {
        """
        least(\(Double(limit)), a.tokens + extract(epoch FROM now() - a.at) * \(Double(limit)) / \(window))
        """
    }
}
