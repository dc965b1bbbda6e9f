/// A project's service account, as Google's console offers its key for download. All projects have one key, which is enough to
/// play with.
struct FCMServiceAccount: Encodable, Sendable {
    var type = "service_account"
    var projectId: String
    var privateKeyId: String
    /// PKCS#8 in PEM.
    var privateKey: String
    var clientEmail: String
    var clientId = "100000000000000000000"
    /// Where its assertions go, and what they name as their audience.
    var tokenUri: String

    /// - Parameters:
    ///   - project: of the form that `isProject` tells.
    ///   - tokenURI: the address of `POST /fcm/oauth2/token`, as the caller reaches it.
    init(project: String, tokenURI: String, key: RSASigningKey) {
        projectId = project
        privateKeyId = key.keyID
        privateKey = key.privatePEM
        clientEmail = Self.emailStart + project + Self.emailEnd
        tokenUri = tokenURI
    }

    /// The project of an account's address; nil for what is none of ours.
    static func project(ofEmail email: String) -> String? {
        guard email.hasPrefix(emailStart), email.hasSuffix(emailEnd) else { return nil }
        let project = String(email.dropFirst(emailStart.count).dropLast(emailEnd.count))
        return isProject(project) ? project : nil
    }

    /// Whether a text can be a project's id: at most 30 small letters, digits and hyphens, a letter first. Google wants six of them
    /// at least.
    static func isProject(_ text: String) -> Bool {
        guard let first = text.utf8.first, letters.contains(first), text.utf8.count <= 30 else { return false }
        return text.utf8.allSatisfy {
            letters.contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
        }
    }

    private static let emailStart = "firebase-adminsdk@"
    private static let emailEnd = ".iam.gserviceaccount.com"
    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
}
