import Contracts
import Outbox
import Postgres

/// With Suhyeon's people: how they sign up and in, by a phone that they have proved, or by a provider.
struct Companions: Sendable {
    let database: PostgresClient
    let store = CompanionStore()
    let phones = PhoneStore()
    let pending: PendingSignUpStore
    let accounts: Accounts
    let sessions: Sessions
    let audit = AuditLog()
    let outbox: Outbox

    /// What a provider's word leads to.
    enum SocialSignIn: Sendable {
        case known(account: Int64, IssuedTokens)
        /// Nobody yet: the id of a sign-up that is to be finished within an hour. Not to be guessed.
        case unfinished(Int64)
    }

    /// Signs in whom a provider vouches for, or begins their sign-up.
    ///
    /// - Throws: `Allowances.TooMany`.
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
            let id = Int64.random(in: 1 ... .max)
            try await pending.insert(id, identity, in: transaction)
            return .unfinished(id)
        }
    }

    /// Signs in the owner of a phone, who has proved it, or has just signed up with it.
    ///
    /// - Throws: `CompanionError.phoneUnknown`, `.phoneUnproved`; `Allowances.TooMany`.
    func signIn(phone: PhoneNumber, device: Device) async throws -> IssuedTokens {
        try await accounts.allowances.take(.signInFromAddress, device.origin.address)
        return try await database.transaction { transaction in
            guard let account = try await store.account(of: phone, in: transaction) else {
                throw CompanionError.phoneUnknown
            }
            let address = device.origin.address
            guard try await phones.spendProofToSignIn(phone, address: address, in: transaction) else {
                throw CompanionError.phoneUnproved
            }
            return try await sessions.open(for: account, device: device, in: transaction)
        }
    }

    /// Makes an account for a phone that was proved. The sign-in that follows at once needs no other proof.
    ///
    /// - Parameter signUp: the id of a sign-up that began with a provider; nil for a phone alone. Finishing it again with
    ///   the same phone changes nothing.
    /// - Throws: `CompanionError.unknown` for a sign-up that does not exist (any more), `.phoneTaken`, also of two at once,
    ///   and for a person of the provider's who has an account already, `.phoneUnproved`; `Allowances.TooMany`.
    func signUp(_ form: SignUpForm, finishing signUp: Int64?, device: Device) async throws {
        try await accounts.allowances.take(.signInFromAddress, device.origin.address)
        do {
            try await database.transaction { transaction in
                try await self.signUp(form, finishing: signUp, device: device, in: transaction)
            }
        } catch let error as PostgresError
            where error.violates("accounts_withsuhyeon_phone_key") || error.violates("social_links_pkey")
        {
            throw CompanionError.phoneTaken
        }
    }

    private func signUp(
        _ form: SignUpForm,
        finishing signUp: Int64?,
        device: Device,
        in transaction: PostgresTransaction
    ) async throws {
        var begun: PendingSignUpStore.Pending?
        if let signUp {
            guard let found = try await pending.pending(signUp, lockedIn: transaction) else {
                throw CompanionError.unknown
            }
            if let account = found.account {
                let phone = try await store.companion(account, in: transaction)?.account.phone
                guard phone == form.phone.text else { throw CompanionError.unknown }
                return
            }
            begun = found
        }
        guard try await phones.spendProof(of: form.phone, in: transaction) else {
            let isTaken = try await store.account(of: form.phone, in: transaction) != nil
            throw isTaken ? CompanionError.phoneTaken : .phoneUnproved
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
        try await phones.prove(form.phone, address: device.origin.address, afterSignUp: true, in: transaction)
        try await audit.record(.phoneVerified, account: account.id, origin: device.origin, in: transaction)
        try await announce(account.id, in: transaction)
    }

    /// Tells the others what they see of somebody.
    func announce(_ account: Int64, in transaction: PostgresTransaction) async throws {
        guard let companion = try await store.companion(account, in: transaction) else {
            throw CompanionError.unknown
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
        try await outbox.publish(event, in: transaction)
    }
}
