/// What can be wrong with an account, a sign-in or a profile.
enum AccountError: Error, Sendable, Equatable {
    case emailInvalid
    case passwordWeak
    case nicknameInvalid
    case emailTaken
    /// Unknown address or wrong password; which of the two is not told.
    case credentialsWrong
    /// The provider does not vouch for the token, or vouches for another app's.
    case socialTokenRefused
    /// A token of a person who is no longer there.
    case accountGone
    /// Its owner has asked to leave, and may come back by signing in.
    case accountLeaving
    case imageUnknown
    case tagUnknown(String)
    /// More sign-ins are under way than passwords can be hashed in time.
    case busy
}
