import Contracts
import FoundationEssentials
import Postgres

/// Reviews of reported content by operators: content that reports have hidden waits for a decision.
struct ReportReviews: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let store = ReportReviewStore()

    /// Hidden content that waits for a decision.
    struct Item: Sendable, Equatable {
        var kind: ReportSubject.Kind
        var id: ReportedContentID
        var author: AccountID
        /// Title and text.
        var text: String
        var hiddenAt: Date
        /// The reports without a decision, newest first, up to `reasonLimit`.
        var reports: [Report]
    }

    struct Report: Sendable, Equatable {
        var account: AccountID
        var reason: String
        /// Whether the report counted towards hiding.
        var counts: Bool
    }

    enum Decision: String, Sendable {
        /// The content is shown again, and these reports no longer count.
        case restore
        /// The content stays hidden.
        case confirm
    }

    static let limit = 50
    static let reasonLimit = 20

    /// The content that has waited longest.
    func waiting() async throws -> [Item] {
        try await store.waiting(limit: Self.limit, reasons: Self.reasonLimit, in: database)
    }

    /// Decides on hidden content.
    ///
    /// - Parameter ignoresReporters: Whether later reports of these reporters hide nothing.
    /// - Returns: false when nothing hidden waits under this id.
    func decide(
        _ decision: Decision,
        on kind: ReportSubject.Kind,
        _ id: ReportedContentID,
        ignoresReporters: Bool
    ) async throws -> Bool {
        let subject = ReportSubject(kind, id: id)
        return try await database.transaction { transaction in
            // Accounts are locked before content, as by a report.
            if ignoresReporters { try await store.ignoreReporters(of: kind, id, in: transaction) }
            guard let found = try await ReportStore().lock(subject, in: transaction), found.isHidden else {
                return false
            }
            let count = try await store.review(kind, id, restores: decision == .restore, at: now(), in: transaction)
            guard count > 0 else { return false }
            if decision == .restore { try await store.show(subject, id, in: transaction) }
            return true
        }
    }
}
