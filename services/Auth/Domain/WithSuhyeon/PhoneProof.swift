import Contracts
import FoundationEssentials

/// The verification of a phone number: what it may be used for, and by whom. It can be used once.
struct PhoneProof: Sendable {
    enum Flow: String, Sendable {
        /// A sign-up with the number, or a change to it by an account.
        case signUp = "signup"
        case signIn = "signin"
        /// The sign-in that follows a sign-up with the number.
        case signedUp = "signed-up"

        init(_ flow: PhoneCodes.Flow) {
            switch flow {
            case .signUp: self = .signUp
            case .signIn: self = .signIn
            }
        }

        /// In seconds.
        var lifetime: TimeInterval { self == .signedUp ? 60 : 600 }
    }

    var flow: Flow
    /// The client that verified the number.
    var origin: Origin
    /// The signed-in account that verified the number.
    var account: AccountID?
}
