import Crypto

/// What an app's request says of the nonce by which an identity token is tied to one sign-in.
enum Nonce: Sendable, Equatable {
    /// The app has no place for it. A token with a nonce is taken all the same, since nobody can say which it should be.
    case notSent
    /// What the request has; nil when it has none.
    case sent(String?)

    /// Whether a token that states a nonce, or none, belongs to the request.
    ///
    /// A token without one is good with any request: SeatCatcher's app sends a nonce that it never gave to Apple
    /// (contract 1.6, call 1). Apps give the provider the nonce itself, or its SHA-256 in hexadecimal digits.
    func permits(_ stated: String?) -> Bool {
        guard let stated else { return true }
        switch self {
        case .notSent: return true
        case .sent(nil): return false
        case .sent(let nonce?):
            let digest = SHA256.hash(data: Array(nonce.utf8)).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            return stated == nonce || stated.lowercased() == digest.joined()
        }
    }
}
