import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

extension RoomStore {
    /// The room of an inquirer and a companion post, and whether it has messages.
    func room(
        post: CompanionPostID,
        inquirer: AccountID,
        in database: some Querying
    ) async throws -> (room: Room, hasMessages: Bool)? {
        try await database.optional(
            """
            SELECT \(Room.columns), r.last_message > 0 FROM rooms r
            WHERE r.app = \(App.withsuhyeon) AND r.post_id = \(post) AND r.first_id = \(inquirer)
            """
        ) { row in
            try row.decode { columns in (try Room(&columns), try columns.next()) }
        }
    }

    /// For the rooms of an account with the newest messages: the number of the last event, and that of the last message
    /// before a moment.
    func progress(
        of account: AccountID,
        since moment: Date,
        limit: Int,
        in database: some Querying
    ) async throws -> [RoomProgress] {
        try await database.all(
            """
            SELECT r.id, r.last_sequence, coalesce((
                SELECT m.sequence FROM messages m WHERE m.room_id = r.id AND m.created_at < \(moment)
                ORDER BY m.created_at DESC LIMIT 1), 0)
            FROM members me JOIN rooms r ON r.id = me.room_id WHERE me.account_id = \(account)
            ORDER BY r.updated_at DESC LIMIT \(limit)
            """
        ) {
            let (room, last, before) = try $0.decode(as: (RoomID, Int64, Int64).self)
            return RoomProgress(room: room, last: last, before: before)
        }
    }

    /// Whether other members have written in rooms after the given numbers.
    func hasMessages(
        after numbers: [RoomID: Int64],
        for account: AccountID,
        in database: some Querying
    ) async throws -> Bool {
        try await database.one(
            """
            SELECT EXISTS (SELECT 1 FROM unnest(\(Array(numbers.keys)), \(Array(numbers.values))) AS n(room, after)
                JOIN messages m ON m.room_id = n.room AND m.sequence > n.after
                WHERE m.sender_id <> \(account) AND m.deleted_at IS NULL)
            """
        ) { try $0.decode(Bool.self) }
    }
}
