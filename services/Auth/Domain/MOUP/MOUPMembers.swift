import Contracts
import Events
import FoundationEssentials
import Postgres

/// MOUP accounts: sign-in with a provider, then one registration with a nickname and a role.
struct MOUPMembers: Sendable {
    let database: PostgresClient
    let store = MOUPMemberStore()
    let accounts: Accounts
    let audit = AuditLog()
    let outbox: Outbox

    /// The result of a sign-in.
    struct SignedIn: Sendable {
        var session: String
        var tokens: TokenPair
        var stage: Stage
    }

    /// The registration state of an account.
    enum Stage: Sendable, Equatable {
        case new
        case unregistered
        case registered(MOUPMember.Role)
    }

    /// Signs in a user by a verified identity, and creates an unregistered account at the first sign-in.
    ///
    /// - Parameter username: the user's name, stored unless one is known; a blank one is ignored.
    func signIn(as identity: SocialIdentity, username: String?, device: Device) async throws -> SignedIn {
        let username = [identity.name, username].compactMap { $0.flatMap(Self.cleaned) }.first
        let new = NewAccount(app: .moup, nickname: "")
        let signedIn = try await accounts.signIn(as: identity, app: .moup, new: new, device: device) {
            try await store.insert($0.id, username: username, in: $1)
        }
        if let username, !signedIn.isNew {
            try await store.addUsername(username, of: signedIn.account.id, in: database)
        }
        let stage: Stage =
            if signedIn.isNew {
                .new
            } else if let member = try await store.member(signedIn.account.id, in: database), member.isRegistered {
                .registered(member.role ?? .worker)
            } else {
                .unregistered
            }
        return SignedIn(session: signedIn.session, tokens: signedIn.tokens, stage: stage)
    }

    /// Registers a nickname and a role; the role is final.
    ///
    /// - Returns: the role.
    /// - Throws: `MOUPMemberError`, with `.registeredAlready` for all but one of several concurrent requests;
    ///   `AccountError.accountLeaving`.
    func register(_ account: AccountID, nickname: String, role: String?, origin: Origin) async throws -> MOUPMember.Role
    {
        let nickname = try Nickname.moup(nickname)
        guard let role = role.flatMap(MOUPMember.Role.init), role != .admin else { throw MOUPMemberError.roleInvalid }
        return try await database.transaction(key: "account \(account)") { transaction in
            guard try await store.register(account, nickname: nickname, role: role, in: transaction) else {
                _ = try await self.member(account, in: transaction)
                throw MOUPMemberError.registeredAlready
            }
            let member = try await changed(account, origin, in: transaction)
            return member.role ?? role
        }
    }

    /// - Throws: `MOUPMemberError.unknown`, `AccountError.accountLeaving`.
    func member(_ account: AccountID) async throws -> MOUPMember {
        try await member(account, in: database)
    }

    /// - Throws: `MOUPMemberError.unknown`, `.nicknameInvalid`; `AccountError.accountLeaving`.
    func rename(_ account: AccountID, to nickname: String, origin: Origin) async throws -> MOUPMember {
        let nickname = try Nickname.moup(nickname)
        return try await database.transaction(key: "account \(account)") { transaction in
            // An account without registration has no nickname to change.
            guard try await member(account, in: transaction).isRegistered else { throw MOUPMemberError.unknown }
            try await store.setNickname(nickname, of: account, in: transaction)
            return try await changed(account, origin, in: transaction)
        }
    }

    /// Whether an account has the role `admin`.
    func isAdmin(_ account: AccountID) async throws -> Bool {
        try await store.member(account, in: database)?.role == .admin
    }

    private func member(_ account: AccountID, in database: some Querying) async throws -> MOUPMember {
        guard let member = try await store.member(account, in: database) else { throw MOUPMemberError.unknown }
        guard try await !store.isLeaving(account, in: database) else { throw AccountError.accountLeaving }
        return member
    }

    /// Records a change in the audit log and publishes `ProfileChanged`.
    private func changed(
        _ account: AccountID,
        _ origin: Origin,
        in transaction: PostgresTransaction
    ) async throws -> MOUPMember {
        let member = try await member(account, in: transaction)
        try audit.record(.profileChanged, account: account, origin: origin, in: transaction)
        let event = AuthEvents.ProfileChanged(
            account: account,
            app: .moup,
            nickname: member.account.nickname,
            image: member.account.image,
            tags: nil,
            role: member.role?.rawValue
        )
        try outbox.publish(event, in: transaction)
        return member
    }

    private static func cleaned(_ name: String) -> String? {
        let readable = name.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let text = String(String.UnicodeScalarView(readable))
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        return String(text.unicodeScalars.prefix(MOUPMember.usernameLimit))
    }
}
