import Contracts
import FoundationEssentials
import Postgres

/// SQL of conversations.
struct ConversationStore: Sendable {
    /// Locks the existing conversations until the transaction ends.
    func lock(_ keys: [ConversationKey]) -> Statement<[Conversation]> {
        .all(
            """
            SELECT c.account_id, c.room, c.unread, c.read_through, c.first_sequence, c.count, c.window_ends, c.told_at
            FROM conversations c JOIN unnest(\(keys.map(\.account)), \(keys.map(\.room))) AS k(account_id, room)
                USING (account_id, room)
            ORDER BY c.account_id, c.room FOR NO KEY UPDATE OF c
            """
        ) { row in
            let (account, room, unread, read, first, count, ends, told) = try row.decode(
                as: (AccountID, PublicID, Int, Int64, Int64, Int, Date, Date?).self
            )
            return Conversation(
                account: account,
                room: room,
                unread: unread,
                readThrough: read,
                firstSequence: first,
                count: count,
                windowEnds: ends,
                toldAt: told
            )
        }
    }

    /// The nicknames of accounts; withdrawn and unknown accounts are left out.
    func nicknames(of accounts: [AccountID]) -> Statement<[(AccountID, String)]> {
        .all("SELECT account_id, nickname FROM people WHERE account_id = ANY(\(accounts)) AND nickname <> ''") {
            try $0.decode(as: (AccountID, String).self)
        }
    }

    func save(_ conversations: [Conversation]) -> Statement<Int> {
        .execute(
            """
            INSERT INTO conversations (account_id, room, unread, read_through, first_sequence, count, window_ends, told_at)
            SELECT account, room, unread, read, first, count, ends, NULLIF(told, 'epoch')
            FROM unnest(\(conversations.map(\.account)), \(conversations.map(\.room)), \(conversations.map(\.unread)),
                \(conversations.map(\.readThrough)), \(conversations.map(\.firstSequence)),
                \(conversations.map(\.count)), \(conversations.map(\.windowEnds)),
                \(conversations.map { $0.toldAt ?? Date(timeIntervalSince1970: 0) }))
                AS c(account, room, unread, read, first, count, ends, told)
            ON CONFLICT (account_id, room) DO UPDATE SET unread = excluded.unread, read_through = excluded.read_through,
                first_sequence = excluded.first_sequence, count = excluded.count, window_ends = excluded.window_ends,
                told_at = excluded.told_at
            """
        )
    }

    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM conversations WHERE account_id = \(account)")
    }
}
