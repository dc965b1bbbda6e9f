/// Why a refresh token is not answered with new tokens.
enum SessionError: Error, Sendable, Equatable {
    /// Not a refresh token of ours, or of another app.
    case refreshInvalid
    /// The session was ended: by its owner, or because a token came back that had been replaced.
    case sessionEnded
    case refreshExpired
}
