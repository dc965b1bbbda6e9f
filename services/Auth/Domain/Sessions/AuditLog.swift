import Contracts
import Postgres

/// Audit log of accounts and sessions. An entry is written in the same transaction as the change. Entries of a
/// withdrawn account are kept without addresses.
struct AuditLog: Sendable {
    /// The raw value is stored.
    enum Action: String, Sendable, CaseIterable {
        case registered
        case signedIn = "signed_in"
        case signedOut = "signed_out"
        case sessionNamed = "session_named"
        case sessionRevoked = "session_revoked"
        /// A replaced refresh token was presented, and the session ended.
        case tokenReused = "token_reused"
        case profileChanged = "profile_changed"
        case phoneVerified = "phone_verified"
        case numberBlocked = "number_blocked"
        case numberUnblocked = "number_unblocked"
        case leaving
        /// An admin has ended the grace period of a withdrawal.
        case hastened
        /// A sign-in, or an operator, has cancelled a withdrawal.
        case stayed
        case withdrawn
        /// The user ended the link at the provider.
        case unlinked
    }

    let store = AuditStore()

    /// - Parameter session: the session that caused the change, or was changed.
    func record(
        _ action: Action,
        account: AccountID,
        session: String? = nil,
        origin: Origin? = nil,
        in transaction: PostgresTransaction
    ) throws {
        try transaction.enqueue([store.insert(action, account: account, session: session, origin: origin)])
    }
}
