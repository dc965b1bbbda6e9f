import Authentication
import Contracts
import FoundationEssentials
import Postgres

/// Codes that are sent to phones, by which somebody proves that a phone is theirs (With Suhyeon contract 4.1).
///
/// A code has six digits, lives three minutes, and dies after five wrong guesses, however many come at once. A proof is
/// good for one sign-up or sign-in within ten minutes.
struct PhoneCodes: Sendable {
    let database: PostgresClient
    let store = PhoneStore()
    let companions = CompanionStore()
    let allowances: Allowances
    let audit = AuditLog()
    let hash: KeyedHash

    /// What a code is asked for.
    enum Flow: String, Sendable {
        case signUp = "signup"
        case signIn = "signin"
    }

    /// A code that is to be sent now.
    struct Code: Sendable {
        var id: Int64
        var digits: String
    }

    /// Codes per phone in ten minutes. There is no least time between two: the app asks again after 15 seconds.
    static let limit = 5
    static let lifetime: TimeInterval = 180
    static let guesses = 5

    /// Makes a code, which replaces the one before.
    ///
    /// - Parameter flow: nil when the app does not say.
    /// - Throws: `CompanionError` when the phone has an account and should not have, or the other way round;
    ///   `Allowances.TooMany`.
    func make(for phone: PhoneNumber, flow: Flow?, origin: Origin) async throws -> Code {
        if let flow { try await check(flow, phone, in: database) }
        try await allowances.take(.messageFromAddress, origin.address)
        let digits = String(Int.random(in: 100_000...999_999))
        return try await database.transaction { transaction in
            if let wait = try await store.wait(for: phone, limit: Self.limit, in: transaction) {
                throw Allowances.TooMany(retryAfter: wait)
            }
            let id = try await store.insert(digest(phone, digits), for: phone, in: transaction)
            return Code(id: id, digits: digits)
        }
    }

    /// Takes a code back that could not be sent; the one before counts again.
    func takeBack(_ code: Code) async throws {
        try await store.delete(code.id, in: database)
    }

    /// Notes a phone as proved, when the digits are those of its newest code.
    ///
    /// - Throws: `CompanionError`. A wrong flow does not use the code up: the same digits serve for the right one.
    func verify(_ digits: String, of phone: PhoneNumber, flow: Flow, origin: Origin) async throws {
        let outcome = try await database.transaction { transaction -> Result<Void, CompanionError> in
            guard let code = try await store.newest(of: phone, lockedIn: transaction),
                code.spentAt == nil, code.wrongGuesses < Self.guesses, code.age < Self.lifetime
            else { return .failure(.codeGone) }
            guard code.digest == digest(phone, digits) else {
                // Counted whatever becomes of the request: so it is returned, not thrown.
                try await store.countWrongGuess(code.id, in: transaction)
                return .failure(.codeWrong)
            }
            let account = try await check(flow, phone, in: transaction)
            try await store.spend(code.id, in: transaction)
            try await store.prove(phone, address: origin.address, afterSignUp: false, in: transaction)
            if let account {
                try await audit.record(.phoneVerified, account: account, origin: origin, in: transaction)
            }
            return .success(())
        }
        try outcome.get()
    }

    /// - Returns: the phone's account, which there must be to sign in, and must not be to sign up.
    @discardableResult
    private func check(_ flow: Flow, _ phone: PhoneNumber, in database: some Querying) async throws -> Int64? {
        let account = try await companions.account(of: phone, in: database)?.id
        switch flow {
        case .signUp where account != nil: throw CompanionError.phoneTaken
        case .signIn where account == nil: throw CompanionError.phoneUnknown
        default: return account
        }
    }

    private func digest(_ phone: PhoneNumber, _ digits: String) -> [UInt8] {
        hash.digest("\(phone.text) \(digits)")
    }
}
