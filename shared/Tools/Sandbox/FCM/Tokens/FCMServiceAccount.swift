/// A project's service account, in the download format of Google's console. All projects share one key.
struct FCMServiceAccount: Encodable, Sendable {
    var type = "service_account"
    var projectId: String
    var privateKeyId: String
    /// PKCS#8 in PEM.
    var privateKey: String
    var clientEmail: String
    var clientId = "100000000000000000000"
    /// The token endpoint, and the audience of assertions.
    var tokenUri: String

    /// - Parameters:
    ///   - project: A valid project id (`isProject`).
    ///   - tokenURI: The URL of `POST /fcm/oauth2/token`, as reachable by the caller.
    init(project: String, tokenURI: String, key: RSASigningKey) {
        projectId = project
        privateKeyId = key.keyID
        privateKey = key.privatePEM
        clientEmail = Self.emailStart + project + Self.emailEnd
        tokenUri = tokenURI
    }

    /// The project of a service account's e-mail address; nil for other addresses.
    static func project(ofEmail email: String) -> String? {
        guard email.hasPrefix(emailStart), email.hasSuffix(emailEnd) else { return nil }
        let project = String(email.dropFirst(emailStart.count).dropLast(emailEnd.count))
        return isProject(project) ? project : nil
    }

    /// Whether a text is a valid project id: at most 30 lower-case letters, digits and hyphens, beginning with a
    /// letter. Google requires at least six characters.
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
