import FoundationEssentials
import Postgres

/// Deletes records when the time is over for which they are needed or required by law.
///
/// | records | kept for | source |
/// |---|---|---|
/// | unpaid orders and attempts to pay | 90 days | no law requires them |
/// | reconciliations | 1 year | |
/// | receipts (buyer and card), audit | 5 years | Act on the Consumer Protection in Electronic Commerce, article 6, and its decree, article 6 |
/// | paid orders, payments, refunds, ledger | 10 years | Commercial Act, article 33 |
struct Retention: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let store = RetentionStore()

    private static let day: TimeInterval = 86_400
    private static let year: TimeInterval = 366 * day

    /// Deletes what is too old, in bounded steps.
    ///
    /// - Returns: Whether there may be more.
    func deleteOld() async throws -> Bool {
        let now = now()
        let unpaid = now - 90 * Self.day
        let counts = [
            try await store.deleteUnpaidPayments(before: unpaid, in: database),
            try await store.deleteExpiredOrders(before: unpaid, in: database),
            try await store.deleteReconciliations(before: now - Self.year, in: database),
            try await store.eraseReceipts(before: now - 5 * Self.year, at: now, in: database),
            try await store.deleteAudit(before: now - 5 * Self.year, in: database),
            try await store.deletePayments(before: now - 10 * Self.year, in: database),
        ]
        return counts.contains { $0 > 0 }
    }
}
