import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

/// SQL of in-app notifications.
struct InAppNotificationStore: Sendable {
    /// Locks accounts against withdrawal until the transaction ends.
    func lockPeople(_ accounts: [AccountID]) -> Statement<Int> {
        .execute("SELECT FROM people WHERE account_id = ANY(\(accounts)) ORDER BY account_id FOR SHARE")
    }

    /// Inserts notifications. Those for withdrawn accounts are left out, and withdrawn senders are replaced by NULL.
    ///
    /// - Returns: The IDs of the new ones, by source.
    func insert(
        _ drafts: [InAppNotificationDraft],
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> [UUID: NotificationID] {
        let rows = try await transaction.all(
            """
            INSERT INTO alarms (app, account_id, sender_id, kind, title, body, data, source, created_at, read_at)
            SELECT a.app, a.account, s.account_id, a.kind, a.title, a.body, a.data, a.source, \(now),
                CASE WHEN a.is_seen THEN \(now) END
            FROM unnest(\(drafts.map(\.app.rawValue)), \(drafts.map(\.account)), \(drafts.map { $0.sender ?? .system }),
                \(drafts.map(\.kind)), \(drafts.map(\.title)), \(drafts.map(\.body)),
                \(drafts.map { PostgresJSON($0.data) }), \(drafts.map(\.source)), \(drafts.map(\.isSeen)))
                WITH ORDINALITY AS a(app, account, sender, kind, title, body, data, source, is_seen, place)
                CROSS JOIN LATERAL (
                    SELECT CASE WHEN a.sender > 0 AND NOT EXISTS (
                        SELECT FROM people WHERE account_id = a.sender AND withdrawn_at IS NOT NULL
                    ) THEN a.sender END
                ) s(account_id)
            WHERE NOT EXISTS (SELECT FROM people WHERE account_id = a.account AND withdrawn_at IS NOT NULL)
            ORDER BY place ON CONFLICT (source) DO NOTHING RETURNING source, id
            """
        ) { try $0.decode(as: (UUID, NotificationID).self) }
        return Dictionary(rows) { first, _ in first }
    }

    /// Whether the notification with the draft's source has the same recipient and text, or does not exist.
    func isSame(_ draft: InAppNotificationDraft, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.one(
            """
            SELECT NOT EXISTS (SELECT FROM alarms WHERE source = \(draft.source) AND (account_id, title, body)
                <> (\(draft.account), \(draft.title), \(draft.body)))
            """
        ) { try $0.decode(Bool.self) }
    }

    func lockedNickname(of account: AccountID, in transaction: PostgresTransaction) async throws -> String? {
        try await transaction.optional("SELECT nickname FROM people WHERE account_id = \(account) FOR UPDATE") {
            try $0.decode(String.self)
        }
    }

    /// - Parameters:
    ///   - name: The nickname as notifications have it; empty for none.
    ///   - replacement: What they have instead.
    func forget(
        _ account: AccountID,
        named name: String,
        now replacement: String,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute("DELETE FROM alarms WHERE account_id = \(account)")
        try await transaction.execute(
            """
            UPDATE alarms SET sender_id = NULL, title = replace(title, \(name), \(replacement)),
                body = replace(body, \(name), \(replacement))
            WHERE sender_id = \(account)
            """
        )
    }
}
