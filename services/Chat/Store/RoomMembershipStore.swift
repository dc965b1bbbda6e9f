import Contracts
import FoundationEssentials
import Postgres

/// SQL of With Suhyeon's memberships: each account's active socket and joined room.
struct RoomMembershipStore: Sendable {
    // MARK: Rooms

    /// Joins a room, of which the client has received the events up to a number, and leaves any other.
    func join(_ shown: RoomPosition, by account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO joined (account_id, room_id, shown_through) VALUES (\(account), \(shown.room), \(shown.sequence))
            ON CONFLICT (account_id) DO UPDATE SET room_id = excluded.room_id, shown_through = excluded.shown_through,
                seen_at = now()
            """
        )
        try await updatePresence(of: account, room: shown.room, in: transaction)
    }

    /// Leaves a room.
    ///
    /// - Returns: Whether the account was in it.
    func exit(_ room: RoomID, by account: AccountID, in transaction: PostgresTransaction) async throws -> Bool {
        let exited = try await transaction.execute(
            "UPDATE joined SET room_id = NULL WHERE account_id = \(account) AND room_id = \(room)"
        )
        if exited > 0 { try await updatePresence(of: account, room: nil, in: transaction) }
        return exited > 0
    }

    /// Updates the presence in the same transaction, so that read state changes before the socket receives the
    /// notification.
    private func updatePresence(of account: AccountID, room: RoomID?, in transaction: PostgresTransaction) async throws
    {
        try await transaction.execute(
            """
            UPDATE presences p SET room_id = \(room), is_reading = \(room != nil)
            FROM joined j WHERE j.account_id = \(account) AND p.id = j.socket_id
            """
        )
    }

    /// Whether a socket is active and shows a room. Locks this state until the transaction ends.
    func lock(_ socket: MemberSocket, in room: RoomID, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.optional(
            """
            SELECT true FROM joined
            WHERE account_id = \(socket.account) AND socket_id = \(socket.id) AND room_id = \(room) FOR SHARE
            """
        ) { try $0.decode(Bool.self) } ?? false
    }

    // MARK: Sockets

    /// Makes a new socket the active one. The joined room is kept unless the account had no socket for `seconds`.
    func claim(_ socket: MemberSocket, keeping seconds: Double, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO joined (account_id, socket_id) VALUES (\(socket.account), \(socket.id))
            ON CONFLICT (account_id) DO UPDATE SET socket_id = excluded.socket_id, seen_at = now(),
                room_id = CASE WHEN joined.seen_at > now() - make_interval(secs => \(seconds)) THEN joined.room_id END
            """
        )
    }

    /// Claims for an existing socket: it succeeds if the socket is the active one, or if there is none or its claim has
    /// expired.
    ///
    /// - Returns: The joined room, 0 for none, and the last event that the client has received; nil when another socket
    ///   is active.
    func reclaim(
        _ socket: MemberSocket,
        keeping seconds: Double,
        in database: some Querying
    ) async throws -> RoomPosition? {
        try await database.optional(
            """
            UPDATE joined SET socket_id = \(socket.id), seen_at = now(),
                room_id = CASE WHEN seen_at > now() - make_interval(secs => \(seconds)) THEN room_id END
            WHERE account_id = \(socket.account) AND (socket_id = \(socket.id) OR socket_id IS NULL
                OR seen_at < now() - make_interval(secs => \(seconds / 2)))
            RETURNING coalesce(room_id, 0), shown_through
            """
        ) {
            let (room, sequence) = try $0.decode(as: (RoomID, Int64).self)
            return RoomPosition(room: room, sequence: sequence)
        }
    }

    /// Releases a closed socket.
    ///
    /// - Returns: Whether it was the active socket.
    func release(_ socket: MemberSocket, leavesRoom: Bool, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.execute(
            """
            UPDATE joined SET socket_id = NULL, seen_at = now(), room_id = CASE WHEN \(!leavesRoom) THEN room_id END
            WHERE account_id = \(socket.account) AND socket_id = \(socket.id)
            """
        ) > 0
    }

    /// Records that the client has received the events of its room up to a number.
    func recordShown(_ shown: RoomPosition, on socket: MemberSocket, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE joined SET shown_through = \(shown.sequence), seen_at = now()
            WHERE account_id = \(socket.account) AND socket_id = \(socket.id) AND room_id = \(shown.room)
                AND shown_through < \(shown.sequence)
            """
        )
    }

    /// Extends the claims of active sockets.
    func extendClaims(_ sockets: [MemberSocket], in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE joined j SET seen_at = now()
            FROM unnest(\(sockets.map(\.account)), \(sockets.map(\.id))) AS s(account, socket)
            WHERE j.account_id = s.account AND j.socket_id = s.socket
            """
        )
    }

    func delete(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM joined WHERE account_id = \(account)")
    }
}
