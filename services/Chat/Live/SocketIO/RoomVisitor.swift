import Authentication
import FoundationEssentials
import HTTPTypes
import NIOCore
import ServiceHost

/// Who has opened a socket of Anlaka. The gateway has looked at the token; a bad one gets as far as this, since the app is to
/// hear inside the socket what is wrong with it (Anlaka contract 5).
struct RoomVisitor: Sendable {
    enum Token: Sendable, Equatable {
        case good(account: Int64, session: String?)
        case missing, expired, invalid
    }

    let token: Token
    /// When the token expires, in seconds since 1970.
    let expiry: Int64?

    /// Seconds for which a socket outlives its token: the app connects again by itself, with the next one.
    static let grace: Int64 = 60

    /// - Parameter now: seconds since 1970.
    init(_ handshake: HTTPRequest, secret: InternalSecret, now: Int64) {
        let identity = handshake.headerFields[.internalIdentity].flatMap {
            InternalIdentity($0, secret: secret, now: now)
        }
        let field = handshake.headerFields[.authorization] ?? ""
        let expiry = Self.expiry(field)
        self.expiry = expiry
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

    /// What a refusal says; nil for who is welcome.
    var refusal: String? {
        switch token {
        case .good: nil
        case .missing: "Sign in first."
        case .expired: "The access token has expired."
        case .invalid: "The access token is not valid."
        }
    }

    var account: Int64? {
        if case .good(let account, _) = token { account } else { nil }
    }

    var session: String? {
        if case .good(_, let session) = token { session } else { nil }
    }

    /// How long the socket may stay.
    ///
    /// - Parameter now: seconds since 1970.
    func stay(now: Int64) -> TimeAmount? {
        guard account != nil, let expiry else { return nil }
        return .seconds(max(expiry - now, 0) + Self.grace)
    }

    /// `exp` of a token, which nobody has verified here: it decides on words, and on a moment for whom the gateway vouches.
    private static func expiry(_ field: String) -> Int64? {
        struct Claims: Decodable { var exp: Double }
        let token = field.split(separator: " ").last ?? ""
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard token.utf8.count <= SignedToken.sizeLimit, parts.count == 3, let payload = Base64URL.decode(parts[1]),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(payload)), (0...1e12).contains(claims.exp)
        else { return nil }
        return Int64(claims.exp)
    }
}
