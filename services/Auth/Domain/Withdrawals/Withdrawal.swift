import Contracts
import Events
import FoundationEssentials
import Postgres

/// Withdrawal of an account from an app.
///
/// A request ends the account's sessions at once. After the app's grace period the account is anonymized, in one
/// transaction with a list of the steps that remain: our services receive `AccountWithdrawn` and confirm the erasure,
/// and providers are requested to end the link (`WithdrawalSteps`). What remains is a row that proves the withdrawal.
/// Every step can be interrupted and repeated.
struct Withdrawal: Sendable {
    let database: PostgresClient
    let accounts = AccountStore()
    let store = WithdrawalStore()
    let sessions: Sessions
    let audit = AuditLog()
    let outbox: Outbox
    /// Seconds in which a sign-in cancels a withdrawal.
    let grace: @Sendable (App) -> Int

    /// The result of a withdrawal request.
    struct Leaving: Sendable, Equatable {
        /// Time of the request.
        var requestedAt: Date
        /// End of the grace period; the same as `requestedAt` for apps without one.
        var dueAt: Date
        /// What gateways need to know of the sessions that the request has ended.
        var ended: [AuthAPI.Revocations.Revocation] = []
    }

    /// Withdraws an account, or begins the grace period where the app has one.
    ///
    /// - Throws: `AccountError.accountLeaving` for a repeated request, also a concurrent one; `.accountGone` for a
    ///   withdrawn account.
    @discardableResult
    func request(_ account: AccountID, app: App, origin: Origin? = nil) async throws -> Leaving {
        try await database.transaction(key: "account \(account)") { transaction in
            let grace = grace(app)
            // Locks the account's row first, as a sign-in does: a session is either ended here, or never opened.
            switch try await store.markLeaving(account, app: app, in: transaction) {
            case .marked: break
            case .leavingAlready: throw AccountError.accountLeaving
            case .gone: throw AccountError.accountGone
            }
            var leaving = try await store.insert(account, app: app, grace: grace, in: transaction)
            try audit.record(.leaving, account: account, origin: origin, in: transaction)
            leaving.ended =
                grace == 0
                ? try await makeAnonymous(account, app: app, in: transaction)
                : try await sessions.endAll(of: account, app: app, reason: .leaving, in: transaction)
            return leaving
        }
    }

    /// Withdraws an account without a grace period, for a user who can no longer sign in. Does nothing for a withdrawn
    /// account.
    func finalize(_ account: AccountID, app: App, in transaction: PostgresTransaction) async throws {
        switch try await store.markLeaving(account, app: app, in: transaction) {
        case .marked: _ = try await store.insert(account, app: app, grace: 0, in: transaction)
        case .leavingAlready: break
        case .gone: return
        }
        try await makeAnonymous(account, app: app, in: transaction)
    }

    /// Anonymizes the next account whose grace period is over. After a failure the account is retried in a minute,
    /// behind the others.
    ///
    /// - Returns: whether there was one.
    func beginNext() async throws -> Bool {
        guard let (account, app) = try await store.nextDue(in: database) else { return false }
        do {
            try await database.transaction { transaction in
                guard try await store.lockDue(account, in: transaction) else { return }
                try await makeAnonymous(account, app: app, in: transaction)
            }
        } catch {
            try await store.postpone(account, in: database)
            throw error
        }
        return true
    }

    /// - Returns: what gateways need to know of the sessions that were active.
    @discardableResult
    private func makeAnonymous(
        _ account: AccountID,
        app: App,
        in transaction: PostgresTransaction
    ) async throws -> [AuthAPI.Revocations.Revocation] {
        guard try await store.begin(account, in: transaction) else { return [] }
        let listeners = outbox.subscribers(to: AuthEvents.AccountWithdrawn.self)
        let holders = app.holders.filter(listeners.contains)
        try await store.insertSteps(account, services: holders, in: transaction)
        let ended = try await sessions.endAll(of: account, app: app, reason: .withdrawn, in: transaction)
        guard try await accounts.withdraw(account, app: app, in: transaction) else { return ended }
        try audit.record(.withdrawn, account: account, in: transaction)
        try await audit.store.forgetOrigins(of: account, in: transaction)
        try outbox.publish(AuthEvents.AccountWithdrawn(account: account, app: app), in: transaction)
        try await store.finishIfDone(account, in: transaction)
        return ended
    }
}
