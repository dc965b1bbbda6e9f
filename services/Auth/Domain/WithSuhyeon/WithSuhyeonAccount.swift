import Contracts

/// An account of With Suhyeon.
struct WithSuhyeonAccount: Sendable, Equatable {
    var account: Account
    var birthYear: Int
    /// The value from the app, which always sends false (With Suhyeon contract 5, D1); not used.
    var isMale: Bool
    var region: Region

    /// The profile pictures bundled with the app.
    static let images = ["img_purple_suma", "img_red_suma", "img_green_suma", "img_blue_suma"]
}

/// Errors of With Suhyeon's account calls.
enum WithSuhyeonError: Error, Sendable, Equatable {
    /// One text per violated rule.
    case malformed([String])
    case imageUnknown
    case regionUnknown
    /// The account does not exist or is withdrawn, or the pending sign-up does not exist or has expired.
    case unknown
    case phoneTaken
    case phoneUnknown
    /// The phone number has no recent verification.
    case phoneUnproved
    /// There is no valid code: none was sent, it has expired, or it had too many wrong guesses.
    case codeGone
    case codeWrong
    case ownNumber
    case notANumber
    case blockedAlready
    /// The account has blocked as many numbers as it may.
    case tooManyNumbers
    case notBlocked
}
