import Contracts
import FoundationEssentials
import Postgres

/// SQL of reports.
struct ReportStore: Sendable {
    /// Locks a subject until the transaction ends; nil when it does not exist.
    func lock(
        _ subject: ReportSubject,
        in transaction: PostgresTransaction
    ) async throws -> (id: ReportedContentID, author: AccountID, isHidden: Bool)? {
        try await transaction.optional(
            """
            SELECT t.id, t.author_id, t.hidden_at IS NOT NULL
            FROM \(subject.kind.table) t WHERE \(subject.row) FOR NO KEY UPDATE OF t
            """
        ) { try $0.decode(as: (ReportedContentID, AccountID, Bool).self) }
    }

    /// Inserts a report, once per account. It counts if an operator has not excluded its reporter, and the account was
    /// known at an instant.
    ///
    /// - Returns: Whether it is the account's first.
    func insert(
        _ subject: ReportSubject,
        _ id: ReportedContentID,
        by account: AccountID,
        because reason: String,
        at now: Date,
        countingIfKnownSince instant: Date,
        in transaction: PostgresTransaction
    ) async throws -> Bool {
        try await transaction.execute(
            """
            INSERT INTO reports (kind, subject_id, account_id, reason, created_at, counts)
            SELECT \(subject.kind), \(id), account_id, \(reason), \(now),
                NOT reports_ignored AND coalesce(known_since <= \(instant), true)
            FROM people WHERE account_id = \(account) ON CONFLICT DO NOTHING
            """
        ) > 0
    }

    /// Hides a subject with at least `people` reports that count, unless it is hidden.
    func hide(
        _ subject: ReportSubject,
        _ id: ReportedContentID,
        reportedBy people: Int,
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            """
            UPDATE \(subject.kind.table) SET hidden_at = \(now)
            WHERE id = \(id) AND hidden_at IS NULL
                AND \(people) <= (
                    SELECT count(*) FROM reports WHERE kind = \(subject.kind) AND subject_id = \(id) AND counts
                )
            """
        )
    }

    /// Deletes the reports of a subject that is being deleted. Its row must be locked.
    func forget<ID: ReportableID>(_ id: ID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM reports WHERE kind = \(ID.kind) AND subject_id = \(id)")
    }

    /// Deletes the reports of an account. Content hidden by them stays hidden.
    func deleteAll(of account: AccountID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM reports WHERE account_id = \(account)")
    }

    /// Whether an account has reported the row `t` of a subject's table.
    static func isReported(_ kind: ReportSubject.Kind, by account: AccountID) -> SQL {
        """
        EXISTS (
            SELECT FROM reports r WHERE r.kind = \(kind) AND r.subject_id = t.id AND r.account_id = \(account)
        )
        """
    }

    /// Whether the row `t` of a subject's table with an `author_id` is visible to an account: it is the account's own,
    /// or neither hidden nor reported by the account.
    static func isVisible(_ kind: ReportSubject.Kind, to account: AccountID) -> SQL {
        "(t.author_id = \(account) OR t.hidden_at IS NULL AND NOT \(isReported(kind, by: account)))"
    }
}
