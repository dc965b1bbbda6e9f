import Contracts
import FoundationEssentials
import Postgres

/// Pending pushes for messages of chat rooms.
extension PushStore {
    /// The pending pushes of rooms. A sender that has leased a mailbox has taken its first due push.
    func waiting(in rooms: [ConversationKey], at now: Date) -> Statement<[WaitingPush]> {
        .all(
            """
            SELECT p.id, d.account_id, p.thread, coalesce(p.group_start, 0), coalesce(p.first_message, 0),
                coalesce(p.last_message, 0), p.grouping IS NOT NULL, p.body,
                m.lease IS NOT NULL AND p.due_at <= \(now) AND p.id = (
                    SELECT id FROM pushes f WHERE f.device_id = p.device_id ORDER BY due_at, id LIMIT 1)
            FROM unnest(\(rooms.map(\.account)), \(rooms.map(\.room))) AS t(account, room)
                JOIN devices d ON d.account_id = t.account JOIN mailboxes m ON m.device_id = d.id
                JOIN pushes p ON p.device_id = d.id AND p.thread = t.room
            ORDER BY p.id
            """
        ) { row in
            let (id, account, room, start, first, last, isGrouped, body, isBeingSent) = try row.decode(
                as: (PushID, AccountID, PublicID, Int64, Int64, Int64, Bool, String, Bool).self
            )
            return WaitingPush(
                id: id,
                room: ConversationKey(account: account, room: room),
                messages: last > 0 ? PushedMessages(groupStart: start, first: first, last: last) : nil,
                isGrouped: isGrouped,
                body: body,
                isBeingSent: isBeingSent
            )
        }
    }

    func delete(_ pushes: [WaitingPush]) -> Statement<Int> {
        .execute("DELETE FROM pushes WHERE id = ANY(\(pushes.map(\.id)))")
    }

    func update(_ pushes: [WaitingPush]) -> Statement<Int> {
        .execute(
            """
            UPDATE pushes p SET body = t.body, revision = p.revision + 1
            FROM unnest(\(pushes.map(\.id)), \(pushes.map(\.body))) AS t(id, body) WHERE p.id = t.id
            """
        )
    }
}
