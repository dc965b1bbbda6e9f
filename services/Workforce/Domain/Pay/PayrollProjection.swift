import Contracts
import FoundationEssentials
import Metrics
import Payroll
import Postgres
import Values

/// Keeps the stored pay up to date. Shifts and months store their pay, so that reads calculate nothing; a change of a
/// shift or a wage calls this in the same transaction.
///
/// A past month is written again only if a shift or the wage that it was calculated from has changed; newer rates and
/// texts leave it unchanged.
struct PayrollProjection: Sendable {
    let book: PayRates
    private let now: @Sendable () -> Date
    /// Counts calculated months whose rates or holidays are not all known.
    private let provisional: Counter
    private let wages = WageStore()
    private let store = PayStore()

    init(
        book: PayRates = .korean,
        now: @escaping @Sendable () -> Date = { .now },
        provisional: Counter = Counter(label: "payslips_provisional_total")
    ) {
        self.book = book
        self.now = now
        self.provisional = provisional
    }

    /// The current month in Korea.
    var presentMonth: CivilMonth { SeoulTime.date(of: now()).month }

    /// Recalculates the months that a change can affect: those of the weeks of the given days (MOUP contract 3D, T13).
    ///
    /// - Parameters:
    ///   - worker: locked by the caller (`WorkplaceStore.lock`).
    ///   - dates: the dates of all changed shifts, before and after the change.
    func refresh(_ worker: WorkerID, around dates: some Sequence<CivilDate>, in transaction: PostgresTransaction)
        async throws
    {
        try await refresh(worker, months: Set(dates.flatMap(\.monthsOfWeek)), in: transaction)
    }

    /// Recalculates whole months.
    ///
    /// - Parameter worker: locked by the caller.
    func refresh(_ worker: WorkerID, months: Set<CivilMonth>, in transaction: PostgresTransaction) async throws {
        guard let first = months.min(), let last = months.max() else { return }
        let days = first.first.monday...(last.last.monday + 6)
        let (entries, shifts, marks) = try await transaction.run(
            wages.entries(of: worker),
            store.shifts(of: worker, on: days),
            store.marks(of: worker, in: first...last)
        )
        let history = WageHistory(entries: entries)
        let (kept, present) = (Dictionary(uniqueKeysWithValues: marks), presentMonth)
        var results: [CalculatedMonth] = []
        for month in months.sorted() {
            let weeks = month.first.monday...(month.last.monday + 6)
            let own = shifts.filter { weeks.contains($0.date) }
            let mark = try CalculatedMonth.Mark(own, history.deciding(month), book)
            if let kept = kept[month] {
                let isCurrent = kept.basis == mark.basis && (month < present || kept == mark)
                if isCurrent || Sabotage.payslipKept.isBuiltIn { continue }
            }
            results.append(try reckon(month, own, history, mark))
        }
        try await store.save(results, of: worker, isPaid: !entries.isEmpty, in: transaction)
    }

    private func reckon(
        _ month: CivilMonth,
        _ shifts: [Shift],
        _ history: WageHistory,
        _ mark: CalculatedMonth.Mark
    ) throws -> CalculatedMonth {
        // A worker without wage terms has minutes, but no pay.
        let terms = history.terms ?? TermHistory(WageTerms(cycle: .monthly, basis: .hourly))
        let pay = MonthPay(month, shifts: shifts, history: terms, book: book)
        if !pay.isEmpty, book.isProvisional(month) { provisional.increment() }
        let payslip = try history.wage(in: month).map { try text(of: pay, $0) }
        return CalculatedMonth(pay: pay, payslip: payslip ?? "", mark: mark)
    }

    /// The payslip of a month without a shift, which is not stored.
    func emptyPayslip(of month: CivilMonth, _ wage: Wage) throws -> String {
        try text(of: MonthPay(month, shifts: [], terms: wage.terms, book: book), wage)
    }

    private func text(of pay: MonthPay, _ wage: Wage) throws -> String {
        let payslip = Payslip(pay, terms: wage.terms, book: book)
        return try StoredPayslip.text(of: StoredPayslip(payslip: payslip, wage: StoredWage(wage)))
    }
}

extension CivilDate {
    /// The one or two months of the date's week.
    var monthsOfWeek: Set<CivilMonth> { [monday.month, (monday + 6).month] }
}
