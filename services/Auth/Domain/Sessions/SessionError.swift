import Contracts

/// Errors of token refreshes and session calls.
enum SessionError: Error, Sendable, Equatable {
    /// Not a refresh token of this issuer, or one of another app.
    case refreshInvalid
    /// The session had ended before.
    case sessionEnded
    /// The presented token was replaced before; this has ended its session.
    case reused(AuthAPI.Revocations.Revocation)
    case refreshExpired
    /// The owner has requested a withdrawal and can cancel it by signing in.
    case accountLeaving
    /// The account is withdrawn.
    case accountGone
    /// The account has no such session.
    case sessionUnknown
    case nameInvalid

    /// The session that the refused request has ended.
    var revocation: AuthAPI.Revocations.Revocation? {
        if case .reused(let revocation) = self { revocation } else { nil }
    }
}
