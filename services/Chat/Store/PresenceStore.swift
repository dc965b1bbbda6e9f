import Contracts
import FoundationEssentials
import Postgres

/// SQL of presences. A replica without a heartbeat for `timeout` counts as dead, and its sockets as closed.
struct PresenceStore: Sendable {
    /// Maximum age of a heartbeat.
    static let timeout = "6 seconds"

    // MARK: Replicas

    /// Writes a replica's heartbeat.
    ///
    /// - Returns: Whether the replica was unknown; its presences must then be saved again.
    func beat(_ copy: UUID, in database: some Querying) async throws -> Bool {
        try await database.one(
            """
            INSERT INTO copies (id) VALUES (\(copy)) ON CONFLICT (id) DO UPDATE SET seen_at = now()
            RETURNING xmax = 0
            """
        ) { try $0.decode(Bool.self) }
    }

    func delete(copy: UUID, in database: some Querying) async throws {
        try await database.execute("DELETE FROM copies WHERE id = \(copy)")
    }

    /// Deletes a replica's presences except those of some sockets.
    func deletePresences(of copy: UUID, except sockets: Set<UUID>, in database: some Querying) async throws {
        try await database.execute(
            "DELETE FROM presences WHERE copy_id = \(copy) AND id <> ALL(\(Array(sockets)))"
        )
    }

    /// Locks dead replicas until the transaction ends.
    func lockDead(in transaction: PostgresTransaction) async throws -> [UUID] {
        try await transaction.all(
            """
            SELECT id FROM copies WHERE seen_at < now() - \(Self.timeout)::interval * 2 FOR UPDATE SKIP LOCKED
            """
        ) { try $0.decode(UUID.self) }
    }

    /// Deletes replicas and their presences.
    ///
    /// - Returns: The deleted presences in rooms.
    func delete(copies: [UUID], in transaction: PostgresTransaction) async throws -> [Presence] {
        let lost = try await transaction.all(
            """
            SELECT id, account_id, room_id, is_reading FROM presences
            WHERE copy_id = ANY(\(copies)) AND room_id IS NOT NULL
            """,
            Self.decode
        )
        try await transaction.execute("DELETE FROM copies WHERE id = ANY(\(copies))")
        return lost
    }

    // MARK: Sockets

    /// Stores presences of a replica's sockets.
    ///
    /// - Parameter takesOver: Whether those that another replica has stored become this one's, otherwise they are left.
    func save(_ presences: [Presence], of copy: UUID, takesOver: Bool, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO presences (id, copy_id, account_id, room_id, is_reading)
            SELECT id, \(copy), account, NULLIF(room, 0), reading
            FROM unnest(\(presences.map(\.id)), \(presences.map(\.account)), \(presences.map(\.room)),
                \(presences.map(\.isReading))) AS p(id, account, room, reading)
            ON CONFLICT (id) DO UPDATE
            SET copy_id = excluded.copy_id, room_id = excluded.room_id, is_reading = excluded.is_reading
            WHERE \(takesOver) OR presences.copy_id = excluded.copy_id
            """
        )
    }

    /// Deletes the presence of a replica's socket, unless another replica has it.
    func delete(_ socket: UUID, of copy: UUID, in database: some Querying) async throws {
        try await database.execute("DELETE FROM presences WHERE id = \(socket) AND copy_id = \(copy)")
    }

    /// The presences in rooms. A With Suhyeon socket counts as reading only while its account is in the room and the
    /// socket is the active one, even if it has not received the change yet.
    func present(in rooms: [RoomID]) -> Statement<[Presence]> {
        .all(
            """
            SELECT p.id, p.account_id, p.room_id, p.is_reading FROM presences p JOIN copies c ON c.id = p.copy_id
                LEFT JOIN joined j ON j.account_id = p.account_id
            WHERE p.room_id = ANY(\(rooms)) AND c.seen_at > now() - \(Self.timeout)::interval
                AND (NOT p.is_reading OR j.account_id IS NULL OR (j.socket_id = p.id AND j.room_id = p.room_id))
            """,
            Self.decode
        )
    }

    private static func decode(_ row: borrowing Row) throws -> Presence {
        let (id, account, room, isReading) = try row.decode(as: (UUID, AccountID, RoomID, Bool).self)
        return Presence(id: id, account: account, room: room, isReading: isReading)
    }
}
