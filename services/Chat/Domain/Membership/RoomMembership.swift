import Contracts
import FoundationEssentials
import Postgres
import Profiles

/// The room that a With Suhyeon account has joined (contract 2.4). While an account is in a room, the messages of that
/// room count as read. The state belongs to the account, not to a socket: after a reconnect within `gracePeriod`
/// nothing is missed.
struct RoomMembership: Sendable {
    let database: PostgresClient
    let people: People
    let rooms: Rooms
    let presences: Presences
    /// How long an account stays in a room without a socket.
    let gracePeriod: Duration
    private let store = RoomMembershipStore()

    // MARK: Rooms

    /// Joins a room, leaves any other, and marks all messages as read.
    ///
    /// - Throws: `ChatError.roomNotFound`; `PersonUnknown`.
    func join(_ copy: PublicID, by account: AccountID) async throws {
        try await people.person(account)
        let room = try await rooms.room(ofCopy: copy, of: account)
        try await database.transaction(key: "room \(room.id)") { transaction in
            try people.lock(account, in: transaction)
            guard let last = try await rooms.store.lock(room.id, in: transaction) else { throw ChatError.roomNotFound }
            let reading = try await rooms.read(room, through: last, by: account, in: transaction)
            try await store.join(RoomPosition(room: room.id, sequence: last), by: account, in: transaction)
            transaction.announce([.assignmentChanged(account)] + (reading.map { [$0] } ?? []))
        }
    }

    /// Leaves a room. Does nothing when the account is not in the room or the room does not exist.
    func exit(_ copy: PublicID, by account: AccountID) async throws {
        let room: Room
        do {
            room = try await rooms.room(ofCopy: copy, of: account)
        } catch ChatError.roomNotFound {
            return
        }
        try await database.transaction(key: "account \(account)") { transaction in
            guard try await store.exit(room.id, by: account, in: transaction) else { return }
            transaction.announce([.assignmentChanged(account)])
        }
    }

    // MARK: Sockets

    /// What a socket is to show.
    enum Assignment: Sendable {
        /// Nothing, because another socket of the account is active.
        case superseded
        /// The list of rooms.
        case noRoom
        /// A room. The client has received its events up to `after`; `through` is its last one.
        case room(RoomView, after: Int64, through: Int64)
        case unchanged
    }

    /// Makes a new socket the account's active one, unless one is that was opened later: a claim may be late, and its phone
    /// gone.
    ///
    /// - Parameter age: Seconds since the socket was opened.
    /// - Throws: `PersonUnknown`.
    func claim(_ socket: MemberSocket, openedFor age: TimeInterval) async throws {
        try await database.transaction(key: "account \(socket.account)") { transaction in
            try people.lock(socket.account, in: transaction)
            try await store.claim(socket, openedFor: age, keeping: gracePeriod / .seconds(1), in: transaction)
            transaction.announce([.assignmentChanged(socket.account)])
        }
    }

    /// The assignment of a socket. Records it as presence, and marks all messages of a newly shown room as read.
    ///
    /// - Parameters:
    ///   - shown: The room, 0 for none, that the socket shows, and the last event received; nil when it is not active.
    ///   - resync: A room that the socket shows is read again.
    /// - Throws: `ChatError` when the assignment has changed meanwhile.
    func assignment(of socket: MemberSocket, showing shown: RoomPosition?, resync: Bool) async throws -> Assignment {
        let seconds = gracePeriod / .seconds(1)
        guard let joined = try await store.reclaim(socket, keeping: seconds, in: database) else {
            await presences.leave(socket.id)
            return .superseded
        }
        // An interrupted attempt may have recorded the presence in a room that the account has left since.
        let isRecorded = presences.room(of: socket.id) == joined.room
        if joined.room == shown?.room, isRecorded, !resync { return .unchanged }
        guard joined.room != .noRoom else {
            await presences.enter(Presence(id: socket.id, account: socket.account, room: .noRoom, isReading: false))
            return .noRoom
        }
        let view = try await rooms.view(joined.room, for: socket.account)
        // From here on messages are marked as read by the transaction that writes them.
        await presences.enter(Presence(id: socket.id, account: socket.account, room: joined.room, isReading: true))
        let last = try await markRead(view.room, on: socket)
        let after = joined.room == shown?.room ? max(joined.sequence, shown?.sequence ?? 0) : joined.sequence
        return .room(view, after: after, through: last)
    }

    /// - Returns: The number of the room's last event.
    private func markRead(_ room: Room, on socket: MemberSocket) async throws -> Int64 {
        try await database.transaction(key: "room \(room.id)") { transaction in
            // Waits for messages whose transactions began before this presence was visible: they were written as
            // unread.
            guard let last = try await rooms.store.lock(room.id, in: transaction) else { throw ChatError.roomNotFound }
            let reading = try await rooms.read(room, through: last, by: socket.account, in: transaction)
            guard try await store.lock(socket, in: room.id, in: transaction) else { throw ChatError.notAMember }
            if let reading { transaction.announce([reading]) }
            return last
        }
    }

    /// Records that the client has received the events of its room.
    func recordShown(_ shown: RoomPosition, on socket: MemberSocket) async throws {
        try await store.recordShown(shown, on: socket, in: database)
    }

    /// Handles the close of a socket. The account stays in its room for `gracePeriod`, unless it leaves it.
    ///
    /// - Parameter shown: What the client has received; nil when the socket was not active.
    func release(_ socket: MemberSocket, shown: RoomPosition?, leavesRoom: Bool) async throws {
        await presences.leave(socket.id)
        try await database.transaction(key: "account \(socket.account)") { transaction in
            if let shown { try await store.recordShown(shown, on: socket, in: transaction) }
            guard try await store.release(socket, leavesRoom: leavesRoom, in: transaction) else { return }
            transaction.announce([.assignmentChanged(socket.account)])
        }
    }
}

/// A socket of an account.
struct MemberSocket: Sendable {
    let id: UUID
    let account: AccountID
    /// The replica that holds it.
    let copy: UUID
}

/// An event of a room.
struct RoomPosition: Sendable, Equatable {
    let room: RoomID
    let sequence: Int64
}
