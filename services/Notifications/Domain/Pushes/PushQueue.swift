import Contracts
import FoundationEssentials
import Postgres

/// What waits to be pushed. It is written in the transaction that makes it true, and sent once that has committed.
struct PushQueue: Sendable {
    /// Those to whose phones can be pushed.
    let apps: Set<App>
    let now: @Sendable () -> Date
    private let store = PushStore()
    private let mailboxes = MailboxStore()

    init(apps: Set<App>, now: @escaping @Sendable () -> Date) {
        self.apps = apps
        self.now = now
    }

    /// Puts pushes into the mailboxes of all phones of those whom they are for; those who have turned off the kind, and those
    /// without a phone, are left out.
    func add(_ orders: [PushOrder], in transaction: PostgresTransaction) async throws {
        try await transaction.run(addition(of: orders))
    }

    /// What adds pushes, for a transaction that has more to do in the same round trip.
    func addition(of orders: [PushOrder]) throws -> [Statement<Int>] {
        guard !orders.isEmpty else { return [] }
        let accounts = Array(Set(orders.map(\.account)))
        return [
            mailboxes.lock(of: accounts),
            try store.insert(orders, to: apps, at: now()),
            mailboxes.arm(of: accounts),
            mailboxes.announce(),
        ]
    }

    /// What takes back what waits of rooms in which somebody has seen everything. What is on its way arrives.
    func removal(of rooms: [ConversationKey]) -> [Statement<Int>] {
        guard !rooms.isEmpty else { return [] }
        let accounts = Array(Set(rooms.map(\.account)))
        return [mailboxes.lock(of: accounts), store.delete(rooms), mailboxes.arm(of: accounts)]
    }
}
