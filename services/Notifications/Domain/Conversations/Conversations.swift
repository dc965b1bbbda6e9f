import Contracts
import FoundationEssentials
import Postgres

/// Pushes for unread chat messages (Anlaka contract 4.10).
struct Conversations: Sendable {
    let queue: PushQueue
    let now: @Sendable () -> Date
    private let store = ConversationStore()

    func receive(_ messages: [ChatEvents.MessageSent], in transaction: PostgresTransaction) async throws {
        let now = now()
        let keys = messages.map { ConversationKey(account: $0.recipient, room: $0.room) }
        let (stored, names) = try await transaction.run(
            store.lock(Array(Set(keys))),
            store.nicknames(of: Array(Set(messages.map(\.sender))))
        )
        var batch = ConversationBatch(stored)
        let nicknames = Dictionary(names) { first, _ in first }
        for message in messages { batch.receive(message, from: nicknames[message.sender], at: now) }
        try await save(batch, in: transaction)
    }

    func read(_ events: [ChatEvents.MessagesRead], in transaction: PostgresTransaction) async throws {
        let keys = events.map { ConversationKey(account: $0.account, room: $0.room) }
        var batch = ConversationBatch(try await transaction.run(store.lock(Array(Set(keys)))))
        for (key, event) in zip(keys, events) { batch.read(key, through: event.through) }
        try await save(batch, in: transaction)
    }

    func forget(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        try await store.deleteAll(of: account, in: transaction)
    }

    private func save(_ batch: ConversationBatch, in transaction: PostgresTransaction) async throws {
        try await transaction.run(
            [store.save(batch.touched)] + queue.removal(of: batch.read) + queue.addition(of: batch.orders)
        )
    }
}
