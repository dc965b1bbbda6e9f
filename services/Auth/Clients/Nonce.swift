import Crypto

/// The nonce of a sign-in request, which binds an identity token to one sign-in.
enum Nonce: Sendable, Equatable {
    /// The app does not send a nonce. A token with a nonce is accepted, since the expected value is unknown.
    case notSent
    /// The nonce of the request; nil when it has none.
    case sent(String?)

    /// Whether the nonce of a token matches the request.
    ///
    /// A token without a nonce matches any request: SeatCatcher's app sends a nonce that it does not pass to Apple
    /// (contract 1.6, call 1). Apps pass the provider either the nonce itself or its SHA-256 in hexadecimal digits.
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
