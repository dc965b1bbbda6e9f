import Contracts
import FoundationEssentials
import Postgres

/// SQL of reviews of reported content.
struct ReportReviewStore: Sendable {
    /// Hidden content with reports that no operator has decided on, longest hidden first.
    ///
    /// - Parameter reasons: Number of reports per item.
    func waiting(limit: Int, reasons: Int, in database: some Querying) async throws -> [ReportReviews.Item] {
        var items: [ReportReviews.Item] = []
        for kind in ReportSubject.Kind.allCases {
            items += try await waiting(kind, limit: limit, reasons: reasons, in: database)
        }
        return Array(items.sorted { $0.hiddenAt < $1.hiddenAt }.prefix(limit))
    }

    private func waiting(
        _ kind: ReportSubject.Kind,
        limit: Int,
        reasons: Int,
        in database: some Querying
    ) async throws -> [ReportReviews.Item] {
        try await database.all(
            """
            SELECT t.id::bigint, t.author_id, concat_ws(E'\\n', t.title, t.content), t.hidden_at,
                array_agg(r.account_id ORDER BY r.created_at DESC), array_agg(r.reason ORDER BY r.created_at DESC),
                array_agg(r.counts ORDER BY r.created_at DESC)
            FROM (
                SELECT id, author_id, title, content, hidden_at FROM \(kind.table) t
                WHERE hidden_at IS NOT NULL AND EXISTS (
                    SELECT 1 FROM reports r
                    WHERE r.kind = \(kind) AND r.subject_id = t.id AND r.reviewed_at IS NULL
                )
                ORDER BY hidden_at LIMIT \(limit)
            ) t CROSS JOIN LATERAL (
                SELECT account_id, reason, counts, created_at FROM reports
                WHERE kind = \(kind) AND subject_id = t.id AND reviewed_at IS NULL
                ORDER BY created_at DESC LIMIT \(reasons)
            ) r
            GROUP BY t.id, t.author_id, t.title, t.content, t.hidden_at
            """
        ) { row in
            try row.decode { columns in
                var item = ReportReviews.Item(
                    kind: kind,
                    id: try columns.next(),
                    author: try columns.next(),
                    text: try columns.next(),
                    hiddenAt: try columns.next(),
                    reports: []
                )
                let accounts = try columns.next([AccountID].self)
                let reasons = try columns.next([String].self)
                let counts = try columns.next([Bool].self)
                item.reports = zip(accounts, zip(reasons, counts)).map { account, report in
                    .init(account: account, reason: report.0, counts: report.1)
                }
                return item
            }
        }
    }

    /// Marks the undecided reports of a subject as decided.
    ///
    /// - Parameter restores: Whether they no longer count.
    /// - Returns: Their number.
    func review(
        _ kind: ReportSubject.Kind,
        _ id: ReportedContentID,
        restores: Bool,
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> Int {
        try await transaction.execute(
            """
            UPDATE reports SET reviewed_at = \(now), counts = counts AND NOT \(restores)
            WHERE kind = \(kind) AND subject_id = \(id) AND reviewed_at IS NULL
            """
        )
    }

    /// Makes later reports of a subject's undecided reporters hide nothing.
    func ignoreReporters(of kind: ReportSubject.Kind, _ id: ReportedContentID, in transaction: PostgresTransaction)
        async throws
    {
        try await transaction.execute(
            """
            UPDATE people SET reports_ignored = true WHERE account_id IN (
                SELECT account_id FROM reports
                WHERE kind = \(kind) AND subject_id = \(id) AND reviewed_at IS NULL
            )
            """
        )
    }

    /// Shows a hidden subject again.
    func show(_ subject: ReportSubject, _ id: ReportedContentID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("UPDATE \(subject.kind.table) SET hidden_at = NULL WHERE id = \(id)")
    }
}
