import Contracts
import FoundationEssentials
import Postgres

/// The steps that are still to be taken.
extension WithdrawalStore {
    /// Somebody who has not let go yet.
    struct Step: Sendable {
        var account: Int64
        var app: App
        /// A provider or a service.
        var holder: String
        /// Who the person is at the provider.
        var subject: String
        /// The provider's refresh token, sealed.
        var token: [UInt8]?
        /// How often it was tried, this time included.
        var attempts: Int
    }

    /// Takes the next step that is due. It comes up again later, each time after a longer while, unless it is noted as done
    /// until then: so neither a failure nor the death of this process loses it.
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
                as: (Int64, App, String, String, [UInt8]?, Int).self
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
