import Contracts
import FoundationEssentials
import Postgres

/// SQL of conversations.
struct ConversationStore: Sendable {
    /// Locks the existing conversations until the transaction ends.
    func lock(_ keys: [ConversationKey]) -> Statement<[Conversation]> {
        .all(
            """
            SELECT c.account_id, c.room, c.unread, c.unread_ranges, c.taken_back_ranges, c.read_through, c.first_sequence,
                c.count, c.window_ends, c.told_at
            FROM conversations c JOIN unnest(\(keys.map(\.account)), \(keys.map(\.room))) AS k(account_id, room)
                USING (account_id, room)
            ORDER BY c.account_id, c.room FOR NO KEY UPDATE OF c
            """
        ) { row in
            let (account, room, count, unread, takenBack, read, first, grouped, ends, due) = try row.decode(
                as: (AccountID, PublicID, Int, [Int64], [Int64], Int64, Int64, Int, Date, Date?).self
            )
            return Conversation(
                account: account,
                room: room,
                unreadCount: count,
                unread: MessageNumbers(bounds: unread),
                takenBack: MessageNumbers(bounds: takenBack),
                readThrough: read,
                firstSequence: first,
                count: grouped,
                windowEnds: ends,
                pushDueAt: due
            )
        }
    }

    /// Locks accounts against withdrawal until the transaction ends.
    func people(_ accounts: [AccountID]) -> Statement<[Participant]> {
        .all(
            """
            SELECT account_id, nickname, withdrawn_at IS NOT NULL FROM people WHERE account_id = ANY(\(accounts))
            ORDER BY account_id FOR SHARE
            """
        ) { row in
            let (account, nickname, isWithdrawn) = try row.decode(as: (AccountID, String, Bool).self)
            return Participant(account: account, nickname: nickname == "" ? nil : nickname, isWithdrawn: isWithdrawn)
        }
    }

    func save(_ conversations: [Conversation], at now: Date) -> Statement<Int> {
        .execute(
            """
            INSERT INTO conversations (account_id, room, unread, unread_ranges, taken_back_ranges, read_through,
                first_sequence, count, window_ends, told_at, touched_on)
            SELECT account, room, unread, string_to_array(ranges, ' ')::bigint[], string_to_array(back, ' ')::bigint[],
                read, first, count, ends, NULLIF(due, 'epoch'), \(now)::date
            FROM unnest(\(conversations.map(\.account)), \(conversations.map(\.room)),
                \(conversations.map(\.unread.count)), \(conversations.map(\.unread.text)),
                \(conversations.map(\.takenBack.text)), \(conversations.map(\.readThrough)),
                \(conversations.map(\.firstSequence)), \(conversations.map(\.groupCount)),
                \(conversations.map(\.windowEnds)),
                \(conversations.map { $0.pushDueAt ?? Date(timeIntervalSince1970: 0) }))
                AS c(account, room, unread, ranges, back, read, first, count, ends, due)
            ON CONFLICT (account_id, room) DO UPDATE SET unread = excluded.unread,
                unread_ranges = excluded.unread_ranges, taken_back_ranges = excluded.taken_back_ranges,
                read_through = excluded.read_through, first_sequence = excluded.first_sequence, count = excluded.count,
                window_ends = excluded.window_ends, told_at = excluded.told_at, touched_on = excluded.touched_on
            """
        )
    }

    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM conversations WHERE account_id = \(account)")
    }
}

extension MessageNumbers {
    /// The bounds as words. An array of arrays cannot be a parameter when their lengths differ.
    fileprivate var text: String { bounds.map(String.init).joined(separator: " ") }
}
