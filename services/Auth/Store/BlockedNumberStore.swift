import Contracts
import Postgres

/// SQL of blocked numbers.
struct BlockedNumberStore: Sendable {
    func list(of account: AccountID, limit: Int, in database: some Querying) async throws -> [String] {
        try await database.all(
            "SELECT phone FROM blocked_numbers WHERE account_id = \(account) ORDER BY id DESC LIMIT \(limit)"
        ) { try $0.decode(String.self) }
    }

    func count(of account: AccountID, in database: some Querying) async throws -> Int {
        try await database.one("SELECT count(*) FROM blocked_numbers WHERE account_id = \(account)") {
            try $0.decode(Int.self)
        }
    }

    /// - Returns: false when it was already blocked.
    func insert(_ phone: PhoneNumber, by account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.execute(
            """
            INSERT INTO blocked_numbers (account_id, phone) VALUES (\(account), \(phone.text)) ON CONFLICT DO NOTHING
            """
        ) == 1
    }

    /// - Returns: false when it was not blocked.
    func delete(_ phone: PhoneNumber, by account: AccountID, in database: some Querying) async throws -> Bool {
        try await database.execute(
            "DELETE FROM blocked_numbers WHERE account_id = \(account) AND phone = \(phone.text)"
        ) == 1
    }

    /// The accounts that have blocked the current phone number of an account, ordered by id.
    func blockers(of account: AccountID, in database: some Querying) async throws -> [AccountID] {
        try await database.all(
            """
            SELECT b.account_id FROM accounts a JOIN blocked_numbers b ON b.phone = a.phone
            WHERE a.id = \(account) AND a.app = 'withsuhyeon' ORDER BY b.account_id
            """
        ) { try $0.decode(AccountID.self) }
    }
}
