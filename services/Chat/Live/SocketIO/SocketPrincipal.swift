import Authentication
import Contracts
import FoundationEssentials
import HTTPTypes
import NIOCore
import ServiceKit

/// The caller who has opened a socket of Anlaka. The gateway has verified the token, but lets handshakes with an
/// invalid token pass, because the app expects the error inside the socket (Anlaka contract 5).
struct SocketPrincipal: Codable, Sendable {
    enum Token: Codable, Sendable, Equatable {
        case good(account: AccountID, session: String?)
        case missing, expired, invalid
    }

    let token: Token
    /// Expiry of the token in seconds since 1970, not before the handshake.
    let expiry: Int64?

    /// Seconds for which a socket stays open after its token has expired. The app then reconnects with a new token.
    static let grace: Int64 = 60
    /// A later expiry counts as this one. Seconds since 1970.
    private static let latestExpiry: Int64 = 1_000_000_000_000

    /// - Parameter now: Seconds since 1970.
    init(_ handshake: HTTPRequest, now: Int64) {
        let identity = handshake.handshakeIdentity
        let field = handshake.headerFields[.authorization] ?? ""
        let expiry = Self.expiry(field)
        self.expiry = expiry.map { max($0, now) }
        if let account = identity?.account {
            token = .good(account: account, session: identity?.session)
        } else if field.isEmpty {
            token = .missing
        } else if let expiry, expiry <= now {
            token = .expired
        } else {
            token = .invalid
        }
    }

    /// The error message for the client; nil when the caller is authenticated.
    var refusal: String? {
        switch token {
        case .good: nil
        case .missing: "Sign in first."
        case .expired: "The access token has expired."
        case .invalid: "The access token is not valid."
        }
    }

    var account: AccountID? {
        if case .good(let account, _) = token { account } else { nil }
    }

    var session: String? {
        if case .good(_, let session) = token { session } else { nil }
    }

    /// How long the socket may stay open.
    ///
    /// - Parameter now: Seconds since 1970.
    func stay(now: Int64) -> TimeAmount? {
        guard account != nil, let expiry else { return nil }
        return .seconds(max(min(max(expiry, 0), Self.latestExpiry) + Self.grace - now, 0))
    }

    /// `exp` of a token without verification of the signature. It only selects the error message, or limits a socket
    /// that the gateway has authenticated.
    private static func expiry(_ field: String) -> Int64? {
        struct Claims: Decodable { var exp: Double }
        let token = field.split(separator: " ").last ?? ""
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard token.utf8.count <= SignedToken.sizeLimit, parts.count == 3, let payload = Base64URL.decode(parts[1]),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(payload)),
            (0...Double(latestExpiry)).contains(claims.exp)
        else { return nil }
        return Int64(claims.exp)
    }
}
