import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

/// SQL of writing messages. `MessageStore+history.swift` reads them.
struct MessageStore: Sendable {
    // MARK: Under the lock on the rooms

    /// Locks rooms, in the order of their IDs, until the transaction ends.
    ///
    /// - Parameter skipsLocked: Leaves out the rooms that other transactions have locked, instead of waiting for them.
    func lock(_ rooms: [RoomID], skipsLocked: Bool = false) -> Statement<[LockedRoom]> {
        let others: SQL = skipsLocked ? "SKIP LOCKED" : ""
        return .all(
            """
            SELECT \(Room.columns), r.last_sequence, r.last_message, r.updated_at,
                r.app = 'anlaka' AND EXISTS (
                    SELECT 1 FROM blocks b WHERE (b.account_id = r.first_id AND b.blocked_id = r.second_id)
                        OR (b.account_id = r.second_id AND b.blocked_id = r.first_id)),
                ARRAY(SELECT p.account_id FROM people p
                    WHERE p.account_id IN (r.first_id, r.second_id) AND p.withdrawn_at IS NOT NULL),
                ARRAY(SELECT m.copy_id FROM members m WHERE r.app = 'withsuhyeon' AND m.room_id = r.id
                    ORDER BY m.account_id = r.second_id)
            FROM rooms r WHERE r.id = ANY(\(rooms)) ORDER BY r.id FOR NO KEY UPDATE OF r \(others)
            """
        ) { row in
            try row.decode { columns in
                let room = try Room(&columns)
                return LockedRoom(
                    room: room,
                    lastSequence: try columns.next(),
                    lastMessage: try columns.next(),
                    updatedAt: try columns.next(),
                    isBlocked: try columns.next(),
                    gone: Set(try columns.next([AccountID].self)),
                    sides: Dictionary(zip(room.accounts, try columns.next([PublicID].self))) { first, _ in first }
                )
            }
        }
    }

    /// Which of these rooms exist, locked or not.
    func existing(_ rooms: [RoomID]) -> Statement<[RoomID]> {
        .all("SELECT id FROM rooms WHERE id = ANY(\(rooms))") { try $0.decode(RoomID.self) }
    }

    /// The stored messages with the client IDs of drafts. LATERAL forces an index lookup per draft: a plan made while
    /// the table was small would read the whole table, and may stay cached.
    func known(_ drafts: [MessageDraft]) -> Statement<[Message]> {
        let named = drafts.filter { $0.clientID != nil }
        return .all(
            """
            SELECT \(Message.columns)
            FROM unnest(\(named.map(\.room)), \(named.map(\.sender)), \(named.compactMap(\.clientID)))
                AS d(room, sender, client)
                CROSS JOIN LATERAL (
                    SELECT * FROM messages m WHERE m.room_id = d.room AND m.sender_id = d.sender
                        AND m.client_id = d.client AND m.client_id IS NOT NULL
                    LIMIT 1
                ) m
            """
        ) { try $0.decode { try Message(&$0) } }
    }

    func insert(_ messages: [Message]) -> Statement<Int> {
        .execute(
            """
            INSERT INTO messages (room_id, sequence, sender_id, content, files, client_id, created_at)
            SELECT room, sequence, sender, content, string_to_array(files, ' '), NULLIF(client, ''), at
            FROM unnest(\(messages.map(\.room)), \(messages.map(\.sequence)), \(messages.map(\.sender)),
                \(messages.map(\.content)), \(messages.map { $0.files.joined(separator: " ") }),
                \(messages.map { $0.clientID ?? "" }), \(messages.map(\.createdAt)))
                AS m(room, sequence, sender, content, files, client, at)
            """
        )
    }

    /// Stores the last numbers and times of rooms.
    func advance(_ locked: [LockedRoom]) -> Statement<Int> {
        let rooms = locked.map(\.room.id)
        return .execute(
            """
            UPDATE rooms r SET
                last_sequence = (\(locked.map(\.lastSequence)))[array_position(\(rooms), r.id)],
                last_message = (\(locked.map(\.lastMessage)))[array_position(\(rooms), r.id)],
                updated_at = (\(locked.map(\.updatedAt)))[array_position(\(rooms), r.id)]
            WHERE r.id = ANY(\(rooms))
            """
        )
    }

    /// Marks all messages as read for members who are present.
    ///
    /// - Returns: Those who have thereby read messages of the other member.
    func read(by present: [Presence], in rooms: [LockedRoom]) -> Statement<[Reader]> {
        let last = Dictionary(rooms.map { ($0.room.id, $0.lastSequence) }) { first, _ in first }
        let readers = Set(present.map { Reader(room: $0.room, account: $0.account) }.filter { last[$0.room] != nil })
            .sorted { ($0.room, $0.account) < ($1.room, $1.account) }
        return .all(
            """
            WITH before AS MATERIALIZED (
                SELECT m.room_id, m.account_id, m.read_through, d.through
                FROM unnest(\(readers.map(\.room)), \(readers.map(\.account)), \(readers.map { last[$0.room] ?? 0 }))
                    AS d(room, account, through) JOIN members m ON m.room_id = d.room AND m.account_id = d.account
                ORDER BY m.room_id, m.account_id FOR UPDATE OF m
            ), moved AS (
                UPDATE members m SET read_through = b.through FROM before b
                WHERE m.room_id = b.room_id AND m.account_id = b.account_id AND b.read_through < b.through
                RETURNING m.room_id, m.account_id, EXISTS (
                    SELECT FROM messages u WHERE u.room_id = m.room_id AND u.sequence > b.read_through
                        AND u.sequence <= b.through AND u.sender_id <> m.account_id
                ) AS has_others
            )
            SELECT room_id, account_id FROM moved WHERE has_others
            """
        ) { row in
            let (room, account) = try row.decode(as: (RoomID, AccountID).self)
            return Reader(room: room, account: account)
        }
    }

    // MARK: Changes

    /// A message of a room. The lock on the room prevents concurrent changes.
    func message(_ sequence: Int64, in room: RoomID, _ transaction: PostgresTransaction) async throws -> Message? {
        try await transaction.optional(
            "SELECT \(Message.columns) FROM messages m WHERE m.room_id = \(room) AND m.sequence = \(sequence)"
        ) { try $0.decode { try Message(&$0) } }
    }

    /// Stores a changed message and the event of the change.
    func change(_ event: RoomEvent) -> (Statement<Int>, Statement<Int>) {
        let message = event.message
        return (
            .execute(
                """
                UPDATE messages SET content = \(message.content), files = \(message.files),
                    edited_at = \(message.editedAt), deleted_at = \(message.deletedAt)
                WHERE room_id = \(message.room) AND sequence = \(message.sequence)
                """
            ),
            .execute(
                """
                INSERT INTO changes (room_id, sequence, message, kind, changed_at)
                VALUES (\(message.room), \(event.sequence), \(message.sequence), \(event.kind.rawValue), \(event.at))
                """
            )
        )
    }
}
