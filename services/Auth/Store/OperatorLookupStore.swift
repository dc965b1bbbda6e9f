import Contracts
import FoundationEssentials
import Postgres

/// SQL by which operators find people.
struct OperatorLookupStore: Sendable {
    /// The accounts that a text may mean.
    ///
    /// - Parameter phones: The text as phone numbers may be stored.
    func people(_ text: String, phones: [String], limit: Int, in database: some Querying) async throws
        -> [OperatorsAPI.Person]
    {
        let number = Int64(text) ?? 0
        let apps = App.allCases.map(\.rawValue)
        return try await database.all(
            """
            SELECT id, app, public_id, nickname, email, phone, extract(epoch FROM created_at)::float8, leaving_at IS NOT NULL
            FROM accounts WHERE withdrawn_at IS NULL AND id IN (
                SELECT \(number)
                UNION ALL SELECT id FROM accounts WHERE public_id = \(text)
                UNION ALL SELECT id FROM accounts WHERE app = ANY(\(apps)) AND email = \(text.lowercased())
                UNION ALL SELECT id FROM accounts WHERE phone = ANY(\(phones))
                UNION ALL SELECT account_id FROM sessions WHERE id = \(text))
            ORDER BY id LIMIT \(limit)
            """
        ) { row in
            let (id, app, publicID, nickname, email, phone, createdAt, isLeaving) = try row.decode(
                as: (AccountID, App, PublicID, String, String?, String?, Double, Bool).self
            )
            return OperatorsAPI.Person(
                account: id,
                app: app,
                publicID: publicID,
                nickname: nickname,
                email: email.map(Self.masked),
                phone: phone.map { String($0.suffix(4)) },
                createdAt: createdAt,
                isLeaving: isLeaving,
                sessions: []
            )
        }
    }

    /// nil without such an account.
    func app(of account: AccountID, in database: some Querying) async throws -> App? {
        try await database.optional("SELECT app FROM accounts WHERE id = \(account)") { try $0.decode(App.self) }
    }

    /// What limits of an account's sign-ins are counted by; nil for an account without a password.
    func signInSubject(of account: AccountID, in database: some Querying) async throws -> String? {
        try await database.optional(
            "SELECT app, lower(email) FROM accounts WHERE id = \(account) AND email IS NOT NULL"
        ) { row in
            let (app, email) = try row.decode(App.self, String.self)
            return Accounts.attempt(email, app)
        }
    }

    /// As `m***@madang.kr`.
    private static func masked(_ email: String) -> String {
        "\(email.prefix(1))***\(email.drop { $0 != "@" })"
    }
}
