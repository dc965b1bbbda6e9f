import Contracts
import Outbox
import Postgres

/// How somebody leaves an app for good (SeatCatcher contract 4.10).
///
/// Here, in one transaction, the account becomes anonymous, nothing leads to it any more, and its sessions end; the other
/// services hear of it from the outbox and do their part.
struct Withdrawal: Sendable {
    let database: PostgresClient
    let accounts = AccountStore()
    let sessions: Sessions
    let audit = AuditLog()
    let outbox: Outbox

    /// - Throws: `AccountError.accountGone` for who has left already; of two at once, one hears that.
    func withdraw(_ account: Int64, app: App) async throws {
        try await database.transaction { transaction in
            // Locks the account's row first, as a sign-in does: a session is either ended here, or never opened.
            guard try await accounts.withdraw(account, app: app, in: transaction) else {
                throw AccountError.accountGone
            }
            try await sessions.endAll(of: account, app: app, reason: .withdrawn, in: transaction)
            try await audit.record(.withdrawn, account: account, in: transaction)
            try await audit.store.forgetOrigins(of: account, in: transaction)
            try await outbox.publish(AuthEvents.AccountWithdrawn(account: account, app: app), in: transaction)
        }
    }
}
