import FoundationEssentials
import Postgres

/// All SQL of reports.
struct ReportStore: Sendable {
    /// What is known of something that is about to be reported.
    struct Subject: Sendable {
        var id: Int64
        var author: Int64
        var isHidden: Bool
        /// Whether who looks has reported it before.
        var isReported: Bool
    }

    /// Something, for one report at a time; nil when it is not there.
    func lock(_ subject: ReportSubject, for account: Int64, in transaction: PostgresTransaction) async throws
        -> Subject?
    {
        try await transaction.optional(
            """
            SELECT t.id, \(subject.author), t.hidden_at IS NOT NULL, \(Self.isReported(subject.kind, by: account))
            FROM \(subject.table) t WHERE \(subject.row) FOR NO KEY UPDATE OF t
            """
        ) { row in
            let (id, author, isHidden, isReported) = try row.decode(as: (Int64, Int64, Bool, Bool).self)
            return Subject(id: id, author: author, isHidden: isHidden, isReported: isReported)
        }
    }

    /// Notes a report, once for each person.
    func insert(
        _ subject: ReportSubject,
        _ id: Int64,
        by account: Int64,
        because reason: String,
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            """
            INSERT INTO reports (kind, subject_id, account_id, reason, created_at)
            VALUES (\(subject.kind), \(id), \(account), \(reason), \(now)) ON CONFLICT DO NOTHING
            """
        )
    }

    /// Hides something that so many people have reported, unless it is hidden.
    func hide(
        _ subject: ReportSubject,
        _ id: Int64,
        reportedBy people: Int,
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        try await transaction.execute(
            """
            UPDATE \(subject.table) SET hidden_at = \(now)
            WHERE id = \(id) AND hidden_at IS NULL
                AND (SELECT count(*) FROM reports WHERE kind = \(subject.kind) AND subject_id = \(id)) >= \(people)
            """
        )
    }

    /// Deletes what was reported of something that goes. Whoever calls holds its row.
    func forget(_ kind: Int16, _ id: Int64, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM reports WHERE kind = \(kind) AND subject_id = \(id)")
    }

    /// Deletes whatever somebody has reported. What was hidden for it stays hidden.
    func deleteAll(of account: Int64, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM reports WHERE account_id = \(account)")
    }

    /// Whether somebody has reported the row `t` of a kind's table.
    static func isReported(_ kind: Int16, by account: Int64) -> SQL {
        """
        EXISTS (
            SELECT FROM reports r WHERE r.kind = \(kind) AND r.subject_id = t.id AND r.account_id = \(account)
        )
        """
    }

    /// Whether somebody may see the row `t` of a kind's table, which has an `author_id`: it is theirs, or neither hidden
    /// from all nor reported by them.
    static func isVisible(_ kind: Int16, to account: Int64) -> SQL {
        "(t.author_id = \(account) OR t.hidden_at IS NULL AND NOT \(isReported(kind, by: account)))"
    }
}
