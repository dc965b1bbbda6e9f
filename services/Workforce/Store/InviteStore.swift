import Contracts
import FoundationEssentials
import Postgres

/// SQL of invite codes and invalid attempts.
struct InviteStore: Sendable {
    /// The code of a workplace, if it has not expired.
    func code(of workplace: WorkplaceID, at now: Date, in database: some Querying) async throws -> InviteCode? {
        try await database.optional(
            "SELECT code FROM invite_codes WHERE workplace_id = \(workplace) AND expires_at > \(now)"
        ) { try $0.decode(String.self) }.flatMap(InviteCode.init)
    }

    /// Replaces the code of a workplace.
    ///
    /// - Parameter workplace: locked by the caller.
    /// - Returns: false when another workplace has that code.
    func replace(
        by code: InviteCode,
        of workplace: WorkplaceID,
        until expiry: Date,
        in transaction: PostgresTransaction
    ) async throws -> Bool {
        try await transaction.execute("DELETE FROM invite_codes WHERE workplace_id = \(workplace)")
        return try await transaction.execute(
            """
            INSERT INTO invite_codes (code, workplace_id, expires_at) VALUES (\(code.text), \(workplace), \(expiry))
            ON CONFLICT (code) DO NOTHING
            """
        ) == 1
    }

    /// The shared workplace of a code, if the code has not expired. The workplace cannot change before the transaction
    /// ends.
    func workplace(with code: InviteCode, at now: Date, in transaction: PostgresTransaction) async throws -> Workplace?
    {
        try await transaction.optional(
            """
            SELECT \(WorkplaceStore.columns) FROM invite_codes i JOIN workplaces w ON w.id = i.workplace_id
            WHERE i.code = \(code.text) AND i.expires_at > \(now) AND w.is_shared AND w.deleted_at IS NULL
                AND w.abandoned_at IS NULL
            FOR SHARE OF w
            """
        ) { Workplace(try $0.decode(as: Workplace.Columns.self)) }
    }

    /// The time of a user's invalid attempt, counted back from the latest; nil when there were fewer since `start`.
    func failure(
        of account: AccountID,
        since start: Date,
        countedBack count: Int,
        in transaction: PostgresTransaction
    ) async throws -> Date? {
        try await transaction.optional(
            """
            SELECT at FROM failed_lookups WHERE account_id = \(account) AND at > \(start)
            ORDER BY at DESC LIMIT 1 OFFSET \(count - 1)
            """
        ) { try $0.decode(Date.self) }
    }

    /// Records an invalid attempt, and deletes those before `start`.
    func note(
        failureOf account: AccountID,
        at now: Date,
        forgettingUntil start: Date,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute("DELETE FROM failed_lookups WHERE account_id = \(account) AND at <= \(start)")
        try await transaction.execute("INSERT INTO failed_lookups (account_id, at) VALUES (\(account), \(now))")
    }
}
