import Contracts
import FoundationEssentials
import Postgres

/// SQL of MOUP accounts.
struct MOUPMemberStore: Sendable {
    func insert(_ account: AccountID, username: String?, in database: some Querying) async throws {
        try await database.execute("INSERT INTO moup_members (account_id, username) VALUES (\(account), \(username))")
    }

    /// Stores the name of an account that has none.
    func addUsername(_ username: String, of account: AccountID, in database: some Querying) async throws {
        try await database.execute(
            "UPDATE moup_members SET username = \(username) WHERE account_id = \(account) AND username IS NULL"
        )
    }

    /// - Returns: nil for a withdrawn account, or an account of another app.
    func member(_ account: AccountID, in database: some Querying) async throws -> MOUPMember? {
        try await database.optional(
            """
            SELECT a.id, a.public_id, a.nickname, a.image, m.username, m.role, a.created_at
            FROM accounts a JOIN moup_members m ON m.account_id = a.id
            WHERE a.id = \(account) AND a.app = 'moup' AND a.withdrawn_at IS NULL
            """
        ) { row in
            let (id, publicID, nickname, image, username, role, createdAt) = try row.decode(
                as: (AccountID, PublicID, String, String?, String?, String?, Date).self
            )
            return MOUPMember(
                account: Account(id: id, publicID: publicID, app: .moup, nickname: nickname, image: image),
                username: username,
                role: role.flatMap(MOUPMember.Role.init),
                createdAt: createdAt
            )
        }
    }

    func isLeaving(_ account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.one("SELECT count(*) > 0 FROM accounts WHERE id = \(account) AND leaving_at IS NOT NULL") {
            try $0.decode(Bool.self)
        }
    }

    /// - Returns: false when the account is registered, leaving or withdrawn.
    func register(
        _ account: AccountID,
        nickname: String,
        role: MOUPMember.Role,
        in database: some Querying
    ) async throws -> Bool {
        let registered = try await database.execute(
            """
            UPDATE accounts SET nickname = \(nickname)
            WHERE id = \(account) AND app = 'moup' AND nickname = '' AND leaving_at IS NULL AND withdrawn_at IS NULL
            """
        )
        guard registered == 1 else { return false }
        // An admin role assigned by the operator is kept.
        try await database.execute(
            "UPDATE moup_members SET role = coalesce(role, \(role.rawValue)) WHERE account_id = \(account)"
        )
        return true
    }

    func setNickname(_ nickname: String, of account: AccountID, in database: some Querying) async throws {
        try await database.execute(
            "UPDATE accounts SET nickname = \(nickname) WHERE id = \(account) AND withdrawn_at IS NULL"
        )
    }
}
