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
        try await transaction.run(addition(of: orders, in: transaction))
    }

    /// Statements that queue pushes, for a transaction with others in the same round trip.
    func addition(of orders: [ScheduledPush], in transaction: PostgresTransaction) throws -> [Statement<Int>] {
        guard !orders.isEmpty else { return [] }
        transaction.announce([MailboxStore.announcement])
        let accounts = Array(Set(orders.map(\.account)))
        return [
            mailboxes.lock(of: accounts),
            try store.insert(orders, to: apps, at: now()),
            mailboxes.arm(of: accounts),
        ]
    }

    /// Statements that lock the mailboxes of accounts and read the pending pushes of rooms.
    func waiting(
        in rooms: [ConversationKey],
        locking accounts: [AccountID]
    ) -> (lock: Statement<Int>, read: Statement<[WaitingPush]>) {
        (mailboxes.lock(of: accounts), store.waiting(in: rooms, at: now()))
    }

    /// Statements that delete pending pushes, and that store the new texts of others. The mailboxes must be locked.
    func revision(obsolete: [WaitingPush], changed: [WaitingPush]) -> [Statement<Int>] {
        var statements: [Statement<Int>] = []
        if !changed.isEmpty { statements.append(store.update(changed)) }
        if !obsolete.isEmpty {
            statements += [store.delete(obsolete), mailboxes.arm(of: Array(Set(obsolete.map(\.room.account))))]
        }
        return statements
    }
}
