import Contracts
import Events
import Postgres

/// Sign-up and sign-in of With Suhyeon accounts, by a verified phone number or a provider.
struct WithSuhyeonAccounts: Sendable {
    let database: PostgresClient
    let store = WithSuhyeonAccountStore()
    let phones = PhoneStore()
    let pending: PendingSignUpStore
    let accounts: Accounts
    let sessions: Sessions
    let audit = AuditLog()
    let outbox: Outbox

    /// The result of a sign-in with a provider.
    enum SocialSignIn: Sendable {
        case known(account: AccountID, IssuedTokens)
        /// The identity has no account: the unguessable id of a pending sign-up, valid for an hour.
        case unfinished(PendingSignUpID)
    }

    /// Signs in a user by a verified identity, or creates a pending sign-up.
    ///
    /// - Throws: `RateLimiter.TooMany`.
    func signIn(as identity: SocialIdentity, device: Device) async throws -> SocialSignIn {
        try await accounts.allowances.take(.signInFromAddress, device.origin.address)
        return try await database.transaction { transaction in
            if let account = try await accounts.store.account(
                linkedTo: identity,
                app: .withsuhyeon,
                in: transaction
            ) {
                try await accounts.links.keepToken(of: identity, app: .withsuhyeon, in: transaction)
                let issued = try await sessions.open(for: account, device: device, in: transaction)
                return .known(account: account.id, issued)
            }
            let id = PendingSignUpID.random()
            try await pending.insert(id, identity, in: transaction)
            return .unfinished(id)
        }
    }

    /// Signs in the owner of a phone number, after its verification or a sign-up with it.
    ///
    /// - Throws: `WithSuhyeonError.phoneUnknown`, `.phoneUnproved`; `RateLimiter.TooMany`.
    func signIn(phone: PhoneNumber, device: Device) async throws -> IssuedTokens {
        try await accounts.allowances.take(.signInFromAddress, device.origin.address)
        return try await database.transaction(key: "phone \(phone.text)") { transaction in
            guard let account = try await store.account(of: phone, in: transaction) else {
                throw WithSuhyeonError.phoneUnknown
            }
            guard try await spendProof(of: phone, for: [.signedUp, .signIn], device.origin, in: transaction) else {
                throw WithSuhyeonError.phoneUnproved
            }
            return try await sessions.open(for: account, device: device, in: transaction)
        }
    }

    /// Creates an account for a verified phone number. The sign-in that follows needs no further proof.
    ///
    /// - Parameter signUp: the id of a pending sign-up; nil for a sign-up by phone number alone. Completing it again
    ///   with the same phone number changes nothing.
    /// - Throws: `WithSuhyeonError.unknown` for an unknown or expired sign-up; `.phoneTaken`, also for concurrent
    ///   requests, and for an identity that already has an account; `.phoneUnproved`; `RateLimiter.TooMany`.
    func signUp(_ form: SignUpForm, finishing signUp: PendingSignUpID?, device: Device) async throws {
        try await accounts.allowances.take(.signInFromAddress, device.origin.address)
        do {
            try await database.transaction { transaction in
                try await self.signUp(form, finishing: signUp, device: device, in: transaction)
            }
        } catch let error as PostgresError
            where error.violates("accounts_withsuhyeon_phone_key") || error.violates("social_links_pkey")
        {
            throw WithSuhyeonError.phoneTaken
        }
    }

    private func signUp(
        _ form: SignUpForm,
        finishing signUp: PendingSignUpID?,
        device: Device,
        in transaction: PostgresTransaction
    ) async throws {
        var begun: PendingSignUpStore.Pending?
        if let signUp {
            guard let found = try await pending.pending(signUp, lockedIn: transaction) else {
                throw WithSuhyeonError.unknown
            }
            if let account = found.account {
                let phone = try await store.companion(account, in: transaction)?.account.phone
                guard phone == form.phone.text else { throw WithSuhyeonError.unknown }
                return
            }
            begun = found
        }
        guard try await spendProof(of: form.phone, for: [.signUp], device.origin, in: transaction) else {
            let isTaken = try await store.account(of: form.phone, in: transaction) != nil
            throw isTaken ? WithSuhyeonError.phoneTaken : .phoneUnproved
        }
        let new = NewAccount(
            app: .withsuhyeon,
            nickname: form.nickname,
            image: form.image,
            phone: form.phone.text
        )
        let account = try await accounts.register(new, device: device, in: transaction)
        try await store.insert(account.id, form, in: transaction)
        if let signUp, let begun {
            try await accounts.links.link(account.id, to: begun.identity, app: .withsuhyeon, in: transaction)
            try await pending.finish(signUp, account: account.id, in: transaction)
        }
        let proof = PhoneProof(flow: .signedUp, origin: device.origin)
        try await phones.prove(form.phone, proof, in: transaction)
        try audit.record(.phoneVerified, account: account.id, origin: device.origin, in: transaction)
        try await announce(account.id, in: transaction)
    }

    /// Consumes the proof that the client verified a phone number.
    ///
    /// - Returns: whether there was one for one of the flows.
    func spendProof(
        of phone: PhoneNumber,
        for flows: [PhoneProof.Flow],
        _ origin: Origin,
        account: AccountID? = nil,
        in transaction: PostgresTransaction
    ) async throws -> Bool {
        for flow in flows {
            let wanted = PhoneProof(flow: flow, origin: origin, account: account)
            if try await phones.spendProof(of: phone, for: wanted, in: transaction) { return true }
        }
        return false
    }

    /// Publishes `ProfileChanged` with the current profile.
    func announce(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        guard let companion = try await store.companion(account, in: transaction) else {
            throw WithSuhyeonError.unknown
        }
        let event = AuthEvents.ProfileChanged(
            account: account,
            app: .withsuhyeon,
            nickname: companion.account.nickname,
            image: companion.account.image,
            tags: nil,
            publicID: companion.account.publicID,
            region: companion.region.key
        )
        try outbox.publish(event, in: transaction)
    }
}
