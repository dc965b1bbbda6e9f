import Contracts
import Postgres
import ServiceDatabase

/// A verification code that was sent to a phone number.
struct PhoneCodeID: RowIdentifier {
    let rawValue: Int64
}

/// A sign-up to With Suhyeon that began with a provider and has no account yet; unguessable.
struct PendingSignUpID: RowIdentifier {
    let rawValue: Int64

    /// 63 random bits.
    static func random() -> PendingSignUpID { PendingSignUpID(rawValue: .random(in: 1 ... .max)) }
}
