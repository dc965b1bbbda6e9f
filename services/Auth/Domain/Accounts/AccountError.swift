/// What can be wrong with an account, a sign-in or a profile.
enum AccountError: Error, Sendable, Equatable {
    case emailInvalid
    case passwordWeak
    /// Seoul Culture asks for nothing but length.
    case passwordShort
    case nicknameInvalid
    /// Has whitespace, where a name must not.
    case nicknameBlank
    case emailTaken
    /// Somebody else goes by it.
    case nicknameTaken
    /// Unknown address or wrong password; which of the two is not told.
    case credentialsWrong
    /// The provider does not vouch for the token, or vouches for another app's.
    case socialTokenRefused
    /// A token of a person who is no longer there.
    case accountGone
    /// Its owner has asked to leave, and may come back by signing in.
    case accountLeaving
    case imageUnknown
    /// Not a path that the same person was given for an upload.
    case imageNotYours
    /// A picture that is not there, or no longer.
    case imageGone
    /// Nobody of the app goes by that id.
    case personUnknown
    /// A text of a profile.
    case tooLong(String, limit: Int)
    case tagUnknown(String)
    /// More sign-ins are under way than passwords can be hashed in time.
    case busy
}
