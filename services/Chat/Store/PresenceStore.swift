import FoundationEssentials
import Postgres

/// All SQL of who is there. A copy of the service that has not been heard of for a while is taken for dead, with its sockets.
struct PresenceStore: Sendable {
    /// Longer than a copy may be silent.
    static let patience = "6 seconds"

    // MARK: Copies

    /// This copy lives.
    ///
    /// - Returns: whether it was not known: then nobody knows of its sockets either.
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

    /// Forgets copies that are dead, with their sockets.
    ///
    /// - Returns: whom these had in which rooms.
    func sweep(in transaction: PostgresTransaction) async throws -> [Presence] {
        let dead = try await transaction.all(
            """
            SELECT id FROM copies WHERE seen_at < now() - \(Self.patience)::interval * 2 FOR UPDATE SKIP LOCKED
            """
        ) { try $0.decode(UUID.self) }
        guard !dead.isEmpty else { return [] }
        let lost = try await transaction.all(
            """
            SELECT id, account_id, room_id, is_reading FROM presences
            WHERE copy_id = ANY(\(dead)) AND room_id IS NOT NULL
            """,
            Self.decode
        )
        try await transaction.execute("DELETE FROM copies WHERE id = ANY(\(dead))")
        return lost
    }

    // MARK: Sockets

    /// Keeps where sockets of a copy look.
    func save(_ presences: [Presence], of copy: UUID, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO presences (id, copy_id, account_id, room_id, is_reading)
            SELECT id, \(copy), account, NULLIF(room, 0), reading
            FROM unnest(\(presences.map(\.id)), \(presences.map(\.account)), \(presences.map(\.room)),
                \(presences.map(\.isReading))) AS p(id, account, room, reading)
            ON CONFLICT (id) DO UPDATE SET room_id = excluded.room_id, is_reading = excluded.is_reading
            """
        )
    }

    func delete(_ socket: UUID, in database: some Querying) async throws {
        try await database.execute("DELETE FROM presences WHERE id = \(socket)")
    }

    /// Who is in some rooms now. A socket of With Suhyeon reads only where its owner still is, whether or not it has heard of it.
    func present(in rooms: [Int64]) -> Statement<[Presence]> {
        .all(
            """
            SELECT p.id, p.account_id, p.room_id, p.is_reading FROM presences p JOIN copies c ON c.id = p.copy_id
                LEFT JOIN joined j ON j.account_id = p.account_id
            WHERE p.room_id = ANY(\(rooms)) AND c.seen_at > now() - \(Self.patience)::interval
                AND (NOT p.is_reading OR j.account_id IS NULL OR (j.socket_id = p.id AND j.room_id = p.room_id))
            """,
            Self.decode
        )
    }

    private static func decode(_ row: borrowing Row) throws -> Presence {
        let (id, account, room, isReading) = try row.decode(as: (UUID, Int64, Int64, Bool).self)
        return Presence(id: id, account: account, room: room, isReading: isReading)
    }
}
