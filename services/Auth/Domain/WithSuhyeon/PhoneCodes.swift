import Authentication
import Contracts
import FoundationEssentials
import Postgres

/// Verification codes by text message, which prove ownership of a phone number (With Suhyeon contract 4.1).
///
/// A code has six digits, expires after three minutes, and is invalidated by five wrong guesses, also concurrent ones.
/// A proof is valid for one sign-up or sign-in within ten minutes, by the client or account that made it.
struct PhoneCodes: Sendable {
    let database: PostgresClient
    let store = PhoneStore()
    let companions = WithSuhyeonAccountStore()
    let allowances: RateLimiter
    let audit = AuditLog()
    let hash: KeyedHash

    /// The purpose of a code.
    enum Flow: String, Sendable {
        case signUp = "signup"
        case signIn = "signin"
    }

    /// A new code to be sent.
    struct Code: Sendable {
        var id: PhoneCodeID
        var digits: String
    }

    /// Codes per phone number in ten minutes. There is no minimum interval: the app sends a new request after 15
    /// seconds.
    static let limit = 5
    static let lifetime: TimeInterval = 180
    static let guesses = 5

    /// Creates a code, which replaces the previous one.
    ///
    /// - Throws: `WithSuhyeonError` when the phone number has an account at sign-up, or none at sign-in;
    ///   `RateLimiter.TooMany`.
    func make(for phone: PhoneNumber, flow: Flow, origin: Origin) async throws -> Code {
        // Taken first, since the check reveals who has an account.
        try await allowances.take(.messageFromAddress, origin.address)
        try await check(flow, phone, in: database)
        try await allowances.take(.messageToPhone, phone.text)
        try await allowances.take(.message, "all")
        let digits = String(Int.random(in: 100_000...999_999))
        return try await database.transaction(key: "phone \(phone.text)") { transaction in
            if let wait = try await store.wait(for: phone, limit: Self.limit, in: transaction) {
                throw RateLimiter.TooMany(retryAfter: wait)
            }
            let id = try await store.insert(digest(phone, digits), for: phone, in: transaction)
            return Code(id: id, digits: digits)
        }
    }

    /// Deletes a code that could not be sent; the previous one is valid again.
    func takeBack(_ code: Code) async throws {
        try await store.delete(code.id, in: database)
    }

    /// Records a phone number as verified when the digits match its newest code.
    ///
    /// - Throws: `WithSuhyeonError`. A wrong flow does not consume the code: the same digits remain valid for the right
    ///   flow.
    ///
    /// - Parameter account: the signed-in account; the proof then serves it alone.
    func verify(
        _ digits: String,
        of phone: PhoneNumber,
        flow: Flow,
        origin: Origin,
        account caller: AccountID?
    ) async throws {
        try await allowances.take(.codeFromAddress, origin.address)
        let outcome = try await database.transaction(key: "phone \(phone.text)") {
            transaction -> Result<Void, WithSuhyeonError> in
            guard let code = try await store.newest(of: phone, lockedIn: transaction),
                code.spentAt == nil, code.wrongGuesses < Self.guesses, code.age < Self.lifetime
            else { return .failure(.codeGone) }
            guard code.digest == digest(phone, digits) else {
                // Returned, not thrown, so that the transaction commits the count.
                try await store.countWrongGuess(code.id, in: transaction)
                return .failure(.codeWrong)
            }
            let account = try await check(flow, phone, in: transaction)
            try await store.spend(code.id, in: transaction)
            let proof = PhoneProof(flow: PhoneProof.Flow(flow), origin: origin, account: caller)
            try await store.prove(phone, proof, in: transaction)
            if let account {
                try audit.record(.phoneVerified, account: account, origin: origin, in: transaction)
            }
            return .success(())
        }
        try outcome.get()
    }

    /// - Returns: the account of the phone number, which is required for a sign-in and must not exist for a sign-up.
    @discardableResult
    private func check(_ flow: Flow, _ phone: PhoneNumber, in database: some Querying) async throws -> AccountID? {
        let account = try await companions.account(of: phone, in: database)?.id
        switch flow {
        case .signUp where account != nil: throw WithSuhyeonError.phoneTaken
        case .signIn where account == nil: throw WithSuhyeonError.phoneUnknown
        default: return account
        }
    }

    private func digest(_ phone: PhoneNumber, _ digits: String) -> [UInt8] {
        hash.digest("\(phone.text) \(digits)")
    }
}
