import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

/// SQL of what operators see of rooms. The rows that it reads do not grow with a room.
struct OperatorLookupStore: Sendable {
    /// The rooms among which the recently active ones are chosen: of those that sockets show, and of the newest.
    private static let candidates = 1000

    /// Rooms by the time of their last message, newest first.
    func recent(limit: Int, in database: some Querying) async throws -> [OperatorsAPI.RoomSummary] {
        try await database.all(
            """
            SELECT \(Self.columns) FROM rooms r WHERE r.id IN (
                SELECT * FROM (SELECT DISTINCT room_id FROM presences WHERE room_id IS NOT NULL
                    ORDER BY room_id DESC LIMIT \(Self.candidates)) shown
                UNION ALL
                SELECT * FROM (SELECT id FROM rooms ORDER BY id DESC LIMIT \(Self.candidates)) newest)
            ORDER BY r.updated_at DESC, r.id DESC LIMIT \(limit)
            """
        ) { try $0.decode { try OperatorsAPI.RoomSummary(&$0) } }
    }

    func room(_ id: RoomID, in database: some Querying) async throws -> OperatorsAPI.RoomSummary? {
        try await database.optional("SELECT \(Self.columns) FROM rooms r WHERE r.id = \(id)") {
            try $0.decode { try OperatorsAPI.RoomSummary(&$0) }
        }
    }

    /// A room by its public ID, or a member's ID of it.
    func room(_ id: PublicID, in database: some Querying) async throws -> OperatorsAPI.RoomSummary? {
        try await database.optional(
            """
            SELECT \(Self.columns) FROM rooms r WHERE r.id = coalesce(
                (SELECT id FROM rooms WHERE public_id = \(id)), (SELECT room_id FROM members WHERE copy_id = \(id)))
            """
        ) { try $0.decode { try OperatorsAPI.RoomSummary(&$0) } }
    }

    func members(of room: RoomID, in database: some Querying) async throws -> [OperatorsAPI.Member] {
        try await database.all(
            """
            SELECT m.account_id, p.nickname, m.read_through, (
                SELECT count(*) FILTER (WHERE u.sender_id <> m.account_id AND u.deleted_at IS NULL) FROM (
                    SELECT sender_id, deleted_at FROM messages WHERE room_id = m.room_id AND sequence > m.read_through
                    ORDER BY sequence LIMIT \(OperatorsAPI.Member.unreadLimit)::int) u
            ), (SELECT count(*) FROM presences s WHERE s.room_id = m.room_id AND s.account_id = m.account_id)
            FROM members m JOIN people p ON p.account_id = m.account_id
            WHERE m.room_id = \(room) ORDER BY m.account_id
            """
        ) { row in
            let (account, nickname, readThrough, unread, sockets) = try row.decode(
                as: (AccountID, String, Int64, Int, Int).self
            )
            return OperatorsAPI.Member(
                account: account,
                nickname: nickname,
                readThrough: readThrough,
                unread: unread,
                sockets: sockets
            )
        }
    }

    /// The newest events of a room, in its order.
    func events(of room: RoomID, limit: Int, in database: some Querying) async throws -> [OperatorsAPI.RoomEvent] {
        try await database.all(
            """
            SELECT e.sequence, e.kind, e.message, m.sender_id, extract(epoch FROM e.at)::float8, char_length(m.content),
                cardinality(m.files), (SELECT count(*) FROM members r WHERE r.room_id = \(room)
                    AND r.account_id <> m.sender_id AND r.read_through >= e.sequence)
            FROM (
                SELECT * FROM (
                    SELECT sequence, 'sent' AS kind, created_at AS at, sequence AS message FROM messages
                    WHERE room_id = \(room) ORDER BY sequence DESC LIMIT \(limit)) sent
                UNION ALL
                SELECT * FROM (
                    SELECT sequence, kind, changed_at, message FROM changes
                    WHERE room_id = \(room) ORDER BY sequence DESC LIMIT \(limit)) changed
                ORDER BY sequence DESC LIMIT \(limit)
            ) e CROSS JOIN LATERAL (
                SELECT sender_id, content, files FROM messages
                WHERE room_id = \(room) AND sequence = e.message LIMIT 1) m
            ORDER BY e.sequence
            """
        ) { row in
            let (sequence, kind, message, sender, at, length, files, readers) = try row.decode(
                as: (Int64, String, Int64, AccountID, Double, Int, Int, Int).self
            )
            return OperatorsAPI.RoomEvent(
                sequence: sequence,
                kind: kind,
                message: message,
                sender: sender,
                at: at,
                length: length,
                files: files,
                readers: readers
            )
        }
    }

    private static let columns: SQL = "\(Room.columns), r.last_sequence, extract(epoch FROM r.updated_at)::float8"
}

extension OperatorsAPI.RoomSummary {
    fileprivate init(_ columns: inout Columns) throws {
        let room = try Room(&columns)
        self.init(
            id: room.id,
            publicID: room.publicID,
            app: room.app,
            members: room.accounts,
            lastSequence: try columns.next(),
            updatedAt: try columns.next()
        )
    }
}
