import FoundationEssentials
import Logging
import Postgres
import ServiceKit
import Values

/// Reconciles all payments with PortOne once a day and records every difference. Where PortOne's state is newer, it is
/// processed; the remaining differences are logged for operators.
///
/// A run compares page after page: first PortOne's payments of the last days, then this service's payments with the
/// ledger and, those of the last days, with what PortOne had. Its progress is saved with each page, so that any replica
/// resumes a run that was interrupted or has failed. Operators run one in parts (`Reconciliation+parts.swift`).
struct Reconciliation: Sendable {
    let database: PostgresClient
    let portOne: PortOneClient
    let settlement: PaymentProcessor
    /// Woken when refunds may be due.
    let refunds: AsyncSignal
    /// Number of payments on a page of PortOne; at most 1,000.
    var portOnePage = 1_000
    /// Number of this service's payments on a page.
    var paymentsPage = 5_000
    let now: @Sendable () -> Date
    let store = ReconciliationStore()
    private let payments = PaymentStore()
    private let orders = OrderStore()

    /// Number of days that are compared: a payment may be cancelled days after it was made.
    private static let days = 7
    /// Minutes after midnight in Seoul at which the previous day is compared.
    private static let minute = 4 * 60
    /// Seconds for which a run is leased; each page renews the lease.
    static let lease: TimeInterval = 300
    /// Seconds after which an outstanding refund is a difference.
    private static let overdue: TimeInterval = 3600

    /// The result of a run.
    struct Result: Sendable, Equatable {
        var day: CivilDate
        var startedAt: Date
        /// nil while it is running.
        var finishedAt: Date?
        /// Number of payments at PortOne.
        var payments: Int
        var differences: [(Difference, isMended: Bool)]

        static func == (left: Result, right: Result) -> Bool {
            left.day == right.day && left.startedAt == right.startedAt && left.finishedAt == right.finishedAt
                && left.payments == right.payments
                && left.differences.elementsEqual(right.differences) { $0.0 == $1.0 && $0.1 == $1.1 }
        }
    }

    /// Compares the previous day, if it is time and no replica has done it or is doing it.
    func runIfDue() async throws {
        let now = now()
        let today = SeoulTime.date(of: now)
        guard now >= SeoulTime.instant(today, minute: Self.minute) else { return }
        _ = try await run(CivilDate(dayNumber: today.dayNumber - 1), isForced: false)
    }

    /// Compares a day and the days before it, or resumes its comparison.
    ///
    /// - Parameter isForced: Whether a day that was compared before is compared again, and whether the pause after a
    ///   failure is skipped.
    /// - Returns: nil when another replica compares the day, when it was compared, or during a pause.
    /// - Throws: `ProviderUnavailable`; the comparison is resumed where it failed, after a growing pause.
    func run(_ day: CivilDate, isForced: Bool) async throws -> Result? {
        let begun = try await store.begin(
            day,
            at: now(),
            for: Self.lease,
            page: portOnePage,
            isForced: isForced,
            in: database
        )
        guard let run = begun else { return nil }
        return try await compare(run, atMost: .max, thenFor: Self.lease)?.result
    }

    /// The result of a day; nil when the day was not compared.
    func result(of day: CivilDate) async throws -> Result? { try await store.result(of: day, in: database) }

    /// The results of the newest days, for operators: of each up to 50 differences, those that remain first.
    func newest() async throws -> [Result] { try await store.newest(days: 14, differences: 50, in: database) }

    // MARK: Pages

    /// Compares page after page until so many payments were compared, or to the end.
    ///
    /// - Parameter pause: Seconds for which the run is leased when it has not come to its end.
    /// - Returns: nil when another replica has taken the run.
    func compare(_ run: ReconciliationRun, atMost limit: Int, thenFor pause: TimeInterval) async throws -> Part? {
        var (run, compared) = (run, 0)
        do {
            if run.position.isFirst { try await store.clear(run.day, in: database) }
            while let page = try await compare(run, limit: limit) {
                compared += page.count
                let lease = now() + (compared < limit ? Self.lease : pause)
                // Another replica has taken the run after its lease had ended.
                guard try await store.save(page, of: run, until: lease, in: database) else { return nil }
                run.position = page.next
                for (difference, isMended) in page.differences { Self.log(difference, isMended) }
                guard compared < limit else {
                    let soFar = try await store.result(of: run.day, differences: 0, in: database)
                    return soFar.map { Part(result: $0, next: run) }
                }
            }
        } catch {
            try? await store.postpone(run, at: now(), in: database)
            throw error
        }
        let overdue = try await store.overdue(before: now() - Self.overdue, in: database)
        refunds.wake()
        for difference in overdue { Self.log(difference, false) }
        guard try await store.finish(run, overdue, at: now(), in: database) else { return nil }
        try await store.clearSeen(run.day, in: database)
        return try await store.result(of: run.day, in: database).map { Part(result: $0, next: nil) }
    }

