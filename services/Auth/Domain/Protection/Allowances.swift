import Crypto
import FoundationEssentials
import Postgres

/// How often something may be done with one account or from one address, counted in the database, so that it holds for
/// all copies of the service together.
///
/// A token bucket each: full at first, refilled over ten minutes. Beyond it comes `TooMany`.
struct Allowances: Sendable {
    /// What is counted, and by what.
    enum Kind: String, Sendable, CaseIterable {
        /// Wrong passwords of an account from one address.
        case signInOfAccountFromAddress
        /// Wrong passwords of an account from everywhere, so that many addresses do not help much.
        case signInOfAccount
        /// Sign-ins and sign-ups from one address.
        case signInFromAddress
        /// Questions whether an e-mail address is free.
        case emailCheckOfEmail
        case emailCheckFromAddress
        /// Text messages that an address makes us send.
        case messageFromAddress
        /// Refreshes of one session: more than any client needs, however often it asks at once.
        case refreshOfSession
    }

    /// Too often; after so many seconds it may be done again.
    struct TooMany: Error, Equatable {
        var retryAfter: Int
    }

    let database: PostgresClient
    private let store = AllowanceStore()
    private let key: SymmetricKey
    private let limits: [Kind: Int]

    /// - Parameters:
    ///   - secret: keys the hashes of subjects.
    ///   - limits: how often in ten minutes; 0 for no limit.
    init(database: PostgresClient, secret: String, limits: [Kind: Int]) {
        self.database = database
        self.key = SymmetricKey(data: SHA256.hash(data: Array("allowances \(secret)".utf8)))
        self.limits = limits
    }

    /// Counts one.
    ///
    /// - Parameter subject: the account or the address; nil is nobody, and is not counted.
    /// - Throws: `TooMany`.
    func take(_ kind: Kind, _ subject: String?) async throws {
        guard let subject, let limit = limits[kind], limit > 0 else { return }
        let key = hashed(kind, subject)
        guard try await !store.take(key, limit: limit, in: database) else { return }
        throw TooMany(retryAfter: try await store.wait(key, limit: limit, in: database))
    }

    /// Takes a count back: it turned out to be what is wanted.
    func giveBack(_ kind: Kind, _ subject: String?) async throws {
        guard let subject, let limit = limits[kind], limit > 0 else { return }
        try await store.giveBack(hashed(kind, subject), limit: limit, in: database)
    }

    private func hashed(_ kind: Kind, _ subject: String) -> [UInt8] {
        let code = HMAC<SHA256>.authenticationCode(for: Array("\(kind.rawValue) \(subject)".utf8), using: key)
        return Array(code.prefix(16))
    }
}

extension Allowances.Kind {
    /// The setting, and how often in ten minutes when it is not set.
    var setting: (name: String, usual: Int) {
        switch self {
        case .signInOfAccountFromAddress: ("LIMIT_SIGN_IN_ACCOUNT_ADDRESS", 20)
        case .signInOfAccount: ("LIMIT_SIGN_IN_ACCOUNT", 200)
        case .signInFromAddress: ("LIMIT_SIGN_IN_ADDRESS", 3000)
        case .emailCheckOfEmail: ("LIMIT_EMAIL_CHECK", 30)
        case .emailCheckFromAddress: ("LIMIT_EMAIL_CHECK_ADDRESS", 3000)
        case .messageFromAddress: ("LIMIT_MESSAGE_ADDRESS", 3000)
        case .refreshOfSession: ("LIMIT_REFRESH_SESSION", 1200)
        }
    }
}
