import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

extension RoomStore {
    /// An unused room `r`: without events since an instant, or with withdrawn members only.
    private static func isObsolete(emptyBefore limit: Date) -> SQL {
        """
        (r.last_sequence = 0 AND r.created_at < \(limit) OR NOT EXISTS (
            SELECT FROM people p WHERE p.account_id IN (r.first_id, r.second_id) AND p.withdrawn_at IS NULL))
        """
    }

    /// The rooms after an ID, in the order of their IDs.
    func page(
        after id: RoomID,
        limit: Int,
        emptyBefore instant: Date,
        in database: some Querying
    ) async throws -> [(id: RoomID, isObsolete: Bool)] {
        try await database.all(
            """
            SELECT r.id, \(Self.isObsolete(emptyBefore: instant)) FROM rooms r
            WHERE r.id > \(id) ORDER BY r.id LIMIT \(limit)
            """
        ) { row in
            let (id, isObsolete) = try row.decode(as: (RoomID, Bool).self)
            return (id: id, isObsolete: isObsolete)
        }
    }

    /// Locks a room, unless it is used again or another replica deletes it. Members of a room with events have withdrawn.
    func lockObsolete(
        _ room: RoomID,
        emptyBefore instant: Date,
        in transaction: PostgresTransaction
    ) async throws -> (room: Room, isEmpty: Bool)? {
        try await transaction.optional(
            """
            SELECT \(Room.columns), r.last_sequence = 0 FROM rooms r
            WHERE r.id = \(room) AND \(Self.isObsolete(emptyBefore: instant)) FOR UPDATE SKIP LOCKED
            """
        ) { row in
            try row.decode { columns in (room: try Room(&columns), isEmpty: try columns.next()) }
        }
    }

    /// Deletes messages, or changes, of a room whose members have withdrawn.
    func deleteAll(
        from table: String,
        of room: RoomID,
        inBatchesOf size: Int,
        in database: PostgresClient
    ) async throws {
        try await database.prune(inBatchesOf: size) { limit in
            """
            DELETE FROM \(identifier: table) WHERE room_id = \(room) AND sequence IN (
                SELECT sequence FROM \(identifier: table) WHERE room_id = \(room) ORDER BY sequence LIMIT \(limit))
                AND NOT EXISTS (
                    SELECT FROM rooms r JOIN people p ON p.account_id IN (r.first_id, r.second_id)
                    WHERE r.id = \(room) AND p.withdrawn_at IS NULL)
            """
        }
    }
}