    /// Compares the next page of a run; nil at its end.
    private func compare(_ run: ReconciliationRun, limit: Int) async throws -> ReconciliationRun.Page? {
        let start = SeoulTime.instant(CivilDate(dayNumber: run.day.dayNumber - Self.days + 1), minute: 0)
        let end = SeoulTime.instant(CivilDate(dayNumber: run.day.dayNumber + 1), minute: 0)
        switch run.position {
        case .portOne(let pages, let size):
            let list = try await portOne.payments(from: start, to: end, page: pages + 1, limit: size)
            let seen = list.reports.map(\.impUID.rawValue) + list.unreadable
            let next =
                list.isLast ? .payments(after: "") : ReconciliationRun.Position.portOne(pages: pages + 1, of: size)
            var page = ReconciliationRun.Page(next: next, seen: seen, count: seen.count)
            page.differences = try await compare(list.reports)
            page.differences += list.unreadable.map { (Difference(impUID: $0, kind: .unreadable), false) }
            return page
        case .payments(let last):
            let size = min(limit, paymentsPage)
            guard let (next, count) = try await store.page(after: last, limit: size, in: database) else { return nil }
            let range = ReconciliationStore.Range(after: last, through: next)
            var page = ReconciliationRun.Page(next: .payments(after: next), count: count)
            page.differences = try await store.unbalanced(range, in: database).map { ($0, false) }
            for impUID in try await store.paid(range, from: start, to: end, notSeenOn: run.day, in: database)
            where try await portOne.payment(impUID) == nil {
                page.differences.append(
                    (Difference(impUID: impUID.rawValue, kind: .unknownThere, ours: "paid"), false)
                )
            }
            return page
        }
    }

    private func compare(_ reports: [PaymentReport]) async throws -> [(Difference, isMended: Bool)] {
        var found: [(Difference, isMended: Bool)] = []
        let before = try await differences(reports)
        for (report, differences) in zip(reports, before) where !differences.isEmpty {
            do {
                let hasOrder = try await orders.order(code: report.merchantUID, in: database) != nil
                let isKnown = try await payments.merchantUID(of: report.impUID, in: database) != nil
                // A payment without an order may belong to another system of the same shop.
                if hasOrder || isKnown {
                    _ = try await database.transaction { try await settlement.settle(report, by: .timer, in: $0) }
                }
            } catch PaymentsError.boundElsewhere {
                Logger.current.error(
                    "reconciliation: the order code or currency of a payment has changed",
                    metadata: ["imp_uid": "\(report.impUID)"]
                )
            }
            let after = try await self.differences([report]).flatMap(\.self)
            found += differences.map { ($0, isMended: !after.contains($0)) }
        }
        return found
    }

    /// The differences of each report.
    private func differences(_ reports: [PaymentReport]) async throws -> [[Difference]] {
        let ours = try await payments.find(reports.map(\.impUID), in: database)
        let ordered = try await orders.known(Set(reports.map(\.merchantUID)), in: database)
        return reports.map { report in
            Difference.all(between: ours[report.impUID], and: report, hasOrder: ordered.contains(report.merchantUID))
        }
    }

    private static func log(_ difference: Difference, _ isMended: Bool) {
        Logger.current.log(
            level: isMended ? .warning : .error,
            isMended ? "reconciliation: a difference was resolved" : "reconciliation: a difference remains",
            metadata: [
                "imp_uid": "\(difference.impUID)", "kind": "\(difference.kind.rawValue)",
                "ours": "\(difference.ours ?? "-")", "theirs": "\(difference.theirs ?? "-")",
            ]
        )
    }
}
