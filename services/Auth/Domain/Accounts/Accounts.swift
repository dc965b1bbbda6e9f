import Contracts
import Events
import Postgres

/// Registration and sign-in of accounts.
struct Accounts: Sendable {
    let database: PostgresClient
    let store = AccountStore()
    let links: SocialLinkStore
    let spentTokens = SpentTokenStore()
    let sessions: Sessions
    let audit = AuditLog()
    let hasher: PasswordHasher
    let allowances: RateLimiter
    let outbox: Outbox

    /// The result of a sign-in.
    struct SignedIn: Sendable {
        var account: Account
        var session: String
        var tokens: TokenPair
        /// Whether this sign-in created the account.
        var isNew = false
    }

    /// Checks that an e-mail address is available in an app.
    ///
    /// - Throws: `AccountError.emailInvalid`, `.emailTaken`; `RateLimiter.TooMany`.
    func checkAvailability(of email: String, app: App, address: String?) async throws {
        let email = try EmailAddress(parsing: email)
        try await allowances.take(.emailCheckFromAddress, address)
        try await allowances.take(.emailCheckOfEmail, "\(app.rawValue) \(email.text)")
        guard try await store.account(email: email, app: app, in: database) == nil else {
            throw AccountError.emailTaken
        }
    }

    /// Creates an account with an address and a password, and signs it in.
    ///
    /// - Throws: `AccountError.emailTaken` when the address has an account, also for concurrent requests;
    ///   `RateLimiter.TooMany`.
    func join(_ new: NewAccount, password: Password, device: Device) async throws -> SignedIn {
        try await register(new, password, device) { account, transaction in
            try await open(account, isNew: true, device: device, in: transaction)
        }
    }

    /// Creates an account with an address and a password, for apps that sign in separately.
    ///
    /// - Throws: `AccountError.emailTaken`, `.nicknameTaken`, also for concurrent requests; `RateLimiter.TooMany`.
    func create(_ new: NewAccount, password: Password, device: Device) async throws -> Account {
        try await register(new, password, device) { account, _ in account }
    }

    private func register<Result: Sendable>(
        _ new: NewAccount,
        _ password: Password,
        _ device: Device,
        then finish: @Sendable (Account, PostgresTransaction) async throws -> Result
    ) async throws -> Result {
        try await allowances.take(.signInFromAddress, device.origin.address)
        let hash = try await hasher.hash(password)
        return try await database.transaction { transaction in
            let account = try await register(new, device: device, in: transaction)
            try await store.setPassword(hash, account: account.id, in: transaction)
            return try await finish(account, transaction)
        }
    }

    /// What limits of sign-ins to an account are counted by, whether or not there is the account.
    static func attempt(_ email: String, _ app: App) -> String { "\(app.rawValue) \(email.lowercased())" }

    /// Signs in with an address and a password.
    ///
    /// - Throws: `AccountError.credentialsWrong` for an unknown address or a wrong password; `RateLimiter.TooMany`
    ///   after too many failed attempts. Attempts elsewhere do not lock out a device that has signed in before.
    func signIn(email: String, password: String, app: App, device: Device) async throws -> SignedIn {
        let attempt = Self.attempt(email, app)
        let here = device.origin.address.map { "\(attempt) \($0)" }
        try await allowances.take(.signInFromAddress, device.origin.address)
        try await allowances.take(.signInOfAccountFromAddress, here)
        let email = try? EmailAddress(parsing: email)
        let found = try await email.asyncFlatMap { try await store.credentials(email: $0, app: app, in: database) }
        let isKnown = try await found.asyncFlatMap { found in
            try await sessions.store.isKnown(device, to: found.account.id, in: database)
        }
        let counted = isKnown == true ? nil : attempt
        try await allowances.take(.signInOfAccount, counted)
        guard try await hasher.verify(password, against: found?.hash), let account = found?.account else {
            throw AccountError.credentialsWrong
        }
        try await allowances.giveBack(.signInOfAccountFromAddress, here)
        try await allowances.giveBack(.signInOfAccount, counted)
        return try await database.transaction(key: "account \(account.id)") { transaction in
            try await open(account, device: device, in: transaction)
        }
    }

    /// Signs in a user by a verified identity, and creates the account at the first sign-in.
    ///
    /// Two concurrent first sign-ins create one account: the second finds the link of the first when its own insert
    /// conflicts. A sign-in that is concurrent with a withdrawal creates a new account. Accounts are never merged by
    /// e-mail address, since the same address does not prove the same owner.
    ///
    /// - Parameter onJoin: inserts further rows of a new account.
    /// - Throws: `AccountError.emailTaken` when the address of a new account already has an account,
    ///   `.socialTokenRefused` for a token that was already used; `RateLimiter.TooMany`.
    func signIn(
        as identity: SocialIdentity,
        app: App,
        new: NewAccount,
        device: Device,
        onJoin: (Account, PostgresTransaction) async throws -> Void = { _, _ in }
    ) async throws -> SignedIn {
        try await allowances.take(.signInFromAddress, device.origin.address)
        for _ in 0..<3 {
            do {
                return try await signInOrJoin(as: identity, app: app, new: new, device: device, onJoin: onJoin)
            } catch let error as PostgresError where error.violates("social_links_pkey") {
                continue
            } catch AccountError.accountGone {
                continue
            } catch AccountError.emailTaken {
                // The address may have been taken by a concurrent first sign-in of the same user.
                guard try await store.account(linkedTo: identity, app: app, in: database) != nil else {
                    throw AccountError.emailTaken
                }
            }
        }
        return try await signInOrJoin(as: identity, app: app, new: new, device: device, onJoin: onJoin)
    }

    private func signInOrJoin(
        as identity: SocialIdentity,
        app: App,
        new: NewAccount,
        device: Device,
        onJoin: (Account, PostgresTransaction) async throws -> Void
    ) async throws -> SignedIn {
        try await database.transaction { transaction in
            if let spent = identity.spent {
                try await spentTokens.spend(spent, app: app, origin: device.origin, in: transaction)
            }
            if let account = try await store.account(linkedTo: identity, app: app, in: transaction) {
                try await links.keepToken(of: identity, app: app, in: transaction)
                return try await open(account, device: device, in: transaction)
            }
            let account = try await register(new, device: device, in: transaction)
            try await links.link(account.id, to: identity, app: app, in: transaction)
            try await onJoin(account, transaction)
            return try await open(account, isNew: true, device: device, in: transaction)
        }
    }

    /// Creates an account and publishes `AccountRegistered`.
    func register(_ new: NewAccount, device: Device, in transaction: PostgresTransaction) async throws -> Account {
        let account = try await store.insert(new, in: transaction)
        try audit.record(.registered, account: account.id, origin: device.origin, in: transaction)
        let event = AuthEvents.AccountRegistered(
            account: account.id,
            app: account.app,
            nickname: account.nickname,
            image: account.image,
            publicID: account.publicID,
            introduction: account.introduction
        )
        try outbox.publish(event, in: transaction)
        return account
    }

    private func open(
        _ account: Account,
        isNew: Bool = false,
        device: Device,
        in transaction: PostgresTransaction
    ) async throws -> SignedIn {
        let issued = try await sessions.open(for: account, device: device, in: transaction)
        return SignedIn(account: account, session: issued.session, tokens: issued.pair, isNew: isNew)
    }
}

extension Optional {
    fileprivate func asyncFlatMap<Result>(_ transform: (Wrapped) async throws -> Result?) async rethrows -> Result? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
