import Contracts
import Crypto
import Events
import FoundationEssentials
import Postgres

/// Sessions: opened by a sign-in, extended by refreshes, ended by the owner, by token reuse or by a withdrawal.
struct Sessions: Sendable {
    let database: PostgresClient
    let store = SessionStore()
    let withdrawals = WithdrawalStore()
    let audit = AuditLog()
    let mint: TokenIssuer
    let allowances: RateLimiter
    let outbox: Outbox
    let now: @Sendable () -> Date

    /// Opens a session for an authenticated user, and cancels a pending withdrawal.
    ///
    /// - Throws: `AccountError.accountGone` for a concurrent withdrawal.
    func open(
        for account: Account,
        device: Device,
        in transaction: PostgresTransaction
    ) async throws -> IssuedTokens {
        let now = now()
        let family = RefreshFamily(expiresAt: now + Double(mint.lifetimes(account.app).refresh))
        let session = Session(id: PublicID.random().rawValue, account: account.id, app: account.app, family: family)
        let isNewDevice = try await store.isNewDevice(device, of: account.id, in: transaction)
        try await store.insert(session, device: device, in: transaction)
        if try await withdrawals.cancel(account.id, in: transaction) {
            try audit.record(.stayed, account: account.id, origin: device.origin, in: transaction)
        }
        try audit.record(
            .signedIn,
            account: account.id,
            session: session.id,
            origin: device.origin,
            in: transaction
        )
        if let token = device.pushToken {
            let event = AuthEvents.PushTokenReceived(
                account: account.id,
                app: account.app,
                session: session.id,
                token: token,
                at: now
            )
            try outbox.publish(event, in: transaction)
        }
        if isNewDevice {
            let event = AuthEvents.NewDeviceSignedIn(
                account: account.id,
                app: account.app,
                session: session.id,
                device: device.origin.userAgent
            )
            try outbox.publish(event, in: transaction)
        }
        return IssuedTokens(session: session.id, pair: try mint.pair(for: session, now: now))
    }

    /// Whether a session is active.
    func isAlive(_ session: String) async throws -> Bool {
        try await store.isAlive(session, in: database)
    }

    /// What a gateway needs to know of a session that has just ended.
    func revocation(
        of session: String,
        in app: App,
        cause: AuthAPI.Revocations.Cause = .ended
    ) -> AuthAPI.Revocations.Revocation {
        AuthAPI.Revocations.Revocation(session, cause, at: now(), mint.lifetimes(app))
    }

    /// Ends all sessions of an account, and deletes their device data.
    ///
    /// - Returns: what gateways need to know of those that were active.
    @discardableResult
    func endAll(
        of account: AccountID,
        app: App,
        reason: Session.EndReason,
        in transaction: PostgresTransaction
    ) async throws -> [AuthAPI.Revocations.Revocation] {
        let ended = try await store.endAll(of: account, except: nil, reason: reason, in: transaction)
        for id in ended { try await announceEnd(of: id, account: account, app: app, in: transaction) }
        try await store.forgetDevices(of: account, in: transaction)
        return ended.map { revocation(of: $0, in: app, cause: AuthAPI.Revocations.Cause(reason)) }
    }

    /// Ends a session if it is active.
    ///
    /// - Returns: whether it was active.
    @discardableResult
    func end(
        _ session: String,
        of account: AccountID,
        app: App,
        reason: Session.EndReason,
        in transaction: PostgresTransaction
    ) async throws -> Bool {
        guard try await store.end(session, of: account, reason: reason, in: transaction) else { return false }
        try await announceEnd(of: session, account: account, app: app, in: transaction)
        return true
    }

    func announceEnd(
        of session: String,
        account: AccountID,
        app: App,
        in transaction: PostgresTransaction
    ) async throws {
        transaction.announce([SessionStore.announcement])
        let event = AuthEvents.SessionRevoked(account: account, session: session, app: app)
        try outbox.publish(event, in: transaction)
    }
}
