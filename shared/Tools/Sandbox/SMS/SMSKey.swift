import Crypto
import FoundationEssentials
import Hummingbird
import Synchronization

/// An API key with its secret, and the check of `Authorization: HMAC-SHA256 Apikey=…, Date=…, salt=…, signature=…`: the
/// signature is the hexadecimal HMAC-SHA256 of date and salt under the secret, recent, and valid for one call.
final class SMSKey: Sendable {
    private let id: String
    private let secret: SymmetricKey
    private let used = Mutex<Set<String>>([])

    /// The tolerated clock skew, in seconds.
    private static let skew = 15 * 60.0

    init(id: String, secret: String) {
        self.id = id
        self.secret = SymmetricKey(data: Array(secret.utf8))
    }

    /// - Throws: `SMSError` for a header that does not authenticate the key's owner.
    func check(_ credentials: String?) throws(SMSError) {
        guard let credentials else { throw SMSError(.unauthorized, "Unauthorized", "Authorization is missing") }
        let fields = Self.fields(credentials)
        guard let key = fields["apikey"], let date = fields["date"], let salt = fields["salt"],
            let signature = fields["signature"], (12...64).contains(salt.utf8.count)
        else { throw SMSError(.badRequest, "ValidationError", "Authorization lacks a field") }
        guard key == id else { throw SMSError(.forbidden, "InvalidApiKey", "no such API key") }
        guard let time = Self.instant(date), abs(time.timeIntervalSinceNow) < Self.skew else {
            throw SMSError(.forbidden, "RequestTimeTooSkewed", "Date is too far from now")
        }
        let code = HMAC<SHA256>.authenticationCode(for: Array((date + salt).utf8), using: secret)
        guard signature == code.map({ Self.hexadecimal($0) }).joined() else {
            throw SMSError(.forbidden, "SignatureDoesNotMatch", "the signature is not that of date and salt")
        }
        guard used.withLock({ $0.insert(signature).inserted }) else {
            throw SMSError(.forbidden, "DuplicatedSignature", "a signature is good for one call")
        }
    }

    private static func fields(_ text: String) -> [String: String] {
        let pairs = text.split(separator: ",").compactMap { field -> (String, String)? in
            let parts = field.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return parts.count == 2 ? (parts[0].lowercased(), String(parts[1])) : nil
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Parses ISO 8601 with an offset, with or without fractions of a second.
    private static func instant(_ text: String) -> Date? {
        (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
