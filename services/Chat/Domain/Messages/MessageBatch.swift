import Contracts
import Events
import FoundationEssentials
import Postgres

/// Writes several messages in one transaction. A draft that is refused does not affect the others.
struct MessageBatch: Sendable {
    let attachments: Attachments
    let outbox: Outbox
    let now: @Sendable () -> Date
    private let store = MessageStore()
    private let presences = PresenceStore()

    struct Outcome: Sendable {
        /// The result per draft, in order.
        var results: [Result<Message, any Error>] = []
        /// Events of the messages that were written now.
        var events: [RoomEvent] = []
    }

    /// - Parameter skipsLocked: The drafts of a room that another transaction has locked fail with `RoomLocked`; otherwise
    ///   they wait for it.
    func write(
        _ drafts: [MessageDraft],
        skipsLocked: Bool = false,
        in transaction: PostgresTransaction
    ) async throws -> Outcome {
        let rooms = Array(Set(drafts.map(\.room)))
        let (locked, known, present) = try await transaction.run(
            store.lock(rooms, skipsLocked: skipsLocked),
            store.known(drafts),
            presences.present(in: rooms)
        )
        let isComplete = locked.count == rooms.count
        let existing = try await isComplete ? rooms : transaction.run(store.existing(rooms))
        var lockedRooms = Dictionary(uniqueKeysWithValues: locked.map { ($0.room.id, $0) })
        var named = Dictionary(known.map { (MessageKey($0), $0) }) { first, _ in first }
        var outcome = Outcome()
        for draft in drafts {
            do {
                if let key = MessageKey(draft), let message = named[key] {
                    outcome.results.append(.success(message))
                    continue
                }
                guard var lockedRoom = lockedRooms[draft.room] else {
                    guard existing.contains(draft.room) else { throw ChatError.roomNotFound }
                    throw RoomLocked()
                }
                let message = try lockedRoom.write(draft, at: now())
                lockedRooms[draft.room] = lockedRoom
                if let key = MessageKey(draft) { named[key] = message }
                outcome.results.append(.success(message))
                outcome.events.append(
                    RoomEvent(
                        sequence: message.sequence,
                        kind: .sent,
                        at: message.createdAt,
                        message: message,
                        trace: draft.trace
                    )
                )
            } catch {
                outcome.results.append(.failure(error))
            }
        }
        let messages = outcome.events.map(\.message)
        guard !messages.isEmpty else { return outcome }
        for message in messages {
            try await attachments.refer(to: message.files, of: message.sender, transaction)
        }
        let written = Set(messages.map(\.room))
        let touched = written.compactMap { lockedRooms[$0] }
        let reading = present.filter { $0.isReading && written.contains($0.room) }
        let read = reading.compactMap { reader in
            lockedRooms[reader.room].map {
                ChangeNotification.read(reader.room, by: reader.account, through: $0.lastSequence)
            }
        }
        try transaction.enqueue([store.insert(messages), store.advance(touched)])
        // Without a reader the messages go with COMMIT.
        let readers = reading.isEmpty ? [] : try await transaction.run(store.read(by: reading, in: touched))
        let events = Dictionary(grouping: outcome.events, by: \.message.room)
        for locked in touched { transaction.announce(events[locked.room.id] ?? [], in: locked.room) }
        transaction.announce(read)
        let sent = outcome.events.compactMap { event in
            lockedRooms[event.message.room].map { locked in
                (event: ChatEvents.MessageSent(event.message, in: locked, present: present), trace: event.trace)
            }
        }
        // The event of a message tells that its recipient has read it, and all before it.
        let recipients = Set(sent.map { Recipient(room: $0.event.room, account: $0.event.recipient) })
        let others = readers.compactMap { reader in
            lockedRooms[reader.room].map { ChatEvents.MessagesRead(reader.account, in: $0) }
        }.filter { !recipients.contains(Recipient(room: $0.room, account: $0.account)) }
        try outbox.publish(sent.map(\.event), following: sent.map(\.trace), in: transaction)
        try outbox.publish(others, in: transaction)
        return outcome
    }
}

extension ChatEvents.MessageSent {
    fileprivate init(_ message: Message, in lockedRoom: LockedRoom, present: [Presence]) {
        let room = lockedRoom.room
        let recipient = room.peer(of: message.sender)
        self.init(
            app: room.app,
            room: room.publicID,
            side: lockedRoom.sides[recipient],
            sequence: message.sequence,
            sender: message.sender,
            recipient: recipient,
            text: message.content,
            files: message.files.count,
            isSeen: present.contains { $0.room == room.id && $0.account == recipient },
            isRead: present.contains { $0.room == room.id && $0.account == recipient && $0.isReading },
            at: message.createdAt
        )
    }
}

extension ChatEvents.MessagesRead {
    fileprivate init(_ account: AccountID, in lockedRoom: LockedRoom) {
        let room = lockedRoom.room
        self.init(app: room.app, account: account, room: room.publicID, through: lockedRoom.lastSequence)
    }
}

/// Identifies the recipient of a message.
private struct Recipient: Hashable {
    var room: PublicID
    var account: AccountID
}

/// Identifies a retried message.
private struct MessageKey: Hashable {
    var room: RoomID
    var sender: AccountID
    var client: String

    init?(_ draft: MessageDraft) {
        guard let client = draft.clientID else { return nil }
        self.init(room: draft.room, sender: draft.sender, client: client)
    }

    init(_ message: Message) {
        self.init(room: message.room, sender: message.sender, client: message.clientID ?? "")
    }

    private init(room: RoomID, sender: AccountID, client: String) {
        self.room = room
        self.sender = sender
        self.client = client
    }
}
