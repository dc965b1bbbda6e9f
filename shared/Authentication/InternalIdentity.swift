package import Contracts
package import Crypto

/// The caller of a service: the gateway on behalf of a user (or of an anonymous client, on a public route), or another
/// service.
///
/// It is sent in the header `X-Madang-Identity`, authenticated by HMAC-SHA256 with the secret that all processes of one
/// installation share, and is valid for a minute. Services refuse requests without one, so that the gateway cannot be
/// bypassed.
///
/// The clocks of two machines may differ by a minute, in either direction: an identity is accepted until a minute after
/// its expiry, and from a minute before it was signed. One that was intercepted can thus be replayed for at most two
/// minutes by a clock that is right, and for three in all; one from further in the future is refused, so that a wrong
/// clock cannot issue identities that outlive it.
///
/// Wire form, seven fields joined by dots: `1.caller.app.account.session.expires.mac`, an absent value being `-`,
/// `expires` in seconds since 1970, `mac` in base64url over everything before the last dot.
package struct InternalIdentity: Sendable, Equatable {
    package static let header = "x-madang-identity"
    /// The header with the address of the gateway's client.
    package static let clientHeader = "x-madang-client"
    /// The prefix of internal headers, which the gateway removes from incoming requests.
    package static let headerPrefix = "x-madang-"
    /// The validity of an identity after it was signed, in seconds.
    package static let lifetime: Int64 = 60
    /// The difference between the clocks of the signer and the verifier that is accepted, in seconds.
    package static let leeway: Int64 = 60

    /// `gateway`, or the name of the calling service.
    package var caller: String
    /// The app of the request; nil between services.
    package var app: App?
    /// The signed-in account; nil on public routes and between services.
    package var account: AccountID?
    /// The session of the account's access token.
    package var session: String?

    package init(caller: String, app: App? = nil, account: AccountID? = nil, session: String? = nil) {
        self.caller = caller
        self.app = app
        self.account = account
        self.session = session
    }

    /// The header's value, valid from `now` (seconds since 1970) for `lifetime`.
    package func signed(with secret: InternalSecret, now: Int64) -> String {
        let account = account.map(String.init) ?? "-"
        let text = "1.\(caller).\(app?.rawValue ?? "-").\(account).\(session ?? "-").\(now + Self.lifetime)"
        return "\(text).\(Base64URL.encode(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: secret.key)))"
    }

    /// Verifies and parses a header value.
    ///
    /// - Returns: nil if the value is malformed, not signed with the current or previous secret, expired, or signed too
    ///   far in the future.
    package init?(_ value: some StringProtocol, secret: InternalSecret, now: Int64) {
        guard let dot = value.lastIndex(of: ".") else { return nil }
        let text = value[..<dot]
        guard let code = Base64URL.decode(Array(value[dot...].utf8.dropFirst())),
            secret.isValid(code, of: Array(text.utf8))
        else { return nil }
        let fields = text.split(separator: ".", omittingEmptySubsequences: false)
        let accepted = now - Self.leeway + 1...now + Self.lifetime + Self.leeway
        guard fields.count == 6, fields[0] == "1", let expires = Int64(fields[5]), accepted.contains(expires) else {
            return nil
        }
        self.caller = String(fields[1])
        self.app = App(rawValue: String(fields[2]))
        self.account = AccountID(fields[3])
        self.session = fields[4] == "-" ? nil : String(fields[4])
    }
}

/// The secret that the processes of one installation share: the current one, which signs (`MADANG_INTERNAL_SECRET`), and
/// while it is replaced a second one, which is accepted as well (`MADANG_INTERNAL_SECRET_PREVIOUS`).
package struct InternalSecret: Sendable {
    /// The default in development; refused in production.
    package static let development = InternalSecret("madang-development-internal-secret")

    package let key: SymmetricKey
    private let previous: SymmetricKey?

    package init(_ text: String, previous: String? = nil) {
        self.key = SymmetricKey(data: Array(text.utf8))
        self.previous = previous.map { SymmetricKey(data: Array($0.utf8)) }
    }

    func isValid(_ code: [UInt8], of text: [UInt8]) -> Bool {
        [key, previous].contains { key in
            key.map { HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: text, using: $0) } ?? false
        }
    }
}
