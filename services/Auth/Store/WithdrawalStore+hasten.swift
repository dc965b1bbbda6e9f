import Contracts
import Postgres

extension WithdrawalStore {
    /// Ends the grace period of all pending withdrawals of an app.
    ///
    /// - Returns: their accounts.
    func makeDue(app: App, in database: some Querying) async throws -> [AccountID] {
        try await database.all(
            """
            UPDATE withdrawals SET due_at = now() WHERE (account_id) IN (
                SELECT account_id FROM withdrawals
                WHERE app = \(app.rawValue) AND started_at IS NULL AND due_at > now() ORDER BY account_id FOR UPDATE)
            RETURNING account_id
            """
        ) { try $0.decode(AccountID.self) }
    }
}
