/// Why a refresh token is not answered with new tokens, or a session not found.
enum SessionError: Error, Sendable, Equatable {
    /// Not a refresh token of ours, or of another app.
    case refreshInvalid
    /// The session was ended: by its owner, or because a token came back that had been replaced.
    case sessionEnded
    case refreshExpired
    /// The owner has asked to leave, and may come back by signing in.
    case accountLeaving
    /// The owner has left.
    case accountGone
    /// No such session of this account.
    case sessionUnknown
    case nameInvalid
}
