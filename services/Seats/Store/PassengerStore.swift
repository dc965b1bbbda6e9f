import Contracts
import Postgres

/// All SQL of passengers.
struct PassengerStore: Sendable {
    /// - Returns: nil for somebody of whom nothing has been heard yet.
    func credit(account: Int64, in database: some Querying) async throws -> Int64? {
        try await database.optional("SELECT credit FROM passengers WHERE account_id = \(account)") {
            try $0.decode(Int64.self)
        }
    }

    func save(
        account: Int64,
        nickname: String,
        image: String,
        tags: [String],
        in database: some Querying
    ) async throws {
        try await database.execute(
            """
            INSERT INTO passengers (account_id, nickname, image, tags)
            VALUES (\(account), \(nickname), \(image), \(tags))
            ON CONFLICT (account_id) DO UPDATE
            SET nickname = excluded.nickname, image = excluded.image, tags = excluded.tags
            WHERE passengers.withdrawn_at IS NULL
            """
        )
    }

    /// Makes a passenger of an account whose announcement is still on its way, under a name that it replaces.
    ///
    /// - Returns: false when the account has been withdrawn.
    func ensure(_ account: Int64, in database: some Querying) async throws -> Bool {
        let isGone = try await database.optional(
            "SELECT withdrawn_at IS NOT NULL FROM passengers WHERE account_id = \(account)"
        ) { try $0.decode(Bool.self) }
        if let isGone { return !isGone }
        try await save(account: account, nickname: "승객", image: "IMAGE_1", tags: [], in: database)
        return true
    }

    func exists(_ account: Int64, in database: some Querying) async throws -> Bool {
        try await database.one(
            "SELECT EXISTS (SELECT 1 FROM passengers WHERE account_id = \(account) AND withdrawn_at IS NULL)"
        ) { try $0.decode(Bool.self) }
    }

    /// Locks passengers in the order of their ids.
    func lock(_ accounts: [Int64], in transaction: PostgresTransaction) async throws {
        _ = try await transaction.all(
            """
            SELECT account_id FROM passengers WHERE account_id = ANY(\(Set(accounts).sorted()))
            ORDER BY account_id FOR NO KEY UPDATE
            """
        ) { try $0.decode(Int64.self) }
    }
}
