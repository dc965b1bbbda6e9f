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
            """
        )
    }
}
