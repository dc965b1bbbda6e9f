import Contracts
import Postgres

/// SQL of muted kinds.
struct PreferenceStore: Sendable {
    func muted(by account: AccountID, in database: some Querying) async throws -> [String] {
        try await database.all("SELECT kind FROM muted_kinds WHERE account_id = \(account)") {
            try $0.decode(String.self)
        }
    }

    func change(
        of account: AccountID,
        muted: [String],
        pushed: [String],
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.run([
            .execute("DELETE FROM muted_kinds WHERE account_id = \(account) AND kind = ANY(\(pushed))"),
            .execute(
                """
                INSERT INTO muted_kinds (account_id, kind) SELECT \(account), kind FROM unnest(\(muted)) AS k(kind)
                ORDER BY kind ON CONFLICT DO NOTHING
                """
            ),
        ])
    }

    func forget(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM muted_kinds WHERE account_id = \(account)")
    }
}
