import Contracts
import FoundationEssentials
import Postgres

/// Queues pushes. They are written in the transaction of their cause, and sent after its commit.
struct PushQueue: Sendable {
    /// The apps with FCM credentials.
    let apps: Set<App>
    let now: @Sendable () -> Date
    private let store = PushStore()
    private let mailboxes = MailboxStore()

    /// Queues pushes for all devices of their recipients, except for recipients who have muted the kind.
    func add(_ orders: [ScheduledPush], in transaction: PostgresTransaction) async throws {
        try await transaction.run(addition(of: orders))
    }

    /// Statements that queue pushes, for a transaction with others in the same round trip.
    func addition(of orders: [ScheduledPush]) throws -> [Statement<Int>] {
        guard !orders.isEmpty else { return [] }
        let accounts = Array(Set(orders.map(\.account)))
        return [
            mailboxes.lock(of: accounts),
            try store.insert(orders, to: apps, at: now()),
            mailboxes.arm(of: accounts),
            mailboxes.announce(),
        ]
    }

    /// Statements that remove pending pushes of rooms that were read, except those being sent.
    func removal(of rooms: [ConversationKey]) -> [Statement<Int>] {
        guard !rooms.isEmpty else { return [] }
        let accounts = Array(Set(rooms.map(\.account)))
        return [mailboxes.lock(of: accounts), store.delete(rooms), mailboxes.arm(of: accounts)]
    }
}
