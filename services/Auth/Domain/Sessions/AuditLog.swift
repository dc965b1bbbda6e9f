import Postgres

/// What was done to accounts and sessions, written by the transaction that does it: there is no change without its line,
/// and no line without its change. Kept when the account is gone, without addresses.
struct AuditLog: Sendable {
    /// What can be done; the raw value is stored.
    enum Action: String, Sendable, CaseIterable {
        case registered
        case signedIn = "signed_in"
        case signedOut = "signed_out"
        case sessionNamed = "session_named"
        case sessionRevoked = "session_revoked"
        /// A replaced refresh token came back, and the session ended.
        case tokenReused = "token_reused"
        case profileChanged = "profile_changed"
        case phoneVerified = "phone_verified"
        case numberBlocked = "number_blocked"
        case numberUnblocked = "number_unblocked"
        case leaving
        /// An admin has ended the time to come back.
        case hastened
        /// Signed in again before the time to leave had come.
        case stayed
        case withdrawn
        /// The person ended the link at the provider.
        case unlinked
    }

    let store = AuditStore()

    /// - Parameter session: the session that did it, or to which it was done.
    func record(
        _ action: Action,
        account: Int64,
        session: String? = nil,
        origin: Origin? = nil,
        in transaction: PostgresTransaction
    ) async throws {
        try await store.insert(action, account: account, session: session, origin: origin, in: transaction)
    }
}
