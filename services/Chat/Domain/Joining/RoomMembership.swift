import Contracts
import FoundationEssentials
import Postgres
import Profiles

/// The room that a With Suhyeon account has joined (contract 2.4). While an account is in a room, the messages of that
/// room count as read. The state belongs to the account, not to a socket: after a reconnect within `patience` nothing
/// is missed.
struct RoomMembership: Sendable {
    let database: PostgresClient
    let people: People
    let rooms: Rooms
    /// How long an account stays in a room without a socket.
    let patience: Duration
    private let store = RoomMembershipStore()
    private let live = LiveStore()

    init(database: PostgresClient, people: People, rooms: Rooms, patience: Duration) {
        self.database = database
        self.people = people
        self.rooms = rooms
        self.patience = patience
    }

    /// The state of the account's active socket.
    struct Standing: Sendable {
        /// The joined room, if any.
        var room: Int64?
        /// The client has received the room's events up to this number.
        var shownThrough: Int64
    }

    // MARK: Rooms

    /// Joins a room, leaves any other, and marks all messages as read.
    ///
    /// - Throws: `ChatError.roomNotFound`; `PersonUnknown`.
    func join(_ copy: String, by account: Int64) async throws {
        try await people.person(account)
        let room = try await rooms.room(ofCopy: copy, of: account)
        try await database.transaction { transaction in
            try await people.lock(account, in: transaction)
            guard let last = try await store.hold(room.id, in: transaction) else { throw ChatError.roomNotFound }
            let reading = try await rooms.read(room, through: last, by: account, in: transaction)
            try await store.join(room.id, shownThrough: last, by: account, in: transaction)
            _ = try await transaction.run(live.announce([.turned(account)] + (reading.map { [$0] } ?? [])))
        }
    }

    /// Leaves a room. Does nothing when the account is not in the room or the room does not exist.
    func exit(_ copy: String, by account: Int64) async throws {
        let room: Room
        do {
            room = try await rooms.room(ofCopy: copy, of: account)
        } catch ChatError.roomNotFound {
            return
        }
        try await database.transaction { transaction in
            guard try await store.exit(room.id, by: account, in: transaction) else { return }
            _ = try await transaction.run(live.announce([.turned(account)]))
        }
    }

    // MARK: Sockets

    /// The state of a socket.
    ///
    /// - Parameter isNew: The socket has just connected and becomes the account's active one.
    /// - Returns: nil when another socket of the account is active.
    func stand(_ socket: UUID, of account: Int64, isNew: Bool) async throws -> Standing? {
        let seconds = patience / .seconds(1)
        let row =
            if isNew {
                try await database.transaction { transaction in
                    try await people.lock(account, in: transaction)
                    let row = try await store.claim(account, for: socket, keeping: seconds, in: transaction)
                    _ = try await transaction.run(live.announce([.turned(account)]))
                    return row
                }
            } else {
                try await store.reclaim(account, for: socket, keeping: seconds, in: database)
            }
        return row.map { Standing(room: $0.room, shownThrough: $0.shownThrough) }
    }

    /// Marks all messages of the room as read that a socket shows.
    ///
    /// - Throws: `ChatError.notAMember` when the socket no longer shows the room.
    func catchUp(_ room: Room, on socket: UUID, of account: Int64) async throws {
        try await database.transaction { transaction in
            // Waits for messages whose transactions began before this presence was visible: they were written as
            // unread.
            guard let last = try await store.hold(room.id, in: transaction) else { throw ChatError.roomNotFound }
            let reading = try await rooms.read(room, through: last, by: account, in: transaction)
            guard try await store.hold(room.id, by: socket, of: account, in: transaction) else {
                throw ChatError.notAMember
            }
            guard let reading else { return }
            _ = try await transaction.run(live.announce([reading]))
        }
    }

    /// Handles the close of a socket. The account stays in its room for `patience`, unless the client has closed
    /// properly.
    func leave(_ socket: UUID, of account: Int64, isGoodbye: Bool) async throws {
        try await database.transaction { transaction in
            guard try await store.release(account, by: socket, isGoodbye: isGoodbye, in: transaction) else { return }
            _ = try await transaction.run(live.announce([.turned(account)]))
        }
    }

    /// Records that the client has received a room's events up to a number.
    func show(_ room: Int64, through sequence: Int64, on socket: UUID, of account: Int64) async throws {
        try await store.show(account, through: sequence, of: room, on: socket, in: database)
    }

    /// Extends the claims of active sockets that are still open.
    func keep(_ sockets: [(account: Int64, socket: UUID)]) async throws {
        guard !sockets.isEmpty else { return }
        try await store.touch(sockets, in: database)
    }
}
