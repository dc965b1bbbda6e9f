import Contracts
import FoundationEssentials
import Postgres

/// SQL of withdrawals and their steps. The providers' tokens stay encrypted.
struct WithdrawalStore: Sendable {
    enum Marking: Sendable {
        case marked, leavingAlready, gone
    }

    /// Marks an account as leaving, and locks its row until the transaction ends. The lock does not block rows that
    /// refer to the account, since a session that ends is locked before its entry in the audit log is written.
    func markLeaving(_ account: AccountID, app: App, in transaction: PostgresTransaction) async throws -> Marking {
        let isLeaving = try await transaction.optional(
            """
            SELECT leaving_at IS NOT NULL FROM accounts
            WHERE id = \(account) AND app = \(app.rawValue) AND withdrawn_at IS NULL FOR NO KEY UPDATE
            """
        ) { try $0.decode(Bool.self) }
        guard let isLeaving else { return .gone }
        guard !isLeaving else { return .leavingAlready }
        try await transaction.execute("UPDATE accounts SET leaving_at = now() WHERE id = \(account)")
        return .marked
    }

    /// - Parameter grace: seconds until the withdrawal is final.
    func insert(
        _ account: AccountID,
        app: App,
        grace: Int,
        in database: some Querying
    ) async throws -> Withdrawal.Leaving {
        try await database.one(
            """
            INSERT INTO withdrawals (account_id, app, due_at)
            VALUES (\(account), \(app.rawValue), now() + make_interval(secs => \(Double(grace))))
            RETURNING requested_at, due_at
            """
        ) { row in
            let (requestedAt, dueAt) = try row.decode(Date.self, Date.self)
            return Withdrawal.Leaving(requestedAt: requestedAt, dueAt: dueAt)
        }
    }

    /// Cancels a withdrawal that is not final.
    ///
    /// - Returns: whether there was one.
    func cancel(_ account: AccountID, in database: some Querying) async throws -> Bool {
        let cancelled = try await database.execute(
            "DELETE FROM withdrawals WHERE account_id = \(account) AND started_at IS NULL"
        )
        return cancelled == 1
    }

    /// Locks an account that is not withdrawn, and takes its mark of leaving back.
    ///
    /// - Returns: Whether there is such an account.
    func unmarkLeaving(_ account: AccountID, app: App, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.execute(
            """
            UPDATE accounts SET leaving_at = NULL
            WHERE id = \(account) AND app = \(app.rawValue) AND withdrawn_at IS NULL
            """
        ) == 1
    }

    /// The account whose grace period ended first.
    func nextDue(in database: some Querying) async throws -> (account: AccountID, app: App)? {
        try await database.optional(
            """
            SELECT account_id, app FROM withdrawals WHERE started_at IS NULL AND due_at <= now()
            ORDER BY due_at LIMIT 1
            """
        ) { try $0.decode(AccountID.self, App.self) }
    }

    /// Locks an account as a sign-in does, and checks that it is still due.
    func lockDue(_ account: AccountID, in transaction: PostgresTransaction) async throws -> Bool {
        try await transaction.execute("SELECT 1 FROM accounts WHERE id = \(account) FOR NO KEY UPDATE")
        return try await transaction.one(
            """
            SELECT EXISTS (SELECT 1 FROM withdrawals
                           WHERE account_id = \(account) AND started_at IS NULL AND due_at <= now())
            """
        ) { try $0.decode(Bool.self) }
    }

    func postpone(_ account: AccountID, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE withdrawals SET due_at = now() + interval '1 minute'
            WHERE account_id = \(account) AND started_at IS NULL
            """
        )
    }

    /// - Returns: false when the withdrawal had already begun, or was cancelled.
    func begin(_ account: AccountID, in database: some Querying) async throws -> Bool {
        let begun = try await database.execute(
            "UPDATE withdrawals SET started_at = now() WHERE account_id = \(account) AND started_at IS NULL"
        )
        guard begun == 1 else { return false }
        try await database.execute(
            """
            UPDATE sessions SET end_reason = 'withdrawn', ended_number = NULL
            WHERE account_id = \(account) AND end_reason = 'leaving'
            """
        )
        return true
    }

    /// Inserts the steps of a withdrawal: the linked providers, and the given services.
    func insertSteps(_ account: AccountID, services: [ServiceName], in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO withdrawal_steps (account_id, holder, subject, token)
            SELECT account_id, provider, subject, refresh_token FROM social_links WHERE account_id = \(account)
            """
        )
        try await database.execute(
            """
            INSERT INTO withdrawal_steps (account_id, holder, next_at)
            SELECT \(account), holder, now() + interval '10 minutes' FROM unnest(\(services.map(\.rawValue))) AS holder
            """
        )
    }

    /// Finishes a step. Concurrent calls for one account are serialized, so that the last one detects the completion.
    func finish(_ holder: String, of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("SELECT FROM withdrawals WHERE account_id = \(account) FOR NO KEY UPDATE")
        try await transaction.execute(
            """
            UPDATE withdrawal_steps SET done_at = now(), token = NULL, subject = ''
            WHERE account_id = \(account) AND holder = \(holder) AND done_at IS NULL
            """
        )
        try await finishIfDone(account, in: transaction)
    }

    /// Marks a withdrawal as finished if no step is left.
    func finishIfDone(_ account: AccountID, in database: some Querying) async throws {
        try await database.execute(
            """
            UPDATE withdrawals SET finished_at = now()
            WHERE account_id = \(account) AND started_at IS NOT NULL AND finished_at IS NULL
              AND NOT EXISTS (SELECT 1 FROM withdrawal_steps WHERE account_id = \(account) AND done_at IS NULL)
            """
        )
    }
}
