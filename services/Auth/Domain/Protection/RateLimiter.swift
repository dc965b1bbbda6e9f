import Crypto
import FoundationEssentials
import Postgres

/// Rate limits per account or address, counted in the database, so that they hold for all replicas together.
///
/// Each limit is a token bucket, refilled over its window. An empty bucket throws `TooMany`.
struct RateLimiter: Sendable {
    /// The counted actions, each per account, address or session.
    enum Kind: String, Sendable, CaseIterable {
        /// Failed sign-ins of an account from one address.
        case signInOfAccountFromAddress
        /// Failed sign-ins of an account from all addresses, against distributed attempts.
        case signInOfAccount
        /// Sign-ins and sign-ups from one address.
        case signInFromAddress
        /// Availability checks of one e-mail address.
        case emailCheckOfEmail
        case emailCheckFromAddress
        /// Text messages requested from one address.
        case messageFromAddress
        /// Text messages to one phone number.
        case messageToPhone
        /// Text messages of this installation.
        case message
        /// Guesses of verification codes from one address.
        case codeFromAddress
        /// Refreshes of one session; above what any client needs.
        case refreshOfSession
    }

    /// The limit is exceeded; `retryAfter` is in seconds.
    struct TooMany: Error, Equatable {
        var retryAfter: Int
    }

    let database: PostgresClient
    private let store = RateLimitStore()
    private let key: SymmetricKey
    private let limits: [Kind: Int]

    /// - Parameters:
    ///   - secret: keys the hashes of subjects.
    ///   - limits: limits per window of their kind; 0 for no limit.
    init(database: PostgresClient, secret: String, limits: [Kind: Int]) {
        self.database = database
        self.key = SymmetricKey(data: SHA256.hash(data: Array("allowances \(secret)".utf8)))
        self.limits = limits
    }

    /// Takes one token.
    ///
    /// - Parameter subject: the account or the address; nil is not counted.
    /// - Throws: `TooMany`.
    func take(_ kind: Kind, _ subject: String?) async throws {
        guard let subject, let limit = limits[kind], limit > 0 else { return }
        let key = hashed(kind, subject)
        guard try await !store.take(key, limit: limit, window: kind.window, in: database) else { return }
        throw TooMany(retryAfter: try await store.wait(key, limit: limit, window: kind.window, in: database))
    }

    /// Returns a token, for an attempt that succeeded.
    func giveBack(_ kind: Kind, _ subject: String?) async throws {
        guard let subject, let limit = limits[kind], limit > 0 else { return }
        try await store.giveBack(hashed(kind, subject), limit: limit, in: database)
    }

    /// The tokens that are left; nil where there is no limit.
    func left(_ kind: Kind, _ subject: String) async throws -> (tokens: Int, limit: Int)? {
        guard let limit = limits[kind], limit > 0 else { return nil }
        let level = try await store.level(hashed(kind, subject), limit: limit, window: kind.window, in: database)
        return (level.map { Int($0) } ?? limit, limit)
    }

    /// Refills a bucket.
    func refill(_ kind: Kind, _ subject: String, in transaction: PostgresTransaction) async throws {
        try await store.forget(hashed(kind, subject), in: transaction)
    }

    private func hashed(_ kind: Kind, _ subject: String) -> [UInt8] {
        let code = HMAC<SHA256>.authenticationCode(for: Array("\(kind.rawValue) \(subject)".utf8), using: key)
        return Array(code.prefix(16))
    }
}

extension RateLimiter.Kind {
    /// In which an empty bucket refills, in seconds.
    var window: Double { self == .messageToPhone ? 86_400 : 600 }

    /// The limit in production where the default suits one machine from which every client calls.
    var productionLimit: Int? {
        switch self {
        case .messageFromAddress: 20
        case .message: 1000
        case .codeFromAddress: 100
        default: nil
        }
    }

    /// The name of the setting, and the default limit.
    var setting: (name: String, usual: Int) {
        switch self {
        case .signInOfAccountFromAddress: ("LIMIT_SIGN_IN_ACCOUNT_ADDRESS", 20)
        case .signInOfAccount: ("LIMIT_SIGN_IN_ACCOUNT", 200)
        case .signInFromAddress: ("LIMIT_SIGN_IN_ADDRESS", 3000)
        case .emailCheckOfEmail: ("LIMIT_EMAIL_CHECK", 30)
        case .emailCheckFromAddress: ("LIMIT_EMAIL_CHECK_ADDRESS", 3000)
        case .messageFromAddress: ("LIMIT_MESSAGE_ADDRESS", 3000)
        case .messageToPhone: ("LIMIT_MESSAGE_PHONE", 20)
        case .message: ("LIMIT_MESSAGE", 30_000)
        case .codeFromAddress: ("LIMIT_CODE_ADDRESS", 3000)
        case .refreshOfSession: ("LIMIT_REFRESH_SESSION", 1200)
        }
    }

    /// The description of the setting in `--help`.
    var meaning: String {
        switch self {
        case .signInOfAccountFromAddress: "sign-ins to one account from one address in ten minutes; 0 for no limit"
        case .signInOfAccount: "sign-ins to one account in ten minutes; 0 for no limit"
        case .signInFromAddress: "sign-ins from one address in ten minutes; 0 for no limit"
        case .emailCheckOfEmail: "checks of one email address in ten minutes; 0 for no limit"
        case .emailCheckFromAddress: "checks of email addresses from one address in ten minutes; 0 for no limit"
        case .messageFromAddress: "text messages for one address in ten minutes, 20 in production; 0 for no limit"
        case .messageToPhone: "text messages to one phone number in a day; 0 for no limit"
        case .message: "text messages in all in ten minutes, 1000 in production; 0 for no limit"
        case .codeFromAddress:
            "guesses of text message codes from one address in ten minutes, 100 in production; 0 for no limit"
        case .refreshOfSession: "refreshes of one session in ten minutes; 0 for no limit"
        }
    }
}
