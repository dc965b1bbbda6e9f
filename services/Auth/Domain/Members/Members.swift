import Contracts
import FoundationEssentials
import Outbox
import Postgres

/// MOUP's people: a provider vouches for them, then they register once with a nickname and a role.
struct Members: Sendable {
    let database: PostgresClient
    let store = MemberStore()
    let accounts: Accounts
    let audit = AuditLog()
    let outbox: Outbox

    /// What a sign-in leads to.
    struct SignedIn: Sendable {
        var session: String
        var tokens: TokenPair
        var stage: Stage
    }

    /// How far somebody has come.
    enum Stage: Sendable, Equatable {
        case new
        case unregistered
        case registered(Member.Role)
    }

    /// Signs in whom a provider vouches for; the first time, an account is made, which is to be registered.
    ///
    /// - Parameter username: what the person is called, kept with a new account; blank is nothing.
    func signIn(as identity: SocialIdentity, username: String?, device: Device) async throws -> SignedIn {
        let username = [identity.name, username].compactMap { $0.flatMap(Self.cleaned) }.first
        let new = NewAccount(app: .moup, nickname: "")
        let signedIn = try await accounts.signIn(as: identity, app: .moup, new: new, device: device) {
            try await store.insert($0.id, username: username, in: $1)
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

    /// Registers: a nickname, and a role for good.
    ///
    /// - Returns: the role.
    /// - Throws: `MemberError`, of which `.registeredAlready` for all but one of those that ask at once;
    ///   `AccountError.accountLeaving`.
    func register(_ account: Int64, nickname: String, role: String?, origin: Origin) async throws -> Member.Role {
        let nickname = try Nickname.moup(nickname)
        guard let role = role.flatMap(Member.Role.init), role != .admin else { throw MemberError.roleInvalid }
        return try await database.transaction { transaction in
            guard try await store.register(account, nickname: nickname, role: role, in: transaction) else {
                _ = try await self.member(account, in: transaction)
                throw MemberError.registeredAlready
            }
            let member = try await changed(account, origin, in: transaction)
            return member.role ?? role
        }
    }

    /// - Throws: `MemberError.unknown`, `AccountError.accountLeaving`.
    func member(_ account: Int64) async throws -> Member {
        try await member(account, in: database)
    }

    /// - Throws: `MemberError.unknown`, `.nicknameInvalid`; `AccountError.accountLeaving`.
    func rename(_ account: Int64, to nickname: String, origin: Origin) async throws -> Member {
        let nickname = try Nickname.moup(nickname)
        return try await database.transaction { transaction in
            // Who has not registered has no nickname to change; registering gives one.
            guard try await member(account, in: transaction).isRegistered else { throw MemberError.unknown }
            try await store.setNickname(nickname, of: account, in: transaction)
            return try await changed(account, origin, in: transaction)
        }
    }

    /// Whether an account is an admin's.
    func isAdmin(_ account: Int64) async throws -> Bool {
        try await store.member(account, in: database)?.role == .admin
    }

    private func member(_ account: Int64, in database: some Querying) async throws -> Member {
        guard let member = try await store.member(account, in: database) else { throw MemberError.unknown }
        guard try await !store.isLeaving(account, in: database) else { throw AccountError.accountLeaving }
        return member
    }

    /// Records a change, and tells the others.
    private func changed(
        _ account: Int64,
        _ origin: Origin,
        in transaction: PostgresTransaction
    ) async throws -> Member {
        let member = try await member(account, in: transaction)
        try await audit.record(.profileChanged, account: account, origin: origin, in: transaction)
        let event = AuthEvents.ProfileChanged(
            account: account,
            app: .moup,
            nickname: member.account.nickname,
            image: member.account.image,
            tags: nil,
            role: member.role?.rawValue
        )
        try await outbox.publish(event, in: transaction)
        return member
    }

    private static func cleaned(_ name: String) -> String? {
        let readable = name.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let text = String(String.UnicodeScalarView(readable))
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        return String(text.prefix(Member.usernameLimit))
    }
}
