import Contracts
import Events
import FoundationEssentials
import Postgres
import Profiles
import ServiceDatabase

/// Removes data when an account is withdrawn: its unpaid orders expire. Paid orders are kept for five years, as
/// required by law (Act on the Consumer Protection in Electronic Commerce, article 6, and its decree, article 6).
/// Idempotent.
struct Withdrawal: Sendable {
    let people: People
    let outbox: Outbox
    let now: @Sendable () -> Date
    private let orders = OrderStore()
    private let pages = CheckoutStore()

    func withdraw(_ account: AccountID, of app: App, in transaction: PostgresTransaction) async throws {
        let now = now()
        try await people.withdraw(account, of: app, at: now, in: transaction)
        for order in try await orders.lockOpen(of: account, in: transaction) {
            try await OrderChange(outbox: outbox, now: now).apply(.expired, to: order, in: transaction)
        }
        try await IdempotencyKeys.deleteAll(of: account, in: transaction)
        try await pages.deleteAll(of: account, in: transaction)
        try outbox.publish(PaymentsEvents.AccountErased(account: account), in: transaction)
    }
}
