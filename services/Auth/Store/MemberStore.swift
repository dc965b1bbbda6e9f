import Contracts
import FoundationEssentials
import Postgres

/// All SQL of MOUP's side of accounts.
struct MemberStore: Sendable {
    func insert(_ account: Int64, username: String?, in database: some Querying) async throws {
        try await database.execute("INSERT INTO moup_members (account_id, username) VALUES (\(account), \(username))")
    }

    /// - Returns: nil for an account that is not MOUP's, or whose owner has left.
    func member(_ account: Int64, in database: some Querying) async throws -> Member? {
        try await database.optional(
            """
            SELECT a.id, a.public_id, a.nickname, a.image, m.username, m.role, a.created_at
            FROM accounts a JOIN moup_members m ON m.account_id = a.id
            WHERE a.id = \(account) AND a.app = 'moup' AND a.withdrawn_at IS NULL
            """
        ) { row in
            let (id, publicID, nickname, image, username, role, createdAt) = try row.decode(
                as: (Int64, String, String, String?, String?, String?, Date).self
            )
            return Member(
                account: Account(id: id, publicID: publicID, app: .moup, nickname: nickname, image: image),
                username: username,
                role: role.flatMap(Member.Role.init),
                createdAt: createdAt
            )
        }
    }

    func isLeaving(_ account: Int64, in database: some Querying) async throws -> Bool {
        try await database.one("SELECT count(*) > 0 FROM accounts WHERE id = \(account) AND leaving_at IS NOT NULL") {
            try $0.decode(Bool.self)
        }
    }

    /// - Returns: false when the account is registered, or leaving, or gone.
    func register(
        _ account: Int64,
        nickname: String,
        role: Member.Role,
        in database: some Querying
    ) async throws -> Bool {
        let registered = try await database.execute(
            """
            UPDATE accounts SET nickname = \(nickname)
            WHERE id = \(account) AND app = 'moup' AND nickname = '' AND leaving_at IS NULL AND withdrawn_at IS NULL
            """
        )
        guard registered == 1 else { return false }
        // Whom the operator has made an admin stays one.
        try await database.execute(
            "UPDATE moup_members SET role = coalesce(role, \(role.rawValue)) WHERE account_id = \(account)"
        )
        return true
    }

    func setNickname(_ nickname: String, of account: Int64, in database: some Querying) async throws {
        try await database.execute(
            "UPDATE accounts SET nickname = \(nickname) WHERE id = \(account) AND withdrawn_at IS NULL"
        )
    }
}
