import FoundationEssentials
import Postgres

/// All SQL of where people of With Suhyeon are: which of their sockets receives, and which room they have joined.
struct JoinedStore: Sendable {
    // MARK: Rooms

    /// The number of the last thing that happened in a room; nil when it has gone. Waits for what is being written there, and
    /// nothing is written before the transaction ends.
    func hold(_ room: Int64, in transaction: PostgresTransaction) async throws -> Int64? {
        try await transaction.optional("SELECT last_sequence FROM rooms WHERE id = \(room) FOR SHARE") {
            try $0.decode(Int64.self)
        }
    }

    /// Somebody is in a room from now on, and in no other.
    ///
    /// - Parameter sequence: up to which their phone has it.
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

    /// Somebody is in a room no more.
    ///
    /// - Returns: whether they were in this one.
    func exit(_ room: Int64, by account: Int64, in transaction: PostgresTransaction) async throws -> Bool {
        let exited = try await transaction.execute(
            "UPDATE joined SET room_id = NULL WHERE account_id = \(account) AND room_id = \(room)"
        )
        if exited > 0 { try await look(account, into: nil, in: transaction) }
        return exited > 0
    }

    /// What comes is read, or is not, from this transaction on: the socket need not have heard of it.
    private func look(_ account: Int64, into room: Int64?, in transaction: PostgresTransaction) async throws {
        try await transaction.execute(
            """
            UPDATE presences p SET room_id = \(room), is_reading = \(room != nil)
            FROM joined j WHERE j.account_id = \(account) AND p.id = j.socket_id
            """
        )
    }

    /// Whether a socket receives, and shows this room. It does so until the transaction ends.
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

    /// A new socket receives from now on. The room stays, unless no socket has been there for too long.
    ///
    /// - Parameter seconds: for which a room is kept without a socket.
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

    /// The same for a socket that is no longer new: it receives if it did, or if no other does.
    ///
    /// - Returns: nil when another one receives.
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

    /// A socket has gone.
    ///
    /// - Parameter isGoodbye: the phone has said so, and is in no room any more.
    /// - Returns: whether it was the one that receives.
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

    /// Notes that a phone has everything of its room up to a number.
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

    /// Sockets that receive are still open.
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
