import Contracts
import Events
import FoundationEssentials
import Postgres
import Profiles
import ServiceKit
import Values

/// Opening, listing, reading and clearing rooms.
struct Rooms: Sendable {
    let database: PostgresClient
    let people: People
    let outbox: Outbox
    let store = RoomStore()
    private let blocks = BlockStore()

    /// Maximum length of a list: the apps do not page.
    static let listLimit = 1000

    /// Opens Anlaka's room with another user, and creates it if needed.
    ///
    /// - Throws: `ChatError.personNotFound`, `.rule` for the caller's own ID, `.blocked`; `PersonUnknown`.
    func open(with publicID: PublicID, by account: AccountID) async throws -> RoomView {
        try await people.person(account)
        let other = try await people.other(publicID, than: account, field: "opponent_id")
        let id = try await database.transaction(key: "account \(other)") { transaction in
            try people.lock(account, with: other, in: transaction)
            let room = Room(
                id: .unsaved,
                publicID: PublicID.random(),
                app: .anlaka,
                first: min(account, other),
                second: max(account, other)
            )
            // Despite a block an existing room can be opened, but not written to.
            if try await blocks.isBlocked(account, other, in: transaction),
                try await !store.exists(room, in: transaction)
            {
                throw ChatError.blocked
            }
            return try await store.open(
                room,
                copies: (PublicID.random(), PublicID.random()),
                opener: account,
                in: transaction
            )
        }
        return try await view(id, for: account)
    }

    /// An account's rooms, the one with the newest message first.
    func list(of account: AccountID) async throws -> [RoomView] {
        try await store.views(of: account, limit: Self.listLimit, in: database)
    }

    /// - Throws: `ChatError.roomNotFound`.
    func view(_ room: RoomID, for account: AccountID) async throws -> RoomView {
        guard let view = try await store.view(room, for: account, in: database) else { throw ChatError.roomNotFound }
        return view
    }

    /// A room of an account.
    ///
    /// - Throws: `ChatError.roomNotFound`, `.notAMember`.
    func room(_ publicID: PublicID, in app: App, of account: AccountID) async throws -> Room {
        guard let room = try await store.room(publicID, of: app, in: database) else {
            throw ChatError.roomNotFound
        }
        guard room.has(account) else { throw ChatError.notAMember }
        TraceSubject.room.note("\(room.id)")
        TraceSubject.room.note("\(publicID)")
        return room
    }

    /// A room by the member's own ID of it (With Suhyeon).
    ///
    /// - Throws: `ChatError.roomNotFound`, also for the other member's ID.
    func room(ofCopy copy: PublicID, of account: AccountID) async throws -> Room {
        guard let room = try await store.room(ofCopy: copy, of: account, in: database) else {
            throw ChatError.roomNotFound
        }
        TraceSubject.room.note("\(room.id)")
        TraceSubject.room.note("\(copy)")
        return room
    }

    /// Marks messages as read up to a number, or all, and announces it to the other member.
    func read(_ room: Room, through sequence: Int64 = .max, by account: AccountID) async throws {
        let sequence = Sabotage.unreadReset.isBuiltIn ? .max : sequence
        // Most sockets open a room without unread messages: they need no transaction.
        guard try await store.isUnread(room.id, through: sequence, by: account, in: database) else { return }
        try await database.transaction(key: "room \(room.id)") { transaction in
            // What holds a member's row holds the room's, which batches of messages do not wait for.
            try await store.lock(room.id, in: transaction)
            guard let reading = try await read(room, through: sequence, by: account, in: transaction) else { return }
            transaction.announce([reading])
        }
    }

    /// The same inside a transaction. Publishes `ChatEvents.MessagesRead` when there were unread messages of the other
    /// member.
    ///
    /// - Returns: The notification to announce; nil when everything was read before.
    func read(
        _ room: Room,
        through sequence: Int64,
        by account: AccountID,
        in transaction: PostgresTransaction
    ) async throws -> ChangeNotification? {
        guard let read = try await store.read(room.id, through: sequence, by: account, in: transaction) else {
            return nil
        }
        if read.hasOthers {
            let event = ChatEvents.MessagesRead(
                app: room.app,
                account: account,
                room: room.publicID,
                through: read.through
            )
            try outbox.publish(event, in: transaction)
        }
        return .read(room.id, by: account, through: read.through)
    }

    /// Announces that an account is typing, unless one member has blocked the other. Nothing is stored.
    func announceTyping(in room: Room, by account: AccountID) async throws {
        if try await blocks.isBlocked(room.first, room.second, in: database) { return }
        database.announcer.announce([.typing(room.id, by: account)])
    }

    /// Hides a room and its messages so far from an account. The room reappears with the next message.
    func clear(_ room: Room, by account: AccountID) async throws {
        try await database.transaction(key: "room \(room.id)") { transaction in
            // A message written between the two statements would be cleared without having been read.
            try await store.lock(room.id, in: transaction)
            _ = try await read(room, through: .max, by: account, in: transaction)
            try await store.clear(room.id, by: account, in: transaction)
        }
    }
}
