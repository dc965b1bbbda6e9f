/// Errors of accounts, sign-ins and profiles.
enum AccountError: Error, Sendable, Equatable {
    case emailInvalid
    case passwordWeak
    /// Seoul Culture's only rule is the length.
    case passwordShort
    case nicknameInvalid
    /// The name contains whitespace.
    case nicknameBlank
    case emailTaken
    /// Another user of the app has this name.
    case nicknameTaken
    /// Unknown address or wrong password; the two are not distinguished.
    case credentialsWrong
    /// The provider does not accept the token, or issued it for another app.
    case socialTokenRefused
    /// The token belongs to an account that no longer exists.
    case accountGone
    /// The owner has requested a withdrawal and can cancel it by signing in.
    case accountLeaving
    case imageUnknown
    /// The path was not issued to this user for an upload.
    case imageNotYours
    /// The picture does not exist, or has expired.
    case imageGone
    /// The app has no user with this id.
    case personUnknown
    /// A text of a profile exceeds its length limit.
    case tooLong(String, limit: Int)
    case tagUnknown(String)
    /// The queue of the password hasher is full.
    case busy
}
