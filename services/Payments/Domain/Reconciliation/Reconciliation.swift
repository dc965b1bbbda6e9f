import FoundationEssentials
import Logging
import Postgres
import ServiceKit
import Values

/// Reconciles all payments with PortOne once a day and records every difference. Where PortOne's state is newer, it is
/// processed; the remaining differences are logged for operators.
struct Reconciliation: Sendable {
    let database: PostgresClient
    let portOne: PortOneClient
    let settlement: PaymentProcessor
    /// Woken when refunds may be due.
    let refunds: AsyncSignal
    let now: @Sendable () -> Date
    private let store = ReconciliationStore()
    private let payments = PaymentStore()
    private let orders = OrderStore()

    /// Number of days that are compared: a payment may be cancelled days after it was made.
    private static let days = 7
    /// Minutes after midnight in Seoul at which the previous day is compared.
    private static let minute = 4 * 60
    /// Payments per page.
    private static let page = 200
    /// Seconds after which an unfinished run is restarted, and after which an outstanding refund is a difference.
    private static let timeout: TimeInterval = 3600

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

    /// Compares the previous day, if it is time and no replica has done it.
    func runIfDue() async throws {
        let now = now()
        let today = SeoulTime.date(of: now)
        guard now >= SeoulTime.instant(today, minute: Self.minute) else { return }
        _ = try await run(CivilDate(dayNumber: today.dayNumber - 1), isForced: false)
    }

    /// Compares a day and the days before it.
    ///
    /// - Parameter isForced: Whether a day that was compared before is compared again.
    /// - Returns: nil when another replica compares the day, or has compared it.
    /// - Throws: `ProviderUnavailable`; the next run then starts again.
    func run(_ day: CivilDate, isForced: Bool) async throws -> Result? {
        let now = now()
        let isMine = try await store.begin(
            day,
            at: now,
            unlessBegunAfter: now - Self.timeout,
            again: isForced,
            in: database
        )
        guard isMine else { return nil }
        do {
            try await compareAll(day, at: now)
        } catch {
            try? await store.giveUp(day, in: database)
            throw error
        }
        return try await store.result(of: day, in: database)
    }

    private func compareAll(_ day: CivilDate, at now: Date) async throws {
        let start = SeoulTime.instant(CivilDate(dayNumber: day.dayNumber - Self.days + 1), minute: 0)
        let end = SeoulTime.instant(CivilDate(dayNumber: day.dayNumber + 1), minute: 0)
        var (found, seen) = ([(Difference, isMended: Bool)](), Set<String>())
        var page = 1
        while true {
            let list = try await portOne.payments(from: start, to: end, page: page, limit: Self.page)
            for report in list.reports where seen.insert(report.impUID.rawValue).inserted {
                found += try await compare(report)
            }
            for impUID in list.unreadable where seen.insert(impUID).inserted {
                found.append((Difference(impUID: impUID, kind: .unreadable), false))
            }
            if list.isLast { break }
            page += 1
        }
        for impUID in try await store.paid(from: start, to: end, in: database) where !seen.contains(impUID.rawValue) {
            guard try await portOne.payment(impUID) == nil else { continue }
            found.append((Difference(impUID: impUID.rawValue, kind: .unknownThere, ours: "paid"), false))
        }
        found += try await store.unbalanced(in: database).map { ($0, false) }
        found += try await store.overdue(before: now - Self.timeout, in: database).map { ($0, false) }
        refunds.wake()
        try await store.finish(day, payments: seen.count, found, at: self.now(), in: database)
        for (difference, isMended) in found { Self.tell(difference, isMended) }
    }

    /// The result of a day; nil when the day was not compared.
    func result(of day: CivilDate) async throws -> Result? { try await store.result(of: day, in: database) }

    // MARK: One payment

    private func compare(_ report: PaymentReport) async throws -> [(Difference, isMended: Bool)] {
        let before = try await differences(report)
        guard !before.isEmpty else { return [] }
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
        let after = try await differences(report)
        return before.map { ($0, isMended: !after.contains($0)) }
    }

    private func differences(_ report: PaymentReport) async throws -> [Difference] {
        let ours = try await payments.find(report.impUID, in: database)
        let order = try await orders.order(code: report.merchantUID, in: database)
        return Difference.all(between: ours, and: report, hasOrder: order != nil)
    }

    private static func tell(_ difference: Difference, _ isMended: Bool) {
        let level: Logger.Level = isMended ? .warning : .error
        Logger.current.log(
            level: level,
            isMended ? "reconciliation: a difference was resolved" : "reconciliation: a difference remains",
            metadata: [
                "imp_uid": "\(difference.impUID)", "kind": "\(difference.kind.rawValue)",
                "ours": "\(difference.ours ?? "-")", "theirs": "\(difference.theirs ?? "-")",
            ]
        )
    }
}
