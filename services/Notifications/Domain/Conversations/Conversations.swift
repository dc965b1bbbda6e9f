import Contracts
import FoundationEssentials
import Postgres

/// Unread chat messages and their pushes (Anlaka contract 4.10).
struct Conversations: Sendable {
    let queue: PushQueue
    let now: @Sendable () -> Date
    private let store = ConversationStore()

    func receive(_ messages: [ChatEvents.MessageSent], in transaction: PostgresTransaction) async throws {
        let now = now()
        let keys = messages.map { ConversationKey(account: $0.recipient, room: $0.room) }
        try await change(keys, with: messages.map(\.sender), in: transaction) { batch, people in
            for message in messages where people[message.recipient]?.isWithdrawn != true {
                batch.receive(message, from: people[message.sender]?.nickname, at: now)
            }
        }
    }

    func read(_ events: [ChatEvents.MessagesRead], in transaction: PostgresTransaction) async throws {
        let keys = events.map { ConversationKey(account: $0.account, room: $0.room) }
        try await change(keys, in: transaction) { batch, people in
            for (key, event) in zip(keys, events) where people[key.account]?.isWithdrawn != true {
                batch.read(key, through: event.through)
            }
        }
    }

    func takeBack(_ events: [ChatEvents.MessageTakenBack], in transaction: PostgresTransaction) async throws {
        let keys = events.map { ConversationKey(account: $0.recipient, room: $0.room) }
        try await change(keys, in: transaction) { batch, people in
            for (key, event) in zip(keys, events) where people[key.account]?.isWithdrawn != true {
                batch.takeBack(event.sequence, in: key)
            }
        }
    }

    /// Ends rooms: none of their messages is unread, whichever of their events are still to come.
    func end(_ events: [ChatEvents.RoomEnded], in transaction: PostgresTransaction) async throws {
        let keys = events.flatMap { event in
            event.accounts.map { ConversationKey(account: $0, room: event.room) }
        }
        try await change(keys, in: transaction) { batch, people in
            for key in keys where people[key.account]?.isWithdrawn != true { batch.read(key, through: .max) }
        }
    }

    func forget(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        try await store.deleteAll(of: account, in: transaction)
    }

    /// Changes conversations, revises their waiting pushes and queues new ones. A withdrawn account has no
    /// conversations: its events are left out by `apply`.
    private func change(
        _ keys: [ConversationKey],
        with others: [AccountID] = [],
        in transaction: PostgresTransaction,
        _ apply: (inout ConversationBatch, [AccountID: Participant]) -> Void
    ) async throws {
        let (people, stored) = try await transaction.run(
            store.people(Array(Set(keys.map(\.account) + others))),
            store.lock(Array(Set(keys)))
        )
        var batch = ConversationBatch(stored)
        apply(&batch, Dictionary(people.map { ($0.account, $0) }) { first, _ in first })
        let orders = batch.orders
        var statements = [store.save(batch.touched, at: now())]
        if !batch.revised.isEmpty {
            // All mailboxes at once, since they must be locked in one order.
            let accounts = Set(batch.revised.map(\.account) + orders.map(\.account))
            let (lock, read) = queue.waiting(in: batch.revised, locking: Array(accounts))
            let (_, waiting) = try await transaction.run(lock, read)
            let (obsolete, changed) = batch.revision(of: waiting)
            statements += queue.revision(obsolete: obsolete, changed: changed)
        }
        try await transaction.run(statements + queue.addition(of: orders, in: transaction))
    }
}
