import Contracts

/// Somebody in With Suhyeon.
struct Companion: Sendable, Equatable {
    var account: Account
    var birthYear: Int
    /// As the app has it, which says false of everybody (With Suhyeon contract 5, D1); nothing is built on it.
    var isMale: Bool
    var region: Region

    /// The pictures that come with the app.
    static let images = ["img_purple_suma", "img_red_suma", "img_green_suma", "img_blue_suma"]
}

/// What can be wrong in With Suhyeon's account calls.
enum CompanionError: Error, Sendable, Equatable {
    /// Which rules are broken, one text each.
    case malformed([String])
    case imageUnknown
    case regionUnknown
    /// No such account, or its owner has left; no such sign-up to finish, or its time is over.
    case unknown
    case phoneTaken
    case phoneUnknown
    /// Nobody has proved of late that the phone is theirs.
    case phoneUnproved
    /// No code was sent, or its time is over, or it was guessed at too often.
    case codeGone
    case codeWrong
    case ownNumber
    case notANumber
    case blockedAlready
    case notBlocked
}
