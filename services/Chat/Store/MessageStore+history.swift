import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

extension MessageStore {
    /// The size of the texts before a row, in an order: the rows from which a page is cut stay in the database.
    private static func textBefore(_ order: SQL) -> SQL {
        """
        sum(octet_length(m.content)) OVER (ORDER BY \(order) ROWS UNBOUNDED PRECEDING) - octet_length(m.content)
        """
    }

    /// The messages of a room after a moment and after what the account has cleared, oldest first.
    func messages(
        in room: RoomID,
        after moment: Date,
        cleared: Int64,
        limit: Int,
        _ database: some Querying
    ) async throws -> [Message] {
        try await database.all(
            """
            SELECT \(Message.columns) FROM (
                SELECT m.*, \(Self.textBefore("m.created_at")) AS before FROM (
                    SELECT * FROM messages m
                    WHERE m.room_id = \(room) AND m.created_at > \(moment) AND m.sequence > \(cleared)
                        AND m.deleted_at IS NULL
                    ORDER BY m.created_at LIMIT \(limit)) m
            ) m WHERE m.before < \(Messages.byteLimit) ORDER BY m.created_at
            """
        ) { try $0.decode { try Message(&$0) } }
    }

    /// The last messages of a room before a number, oldest first.
    func last(
        _ limit: Int,
        in room: RoomID,
        before sequence: Int64 = .max,
        cleared: Int64,
        _ database: some Querying
    ) async throws -> [Message] {
        try await database.all(
            """
            SELECT \(Message.columns) FROM (
                SELECT m.*, \(Self.textBefore("m.sequence DESC")) AS before FROM (
                    SELECT * FROM messages m
                    WHERE m.room_id = \(room) AND m.sequence < \(sequence) AND m.sequence > \(cleared)
                        AND m.deleted_at IS NULL
                    ORDER BY m.sequence DESC LIMIT \(limit)) m
            ) m WHERE m.before < \(Messages.byteLimit) ORDER BY m.sequence DESC
            """
        ) { try $0.decode { try Message(&$0) } }.reversed()
    }

    /// The events of a room after a number, in order.
    func events(
        in room: RoomID,
        after sequence: Int64,
        limit: Int,
        _ database: some Querying
    ) async throws -> [RoomEvent] {
        try await database.all(
            """
            WITH events AS (\(Self.events(of: "\(room)", after: "\(sequence)", limit: limit)))
            SELECT m.event, m.kind, m.at, \(Message.columns) FROM (
                SELECT e.sequence AS event, e.kind, e.at, m.*, \(Self.textBefore("e.sequence")) AS before
                FROM events e CROSS JOIN LATERAL (\(Self.message("e.message", in: "\(room)"))) m
            ) m WHERE m.before < \(Messages.byteLimit) ORDER BY m.event
            """
        ) { try $0.decode { try RoomEvent(&$0) } }
    }

    /// The events of several rooms, each after a number, by room and in order. A page has the size of one room's.
    func events(after positions: [RoomPosition], limit: Int, _ database: some Querying) async throws -> [RoomEvent] {
        let bytes = Messages.byteLimit / max(positions.count, 1)
        return try await database.all(
            """
            SELECT m.event, m.kind, m.at, \(Message.columns)
            FROM unnest(\(positions.map(\.room)), \(positions.map(\.sequence))) AS p(room, after) CROSS JOIN LATERAL (
                SELECT e.sequence AS event, e.kind, e.at, m.*, \(Self.textBefore("e.sequence")) AS before
                FROM (\(Self.events(of: "p.room", after: "p.after", limit: limit))) e
                    CROSS JOIN LATERAL (\(Self.message("e.message", in: "p.room"))) m
            ) m WHERE m.before < \(bytes) ORDER BY m.room_id, m.event
            """
        ) { try $0.decode { try RoomEvent(&$0) } }
    }

    /// LIMIT forces an index lookup for each event: a join may read all messages of the room.
    private static func message(_ sequence: SQL, in room: SQL) -> SQL {
        "SELECT * FROM messages WHERE room_id = \(room) AND sequence = \(sequence) LIMIT 1"
    }

    private static func events(of room: SQL, after sequence: SQL, limit: Int) -> SQL {
        """
        SELECT * FROM (
            SELECT sequence, 'sent' AS kind, created_at AS at, sequence AS message FROM messages
            WHERE room_id = \(room) AND sequence > \(sequence) ORDER BY sequence LIMIT \(limit)) sent
        UNION ALL
        SELECT * FROM (
            SELECT sequence, kind, changed_at, message FROM changes
            WHERE room_id = \(room) AND sequence > \(sequence) ORDER BY sequence LIMIT \(limit)) changed
        ORDER BY sequence LIMIT \(limit)
        """
    }
}

extension RoomEvent {
    fileprivate init(_ columns: inout Columns) throws {
        self.init(
            sequence: try columns.next(),
            kind: Kind(rawValue: try columns.next()) ?? .sent,
            at: try columns.next(),
            message: try Message(&columns)
        )
    }
}
