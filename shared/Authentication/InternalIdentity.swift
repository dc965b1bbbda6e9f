package import Contracts
package import Crypto

/// Who is calling a service: the gateway on behalf of a person (or of nobody, on a public route), or another service.
///
/// Travels in the header `X-Madang-Identity`, authenticated by HMAC-SHA256 under the secret that all processes of one
/// installation share, and lives for a minute. Services refuse calls without one, so nobody gets in beside the gateway.
///
/// Wire form, seven fields joined by dots: `1.caller.app.account.session.expires.mac`, an absent value being `-`,
/// `expires` in seconds since 1970, `mac` in base64url over everything before the last dot.
package struct InternalIdentity: Sendable, Equatable {
    /// The header's name.
    package static let header = "x-madang-identity"
    /// The header with the address of the client that the gateway spoke to.
    package static let clientHeader = "x-madang-client"
    /// Every header with this prefix is internal: the gateway drops it from what comes in.
    package static let headerPrefix = "x-madang-"
    /// Seconds for which an identity is good after it was signed.
    package static let lifetime: Int64 = 60

    /// `gateway`, or the name of the calling service.
    package var caller: String
    /// The app that the request belongs to; nil between services.
    package var app: App?
    /// The signed-in account; nil on public routes and between services.
    package var account: Int64?
    /// The session of the account's access token.
    package var session: String?

    package init(caller: String, app: App? = nil, account: Int64? = nil, session: String? = nil) {
        self.caller = caller
        self.app = app
        self.account = account
        self.session = session
    }

    /// The header's value, good from `now` (seconds since 1970) for `lifetime`.
    package func signed(with secret: InternalSecret, now: Int64) -> String {
        let account = account.map(String.init) ?? "-"
        let text = "1.\(caller).\(app?.rawValue ?? "-").\(account).\(session ?? "-").\(now + Self.lifetime)"
        return "\(text).\(Base64URL.encode(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: secret.key)))"
    }

    /// The identity that a header value states.
    ///
    /// - Returns: nil when the value is not of this form, not signed with the secret, or past its time.
    package init?(_ value: some StringProtocol, secret: InternalSecret, now: Int64) {
        guard let dot = value.lastIndex(of: ".") else { return nil }
        let text = value[..<dot]
        guard let code = Base64URL.decode(Array(value[dot...].utf8.dropFirst())),
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Array(text.utf8), using: secret.key)
        else { return nil }
        let fields = text.split(separator: ".", omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0] == "1", let expires = Int64(fields[5]), now < expires else { return nil }
        self.caller = String(fields[1])
        self.app = App(rawValue: String(fields[2]))
        self.account = Int64(fields[3])
        self.session = fields[4] == "-" ? nil : String(fields[4])
    }
}

/// The secret that the processes of one installation share (`MADANG_INTERNAL_SECRET`).
package struct InternalSecret: Sendable {
    /// What development uses when nothing is configured; refused in production.
    package static let development = InternalSecret("madang-development-internal-secret")

    package let key: SymmetricKey

    package init(_ text: String) {
        self.key = SymmetricKey(data: Array(text.utf8))
    }
}
