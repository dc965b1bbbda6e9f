import Contracts
import FoundationEssentials
import Outbox
import People
import Postgres

/// What happens here when somebody leaves an app for good: what they have not paid for is let go of. What they have paid for
/// stays in the books, as the law has it for five years (Act on the Consumer Protection in Electronic Commerce, article 6,
/// and its decree, article 6). May be told any number of times.
struct Withdrawal: Sendable {
    let people: People
    let outbox: Outbox
    let now: @Sendable () -> Date
    private let orders = OrderStore()
    private let requests = RequestStore()
    private let pages = CheckoutStore()

    init(people: People, outbox: Outbox, now: @escaping @Sendable () -> Date) {
        self.people = people
        self.outbox = outbox
        self.now = now
    }

    func withdraw(_ account: Int64, of app: App, in transaction: PostgresTransaction) async throws {
        let now = now()
        try await people.withdraw(account, of: app, at: now, in: transaction)
        for order in try await orders.lockOpen(of: account, in: transaction) {
            try await OrderChange(outbox: outbox, now: now).apply(.expired, to: order, in: transaction)
        }
        try await requests.deleteAll(of: account, in: transaction)
        try await pages.deleteAll(of: account, in: transaction)
        try await outbox.publish(PaymentsEvents.AccountErased(account: account), in: transaction)
    }
}
