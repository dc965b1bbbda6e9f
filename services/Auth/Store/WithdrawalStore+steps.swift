import Contracts
import FoundationEssentials
import Postgres
import ServiceDatabase

/// Pending steps of withdrawals.
extension WithdrawalStore {
    /// A provider or service that has not confirmed yet.
    struct Step: Sendable {
        var account: AccountID
        var app: App
        /// A provider or a service.
        var holder: String
        /// The user's id at the provider; empty for a service.
        var subject: String
        /// The provider's refresh token, encrypted.
        var token: [UInt8]?
        /// The number of attempts, including this one.
        var attempts: Int
    }

    /// Deletes the steps of finished withdrawals 90 days after their confirmation. The row of the withdrawal stays.
    func forgetSteps(in database: PostgresClient) async throws {
        try await database.prune("withdrawal_steps", where: Self.isForgettable)
    }

    /// The withdrawals are looked up one by one: they become more, and old steps are few.
    static let isForgettable: SQL = """
        done_at < now() - interval '90 days' AND (
            SELECT w.finished_at FROM withdrawals w WHERE w.account_id = withdrawal_steps.account_id) IS NOT NULL
        """

    /// Takes the next due step and schedules its retry, with exponential backoff. The retry is obsolete once the step
    /// is finished; until then neither a failure nor a crash of this process loses the step.
    func takeNext(in database: some Querying) async throws -> Step? {
        try await database.optional(
            """
            UPDATE withdrawal_steps s SET attempts = attempts + 1,
                next_at = now() + interval '15 seconds' * least(2 ^ attempts, 240)
            FROM withdrawals w
            WHERE w.account_id = s.account_id AND (s.account_id, s.holder) = (
                SELECT account_id, holder FROM withdrawal_steps
                WHERE done_at IS NULL AND next_at <= now() ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING s.account_id, w.app, s.holder, s.subject, s.token, s.attempts
            """
        ) { row in
            let (account, app, holder, subject, token, attempts) = try row.decode(
                as: (AccountID, App, String, String, [UInt8]?, Int).self
            )
            return Step(
                account: account,
                app: app,
                holder: holder,
                subject: subject,
                token: token,
                attempts: attempts
            )
        }
    }
}
