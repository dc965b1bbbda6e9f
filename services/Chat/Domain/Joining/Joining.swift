import Contracts
import FoundationEssentials
import People
import Postgres

/// Where people of With Suhyeon are (contract 2.4): who has joined a room has read what is in it and what comes. It belongs to
/// the person, not to a socket: one that breaks may come back within a while, and misses nothing.
struct Joining: Sendable {
    let database: PostgresClient
    let people: People
    let rooms: Rooms
    /// For so long a room stays joined without a socket.
    let patience: Duration
    private let store = JoinedStore()
    private let live = LiveStore()

    init(database: PostgresClient, people: People, rooms: Rooms, patience: Duration) {
        self.database = database
        self.people = people
        self.rooms = rooms
        self.patience = patience
    }

    /// What a socket that receives has to show.
    struct Standing: Sendable {
        /// The room that has been joined.
        var room: Int64?
        /// The phone has everything of it up to this number.
        var shownThrough: Int64
    }

    // MARK: Rooms

    /// Somebody comes into a room, leaves any other, and has read everything.
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

    /// Somebody goes out of a room. Nothing happens where they are not in it, or it is gone.
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

    /// What a socket is to do: it receives, or another one of the same person does.
    ///
    /// - Parameter isNew: it has just come, so it is the one that receives.
    /// - Returns: nil when another one receives.
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

    /// Somebody has read all of the room that a socket of theirs shows.
    ///
    /// - Throws: `ChatError.notAMember` when it shows it no more.
    func catchUp(_ room: Room, on socket: UUID, of account: Int64) async throws {
        try await database.transaction { transaction in
            // What was begun before the socket was known to be there is unread, so it is waited for.
            guard let last = try await store.hold(room.id, in: transaction) else { throw ChatError.roomNotFound }
            let reading = try await rooms.read(room, through: last, by: account, in: transaction)
            guard try await store.hold(room.id, by: socket, of: account, in: transaction) else {
                throw ChatError.notAMember
            }
            guard let reading else { return }
            _ = try await transaction.run(live.announce([reading]))
        }
    }

    /// A socket has gone. Its room stays joined for a while, unless the phone has said goodbye.
    func leave(_ socket: UUID, of account: Int64, isGoodbye: Bool) async throws {
        try await database.transaction { transaction in
            guard try await store.release(account, by: socket, isGoodbye: isGoodbye, in: transaction) else { return }
            _ = try await transaction.run(live.announce([.turned(account)]))
        }
    }

    /// A phone has everything of its room up to a number.
    func show(_ room: Int64, through sequence: Int64, on socket: UUID, of account: Int64) async throws {
        try await store.show(account, through: sequence, of: room, on: socket, in: database)
    }

    /// These sockets, which receive, are still open.
    func keep(_ sockets: [(account: Int64, socket: UUID)]) async throws {
        guard !sockets.isEmpty else { return }
        try await store.touch(sockets, in: database)
    }
}
