import Contracts
import Postgres
import ServiceDatabase

/// SQL of the audit log.
struct AuditStore: Sendable {
    /// Entries are kept for a year, and are dropped by month.
    static let partitions = TimePartitions(of: "audit_log", by: "at", per: .month, keep: 365 * 86_400)

    func insert(
        _ action: AuditLog.Action,
        account: AccountID,
        session: String?,
        origin: Origin?
    ) -> Statement<Int> {
        .execute(
            """
            INSERT INTO audit_log (account_id, session_id, action, address, user_agent)
            VALUES (\(account), \(session), \(action.rawValue), \(origin?.address), \(origin?.userAgent))
            """
        )
    }

    /// Deletes the origins in the entries of an account.
    func forgetOrigins(of account: AccountID, in database: some Querying) async throws {
        try await database.execute(
            "UPDATE audit_log SET address = NULL, user_agent = NULL WHERE account_id = \(account)"
        )
    }
}
