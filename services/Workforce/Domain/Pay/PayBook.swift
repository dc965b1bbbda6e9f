import CivilTime
import FoundationEssentials
import Payroll
import Postgres

/// Keeps what everybody earns up to date. Shifts and months carry what they come to, so that nothing is reckoned when it is
/// looked at; whoever changes a shift or a wage calls this in the same transaction.
///
/// A month that is over is written anew only when a shift or the wage that it was reckoned from is another: newer rates and
/// words leave it as it is.
struct PayBook: Sendable {
    let book: RateBook
    private let now: @Sendable () -> Date
    private let wages = WageStore()
    private let store = PayStore()

    init(book: RateBook = .korean, now: @escaping @Sendable () -> Date = { .now }) {
        self.book = book
        self.now = now
    }

    /// The month that it is in Korea.
    var presentMonth: CivilMonth { SeoulTime.date(of: now()).month }

    /// Reckons anew what a change can have touched: the weeks of these days, and the months that these weeks are in (MOUP
    /// contract 3D, T13).
    ///
    /// - Parameters:
    ///   - worker: locked by the caller (`WorkplaceStore.lock`).
    ///   - dates: of every changed shift, before and after.
    func refresh(_ worker: Int64, around dates: some Sequence<CivilDate>, in transaction: PostgresTransaction)
        async throws
    {
        try await refresh(worker, months: Set(dates.flatMap(\.monthsOfWeek)), in: transaction)
    }

    /// Reckons whole months anew.
    ///
    /// - Parameter worker: locked by the caller.
    func refresh(_ worker: Int64, months: Set<CivilMonth>, in transaction: PostgresTransaction) async throws {
        guard let first = months.min(), let last = months.max() else { return }
        let days = first.first.monday...(last.last.monday + 6)
        let (entries, shifts, marks) = try await transaction.run(
            wages.entries(of: worker),
            store.shifts(of: worker, on: days),
            store.marks(of: worker, in: first...last)
        )
        let history = WageHistory(entries: entries)
        let (kept, present) = (Dictionary(uniqueKeysWithValues: marks), presentMonth)
        var results: [ReckonedMonth] = []
        for month in months.sorted() {
            let weeks = month.first.monday...(month.last.monday + 6)
            let wage = history.wage(in: month)
            let own = shifts.filter { weeks.contains($0.date) }
            let mark = try ReckonedMonth.Mark(own, wage, book)
            if let kept = kept[month], kept.basis == mark.basis, month < present || kept == mark { continue }
            results.append(try reckon(month, own, wage, mark))
        }
        try await store.save(results, of: worker, isPaid: !entries.isEmpty, in: transaction)
    }

    private func reckon(
        _ month: CivilMonth,
        _ shifts: [Shift],
        _ wage: Wage?,
        _ mark: ReckonedMonth.Mark
    ) throws -> ReckonedMonth {
        // Who is not paid by wage terms has minutes, and earns nothing.
        let terms = wage?.terms ?? WageTerms(cycle: .monthly, basis: .hourly)
        let pay = MonthPay(month, shifts: shifts, terms: terms, book: book)
        return ReckonedMonth(pay: pay, payslip: try wage.map { try text(of: pay, $0) } ?? "", mark: mark)
    }

    /// The payslip of a month without a shift, which is not kept.
    func emptyPayslip(of month: CivilMonth, _ wage: Wage) throws -> String {
        try text(of: MonthPay(month, shifts: [], terms: wage.terms, book: book), wage)
    }

    private func text(of pay: MonthPay, _ wage: Wage) throws -> String {
        let payslip = Payslip(pay, terms: wage.terms, book: book)
        return try WrittenPayslip.text(of: WrittenPayslip(payslip: payslip, wage: WrittenWage(wage)))
    }
}

extension CivilDate {
    /// The month or the two that its week is in.
    var monthsOfWeek: Set<CivilMonth> { [monday.month, (monday + 6).month] }
}
