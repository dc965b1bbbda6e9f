import Contracts
import FoundationEssentials
import Postgres

/// SQL of With Suhyeon's memberships: each account's active socket and joined room.
///
/// `seen_at` is infinity while a replica holds the socket, whose heartbeat stands for all of its sockets
/// (`PresenceStore`): an open socket writes nothing. Otherwise it is when the account last had a socket.
struct RoomMembershipStore: Sendable {
    // MARK: Rooms

    /// Joins a room, of which the client has received the events up to a number, and leaves any other.
    func join(_ shown: RoomPosition, by account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            INSERT INTO joined (account_id, room_id, shown_through) VALUES (\(account), \(shown.room), \(shown.sequence))
            ON CONFLICT (account_id) DO UPDATE SET room_id = excluded.room_id, shown_through = excluded.shown_through,
                seen_at = greatest(joined.seen_at, now())
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

    /// Makes a socket the active one, unless one is that was opened later. The joined room is kept unless the account had no
    /// socket for `seconds`.
    ///
    /// - Parameter age: Seconds since the socket was opened, so that one clock orders the sockets of all copies.
    func claim(
        _ socket: MemberSocket,
        openedFor age: Double,
        keeping seconds: Double,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            """
            INSERT INTO joined (account_id, socket_id, copy_id, seen_at, socket_opened_at)
            VALUES (\(socket.account), \(socket.id), \(socket.copy), 'infinity',
                clock_timestamp() - make_interval(secs => \(age)))
            ON CONFLICT (account_id) DO UPDATE SET socket_id = excluded.socket_id, copy_id = excluded.copy_id,
                seen_at = excluded.seen_at, socket_opened_at = excluded.socket_opened_at,
                room_id = CASE WHEN joined.seen_at > now() - make_interval(secs => \(seconds)) THEN joined.room_id END
            WHERE joined.socket_id IS NULL OR joined.socket_opened_at IS NULL
                OR joined.socket_opened_at <= excluded.socket_opened_at
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
            UPDATE joined SET socket_id = \(socket.id), copy_id = \(socket.copy), seen_at = 'infinity',
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
            UPDATE joined SET socket_id = NULL, copy_id = NULL, seen_at = now(),
                room_id = CASE WHEN \(!leavesRoom) THEN room_id END
            WHERE account_id = \(socket.account) AND socket_id = \(socket.id)
            """
        ) > 0
    }

    /// Records that the client has received the events of its room up to a number.
    func recordShown(_ shown: RoomPosition, on socket: MemberSocket, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE joined SET shown_through = \(shown.sequence)
            WHERE account_id = \(socket.account) AND socket_id = \(socket.id) AND room_id = \(shown.room)
                AND shown_through < \(shown.sequence)
            """
        )
    }

    // MARK: Replicas

    /// Releases the sockets of dead replicas, each seen last at the replica's last heartbeat. A replica without one has
    /// been lost together with the table of replicas: its sockets count as seen now.
    ///
    /// - Returns: Their accounts.
    func release(_ copies: [UUID], in transaction: PostgresTransaction) async throws -> [AccountID] {
        try await transaction.all(
            """
            UPDATE joined j SET socket_id = NULL, copy_id = NULL,
                seen_at = coalesce((SELECT c.seen_at FROM copies c WHERE c.id = j.copy_id), now())
            WHERE j.copy_id = ANY(\(copies)) RETURNING j.account_id
            """
        ) { try $0.decode(AccountID.self) }
    }

    /// Replicas that hold sockets and have no heartbeat.
    func unknownCopies(in database: some Querying) async throws -> Set<UUID> {
        Set(
            try await database.all(
                """
                SELECT DISTINCT copy_id FROM joined j
                WHERE copy_id IS NOT NULL AND NOT EXISTS (SELECT FROM copies c WHERE c.id = j.copy_id)
                """
            ) { try $0.decode(UUID.self) }
        )
    }

    func delete(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM joined WHERE account_id = \(account)")
    }
}
