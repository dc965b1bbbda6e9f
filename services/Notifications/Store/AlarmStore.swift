import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

/// All SQL of alarms.
struct AlarmStore: Sendable {
    /// - Returns: the ids of those that are new, by their sources.
    func insert(
        _ drafts: [AlarmDraft],
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> [UUID: Int64] {
        let rows = try await transaction.all(
            """
            INSERT INTO alarms (app, account_id, sender_id, kind, title, body, source, created_at, read_at)
            SELECT app, account, NULLIF(sender, 0), kind, title, body, source, \(now), CASE WHEN is_seen THEN \(now) END
            FROM unnest(\(drafts.map(\.app.rawValue)), \(drafts.map(\.account)), \(drafts.map { $0.sender ?? 0 }),
                \(drafts.map(\.kind)), \(drafts.map(\.title)), \(drafts.map(\.body)), \(drafts.map(\.source)),
                \(drafts.map(\.isSeen))) WITH ORDINALITY
                AS a(app, account, sender, kind, title, body, source, is_seen, place) ORDER BY place
            ON CONFLICT (source) DO NOTHING RETURNING source, id
            """
        ) { try $0.decode(as: (UUID, Int64).self) }
        return Dictionary(rows) { first, _ in first }
    }

    func forget(_ account: Int64, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM alarms WHERE account_id = \(account)")
        try await transaction.execute("UPDATE alarms SET sender_id = NULL WHERE sender_id = \(account)")
    }
}
