import Contracts
import Events
import FoundationEssentials
import Postgres
import ServiceKit
import Values

/// Sending, reading, editing and deleting messages.
struct Messages: Sendable {
    let database: PostgresClient
    let writer: MessageWriter
    let attachments: Attachments
    let outbox: Outbox
    let now: @Sendable () -> Date
    /// Called with the committed events.
    let publish: @Sendable ([RoomEvent]) async -> Void
    private let store = MessageStore()
    private let rooms = RoomStore()

    /// Maximum length of a response: the apps read a whole history (Anlaka contract 4.8).
    static let historyLimit = 500
    /// Maximum number of events per page.
    static let eventLimit = 500
    /// Approximate maximum size of the texts of a response or a page, in bytes. One message is always returned.
    static let byteLimit = 1_000_000

    /// Writes a message, or returns the stored one with the same client ID.
    ///
    /// - Throws: `ChatError`.
    func send(_ draft: MessageDraft) async throws -> Message {
        try await writer.write(draft)
    }

    /// The messages written after `moment`, or without one the last `limit` messages; oldest first.
    func history(
        of room: Room,
        after moment: Date?,
        limit: Int = Self.historyLimit,
        for account: AccountID
    ) async throws -> [Message] {
        let cleared = try await rooms.cleared(by: account, in: room.id, database)
        guard let moment else {
            return try await store.last(limit, in: room.id, cleared: cleared, database)
        }
        return try await store.messages(in: room.id, after: moment, cleared: cleared, limit: limit, database)
    }

    /// The last `limit` messages before a message, oldest first.
    func history(
        of room: Room,
        before sequence: Int64,
        limit: Int,
        for account: AccountID
    ) async throws -> [Message] {
        let cleared = try await rooms.cleared(by: account, in: room.id, database)
        return try await store.last(limit, in: room.id, before: sequence, cleared: cleared, database)
    }

    /// A page of events after a number, in order.
    func events(
        in room: Room,
        after sequence: Int64,
        limit: Int = Self.eventLimit,
        for account: AccountID
    ) async throws -> [RoomEvent] {
        let cleared = try await rooms.cleared(by: account, in: room.id, database)
        return try await store.events(in: room.id, after: max(sequence, cleared), limit: limit, database)
    }

    /// A page of the events of a range, in order, and the range that it covers: all, or the first part of it. Events that
    /// the account has cleared, and those of a deleted room, are left out.
    func events(in range: EventRange, for account: AccountID) async throws -> (EventRange, [RoomEvent]) {
        let cleared = try await rooms.cleared(by: account, in: range.room, database)
        let first = max(range.after, cleared)
        let page = try await store.events(in: range.room, after: first, limit: Self.eventLimit, database)
        let end = min(page.last?.sequence ?? range.through, range.through)
        let covered = EventRange(room: range.room, after: range.after, through: end)
        return (covered, page.filter { $0.sequence <= end })
    }

    // MARK: Changes

    /// Changes the text of the caller's message.
    ///
    /// - Throws: `ChatError.messageNotFound`, `.notYours`, `.rule`, `.blocked`.
    func edit(_ id: String, in room: Room, to content: String, by account: AccountID) async throws -> Message {
        try MessageDraft.check(content, limit: room.app == .withsuhyeon ? nil : MessageDraft.contentLimit)
        return try await change(id, in: room, by: account) { message, now throws(ChatError) in
            guard message.deletedAt == nil else { throw .messageNotFound }
            guard !content.isEmpty || !message.files.isEmpty else { throw .rule("content must not be empty.") }
            guard message.content != content else { return nil }
            message.content = content
            message.editedAt = now
            return .edited
        }
    }

    /// Deletes the caller's message, with text and files, for both members. Idempotent.
    ///
    /// - Throws: `ChatError.messageNotFound`, `.notYours`.
    func delete(_ id: String, in room: Room, by account: AccountID) async throws {
        _ = try await change(id, in: room, by: account) { message, now throws(ChatError) in
            guard message.deletedAt == nil else { return nil }
            if !Sabotage.deletedTextKept.isBuiltIn { message.content = "" }
            message.files = []
            message.deletedAt = now
            return .deleted
        }
    }

    /// - Parameter apply: Changes the message; returns nil when there is nothing to change.
    private func change(
        _ id: String,
        in room: Room,
        by account: AccountID,
        _ apply: @Sendable (inout Message, Date) throws(ChatError) -> RoomEvent.Kind?
    ) async throws -> Message {
        guard let sequence = MessageID.sequence(id, in: room.publicID) else { throw ChatError.messageNotFound }
        let (message, event) = try await database.transaction(key: "room \(room.id)") { transaction in
            guard var locked = try await transaction.run(store.lock([room.id])).first else {
                throw ChatError.roomNotFound
            }
            guard let before = try await store.message(sequence, in: room.id, transaction) else {
                throw ChatError.messageNotFound
            }
            guard before.sender == account else { throw ChatError.notYours }
            var after = before
            let now = now()
            guard let kind = try apply(&after, now) else { return (before, nil as RoomEvent?) }
            let event = RoomEvent(
                sequence: try locked.change(kind),
                kind: kind,
                at: now,
                message: after,
                trace: TraceContext.handedOn
            )
            let (update, insert) = store.change(event)
            _ = try await transaction.run(update, insert, store.advance([locked]))
            transaction.announce([event], in: room)
            try await attachments.release(before.files.filter { !after.files.contains($0) }, of: account, transaction)
            if kind == .deleted {
                let takenBack = ChatEvents.MessageTakenBack(
                    app: room.app,
                    room: room.publicID,
                    sequence: sequence,
                    recipient: room.peer(of: account)
                )
                try outbox.publish(takenBack, in: transaction)
            }
            return (after, event)
        }
        if let event { await publish([event]) }
        return message
    }
}
