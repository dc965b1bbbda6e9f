import Contracts
import FoundationEssentials
import Outbox
import Postgres

/// How somebody leaves an app for good.
///
/// A request ends their sessions at once. When the app's time for changing one's mind is over, the account becomes
/// anonymous, in one transaction with the list of those who hold something of its owner: our services hear of it from the
/// outbox and report when they have let go, providers are asked to end the link (`WithdrawalSteps`). What is left in the
/// end is a row that proves it. Every step may be interrupted and repeated.
struct Withdrawal: Sendable {
    let database: PostgresClient
    let accounts = AccountStore()
    let store = WithdrawalStore()
    let sessions: Sessions
    let audit = AuditLog()
    let outbox: Outbox
    /// Seconds in which signing in brings an account back.
    let grace: @Sendable (App) -> Int

    /// What a request to leave led to.
    struct Leaving: Sendable, Equatable {
        /// When it was asked for.
        var requestedAt: Date
        /// Until when signing in brings the account back; the same as `requestedAt` for apps that do not wait.
        var dueAt: Date
    }

    /// Leaves, or begins to where the app gives time to think again.
    ///
    /// - Throws: `AccountError.accountLeaving` when that was asked before, `.accountGone` for who has left already. Of two
    ///   requests at once, one hears that.
    @discardableResult
    func request(_ account: Int64, app: App, origin: Origin? = nil) async throws -> Leaving {
        try await database.transaction { transaction in
            let grace = grace(app)
            // Locks the account's row first, as a sign-in does: a session is either ended here, or never opened.
            switch try await store.markLeaving(account, app: app, in: transaction) {
            case .marked: break
            case .leavingAlready: throw AccountError.accountLeaving
            case .gone: throw AccountError.accountGone
            }
            let leaving = try await store.insert(account, app: app, grace: grace, in: transaction)
            try await audit.record(.leaving, account: account, origin: origin, in: transaction)
            if grace == 0 {
                try await makeAnonymous(account, app: app, in: transaction)
            } else {
                try await sessions.endAll(of: account, app: app, reason: .leaving, in: transaction)
            }
            return leaving
        }
    }

    /// Leaves for somebody who can never come back, whatever time the app gives. Whoever has left stays as they are.
    func finalize(_ account: Int64, app: App, in transaction: PostgresTransaction) async throws {
        switch try await store.markLeaving(account, app: app, in: transaction) {
        case .marked: _ = try await store.insert(account, app: app, grace: 0, in: transaction)
        case .leavingAlready: break
        case .gone: return
        }
        try await makeAnonymous(account, app: app, in: transaction)
    }

    /// Makes the next account anonymous whose time to come back is over. One for which that fails comes up again in a
    /// minute, behind the others.
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

    private func makeAnonymous(_ account: Int64, app: App, in transaction: PostgresTransaction) async throws {
        guard try await store.begin(account, in: transaction) else { return }
        let listeners = outbox.subscribers(to: AuthEvents.AccountWithdrawn.self)
        let holders = app.holders.filter(listeners.contains)
        try await store.insertSteps(account, services: holders, in: transaction)
        try await sessions.endAll(of: account, app: app, reason: .withdrawn, in: transaction)
        guard try await accounts.withdraw(account, app: app, in: transaction) else { return }
        try await audit.record(.withdrawn, account: account, in: transaction)
        try await audit.store.forgetOrigins(of: account, in: transaction)
        try await outbox.publish(AuthEvents.AccountWithdrawn(account: account, app: app), in: transaction)
        try await store.finishIfDone(account, in: transaction)
    }
}
