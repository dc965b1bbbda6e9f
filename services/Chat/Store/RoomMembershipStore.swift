import FoundationEssentials
import Postgres

/// SQL of With Suhyeon's memberships: each account's active socket and joined room.
struct RoomMembershipStore: Sendable {
    // MARK: Rooms

    /// Locks a room against writes until the transaction ends, after waiting for current ones. Returns the last
    /// sequence number; nil when the room does not exist.
    func hold(_ room: Int64, in transaction: PostgresTransaction) async throws -> Int64? {
        try await transaction.optional("SELECT last_sequence FROM rooms WHERE id = \(room) FOR SHARE") {
            try $0.decode(Int64.self)
        }
    }

    /// Joins a room and leaves any other.
    ///
    /// - Parameter sequence: The client has received the room's events up to this number.
    func join(
        _ room: Int64,
        shownThrough sequence: Int64,
        by account: Int64,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            """
            INSERT INTO joined (account_id, room_id, shown_through) VALUES (\(account), \(room), \(sequence))
            ON CONFLICT (account_id) DO UPDATE SET room_id = excluded.room_id, shown_through = excluded.shown_through,
                seen_at = now()
            """
        )
        try await look(account, into: room, in: transaction)
    }

    /// Leaves a room.
    ///
    /// - Returns: Whether the account was in it.
    func exit(_ room: Int64, by account: Int64, in transaction: PostgresTransaction) async throws -> Bool {
        let exited = try await transaction.execute(
            "UPDATE joined SET room_id = NULL WHERE account_id = \(account) AND room_id = \(room)"
        )
        if exited > 0 { try await look(account, into: nil, in: transaction) }
        return exited > 0
    }

    /// Updates the presence in the same transaction, so that read state changes before the socket receives the
    /// notification.
    private func look(_ account: Int64, into room: Int64?, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            UPDATE presences p SET room_id = \(room), is_reading = \(room != nil)
            FROM joined j WHERE j.account_id = \(account) AND p.id = j.socket_id
            """
        )
    }

    /// Whether a socket is active and shows this room. Locks this state until the transaction ends.
    func hold(
        _ room: Int64,
        by socket: UUID,
        of account: Int64,
        in transaction: PostgresTransaction
    ) async throws -> Bool {
        try await transaction.optional(
            """
            SELECT true FROM joined WHERE account_id = \(account) AND socket_id = \(socket) AND room_id = \(room) FOR SHARE
            """
        ) { try $0.decode(Bool.self) } ?? false
    }

    // MARK: Sockets

    /// Makes a new socket the active one. The joined room is kept unless the account had no socket for `seconds`.
    ///
    /// - Parameter seconds: How long a room is kept without a socket.
    func claim(
        _ account: Int64,
        for socket: UUID,
        keeping seconds: Double,
        in transaction: PostgresTransaction
    ) async throws -> (room: Int64?, shownThrough: Int64) {
        try await transaction.one(
            """
            INSERT INTO joined (account_id, socket_id) VALUES (\(account), \(socket))
            ON CONFLICT (account_id) DO UPDATE SET socket_id = excluded.socket_id, seen_at = now(),
                room_id = CASE WHEN joined.seen_at > now() - make_interval(secs => \(seconds)) THEN joined.room_id END
            RETURNING room_id, shown_through
            """
        ) {
            let (room, through) = try $0.decode(as: (Int64?, Int64).self)
            return (room, through)
        }
    }

    /// Claims for an existing socket: it succeeds if the socket is the active one, or if there is none or its claim has
    /// expired.
    ///
    /// - Returns: nil when another socket is active.
    func reclaim(
        _ account: Int64,
        for socket: UUID,
        keeping seconds: Double,
        in database: some Querying
    ) async throws -> (room: Int64?, shownThrough: Int64)? {
        try await database.optional(
            """
            UPDATE joined SET socket_id = \(socket), seen_at = now(),
                room_id = CASE WHEN seen_at > now() - make_interval(secs => \(seconds)) THEN room_id END
            WHERE account_id = \(account) AND (socket_id = \(socket) OR socket_id IS NULL
                OR seen_at < now() - make_interval(secs => \(seconds / 2)))
            RETURNING room_id, shown_through
            """
        ) {
            let (room, through) = try $0.decode(as: (Int64?, Int64).self)
            return (room, through)
        }
    }

    /// Releases a closed socket.
    ///
    /// - Parameter isGoodbye: The client has closed properly, and leaves its room.
    /// - Returns: Whether it was the active socket.
    func release(
        _ account: Int64,
        by socket: UUID,
        isGoodbye: Bool,
        in transaction: PostgresTransaction
    ) async throws -> Bool {
        try await transaction.execute(
            """
            UPDATE joined SET socket_id = NULL, seen_at = now(), room_id = CASE WHEN \(!isGoodbye) THEN room_id END
            WHERE account_id = \(account) AND socket_id = \(socket)
            """
        ) > 0
    }

    /// Records that the client has received the events of its room up to a number.
    func show(
        _ account: Int64,
        through sequence: Int64,
        of room: Int64,
        on socket: UUID,
        in database: some Querying
    ) async throws {
        try await database.execute(
            """
            UPDATE joined SET shown_through = \(sequence), seen_at = now()
            WHERE account_id = \(account) AND socket_id = \(socket) AND room_id = \(room)
                AND shown_through < \(sequence)
            """
        )
    }

    /// Extends the claims of active sockets.
    func touch(_ sockets: [(account: Int64, socket: UUID)], in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE joined j SET seen_at = now()
            FROM unnest(\(sockets.map(\.account)), \(sockets.map(\.socket))) AS s(account, socket)
            WHERE j.account_id = s.account AND j.socket_id = s.socket
            """
        )
    }

    func delete(_ account: Int64, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM joined WHERE account_id = \(account)")
    }
}
