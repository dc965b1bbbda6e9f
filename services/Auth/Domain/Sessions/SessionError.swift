/// Errors of token refreshes and session calls.
enum SessionError: Error, Sendable, Equatable {
    /// Not a refresh token of this issuer, or one of another app.
    case refreshInvalid
    /// The session ended: by its owner, or because a replaced token was presented.
    case sessionEnded
    case refreshExpired
    /// The owner has requested a withdrawal and can cancel it by signing in.
    case accountLeaving
    /// The account is withdrawn.
    case accountGone
    /// The account has no such session.
    case sessionUnknown
    case nameInvalid
}
