import Contracts
import Postgres
import Profiles
import ServiceDatabase

/// SQL of rooms and their members.
struct RoomStore: Sendable {
    // MARK: Opening

    /// Inserts a room, unless there is one for the pair, and returns its ID.
    ///
    /// - Parameters:
    ///   - copies: With Suhyeon's IDs of a new room, for the first and the second member.
    ///   - opener: The account in whose list the room appears even without messages.
    func open(
        _ room: Room,
        post: RoomPost? = nil,
        copies: (PublicID, PublicID),
        opener: AccountID?,
        in transaction: PostgresTransaction
    ) async throws -> RoomID {
        try await transaction.execute(
            """
            INSERT INTO rooms (public_id, app, post_id, first_id, second_id, post_title, post_region, post_price)
            VALUES (\(room.publicID), \(room.app), \(post?.id.rawValue ?? 0), \(room.first), \(room.second),
                \(post?.title), \(post?.region), \(post?.price))
            ON CONFLICT (app, post_id, first_id, second_id) DO NOTHING
            """
        )
        let id = try await transaction.one(
            """
            SELECT id FROM rooms WHERE app = \(room.app) AND post_id = \(post?.id.rawValue ?? 0)
                AND first_id = \(room.first) AND second_id = \(room.second)
            """
        ) { try $0.decode(RoomID.self) }
        try await transaction.execute(
            """
            INSERT INTO members (room_id, account_id, copy_id)
            VALUES (\(id), \(room.first), \(copies.0)), (\(id), \(room.second), \(copies.1))
            ON CONFLICT (room_id, account_id) DO NOTHING
            """
        )
        if let opener {
            try await transaction.execute(
                "UPDATE members SET is_open = true WHERE room_id = \(id) AND account_id = \(opener) AND NOT is_open"
            )
        }
        return id
    }

    // MARK: Finding

    /// Whether the pair already has a room in Anlaka.
    func exists(_ room: Room, in database: some Querying) async throws -> Bool {
        try await database.one(
            """
            SELECT EXISTS (SELECT 1 FROM rooms WHERE app = \(room.app) AND post_id = 0
                AND first_id = \(room.first) AND second_id = \(room.second))
            """
        ) { try $0.decode(Bool.self) }
    }

    func room(_ publicID: PublicID, of app: App, in database: some Querying) async throws -> Room? {
        try await database.optional(
            "SELECT \(Room.columns) FROM rooms r WHERE r.public_id = \(publicID) AND r.app = \(app)"
        ) {
            try $0.decode { try Room(&$0) }
        }
    }

    /// A room by the member's own ID of it (With Suhyeon).
    func room(ofCopy copy: PublicID, of account: AccountID, in database: some Querying) async throws -> Room? {
        try await database.optional(
            """
            SELECT \(Room.columns) FROM members m JOIN rooms r ON r.id = m.room_id
            WHERE m.copy_id = \(copy) AND m.account_id = \(account)
            """
        ) { try $0.decode { try Room(&$0) } }
    }

    /// Both members' IDs of the room of an inquirer and a companion post.
    func copies(post: CompanionPostID, inquirer: AccountID, in database: some Querying) async throws -> (
        PublicID, PublicID
    )? {
        try await database.optional(
            """
            SELECT f.copy_id, s.copy_id FROM rooms r
                JOIN members f ON f.room_id = r.id AND f.account_id = r.first_id
                JOIN members s ON s.room_id = r.id AND s.account_id = r.second_id
            WHERE r.app = \(App.withsuhyeon) AND r.post_id = \(post) AND r.first_id = \(inquirer)
            """
        ) { try $0.decode(as: (PublicID, PublicID).self) }
    }

    /// The number up to which an account has cleared a room.
    func cleared(by account: AccountID, in room: RoomID, _ database: some Querying) async throws -> Int64 {
        try await database.optional(
            "SELECT cleared_through FROM members WHERE room_id = \(room) AND account_id = \(account)"
        ) { try $0.decode(Int64.self) } ?? 0
    }

    // MARK: Read state

    /// Locks a room against writes until the transaction ends, after waiting for current ones. Returns the last
    /// sequence number; nil when the room does not exist.
    @discardableResult
    func lock(_ room: RoomID, in transaction: PostgresTransaction) async throws -> Int64? {
        try await transaction.optional("SELECT last_sequence FROM rooms WHERE id = \(room) FOR SHARE") {
            try $0.decode(Int64.self)
        }
    }

    /// Whether an account's read position is before an event, or before the last one.
    func isUnread(
        _ room: RoomID,
        through sequence: Int64,
        by account: AccountID,
        in database: some Querying
    ) async throws -> Bool {
        try await database.one(
            """
            SELECT EXISTS (
                SELECT FROM members m JOIN rooms r ON r.id = m.room_id
                WHERE m.room_id = \(room) AND m.account_id = \(account)
                    AND m.read_through < least(\(sequence), r.last_sequence)
            )
            """
        ) { try $0.decode(Bool.self) }
    }

    /// Moves an account's read position forward, at most to the last event.
    ///
    /// - Returns: The new position and whether it passed messages of the other member; nil when it did not move.
    func read(
        _ room: RoomID,
        through sequence: Int64,
        by account: AccountID,
        in transaction: PostgresTransaction
    ) async throws -> (through: Int64, hasOthers: Bool)? {
        try await transaction.optional(
            """
            WITH before AS (
                SELECT m.read_through, least(\(sequence), r.last_sequence) AS through
                FROM members m JOIN rooms r ON r.id = m.room_id
                WHERE m.room_id = \(room) AND m.account_id = \(account) FOR UPDATE OF m
            )
            UPDATE members m SET read_through = before.through FROM before
            WHERE m.room_id = \(room) AND m.account_id = \(account) AND before.read_through < before.through
            RETURNING m.read_through, EXISTS (
                SELECT FROM messages u WHERE u.room_id = m.room_id AND u.sequence > before.read_through
                    AND u.sequence <= before.through AND u.sender_id <> m.account_id
            )
            """
        ) { try $0.decode(as: (Int64, Bool).self) }
    }

    /// Hides a room and all its messages so far from an account.
    func clear(_ room: RoomID, by account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            UPDATE members m SET is_open = false, cleared_through = r.last_sequence, read_through = r.last_sequence
            FROM rooms r WHERE r.id = m.room_id AND m.room_id = \(room) AND m.account_id = \(account)
            """
        )
    }

    // MARK: Deleting

    /// Locks the rooms of a post, in the order of their IDs.
    func lock(post: CompanionPostID, in transaction: PostgresTransaction) async throws -> [Room] {
        try await transaction.all(
            "SELECT \(Room.columns) FROM rooms r WHERE r.post_id = \(post) AND r.post_id <> 0 ORDER BY r.id FOR UPDATE"
        ) { try $0.decode { try Room(&$0) } }
    }

    /// Locks all rooms of an account, in the order of their IDs.
    func lock(of account: AccountID, in transaction: PostgresTransaction) async throws -> [Room] {
        try await transaction.all(
            """
            SELECT \(Room.columns) FROM rooms r
            WHERE r.id IN (SELECT room_id FROM members WHERE account_id = \(account)) ORDER BY r.id FOR UPDATE
            """
        ) { try $0.decode { try Room(&$0) } }
    }

    func delete(_ rooms: [RoomID], in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM rooms WHERE id = ANY(\(rooms))")
    }
}
