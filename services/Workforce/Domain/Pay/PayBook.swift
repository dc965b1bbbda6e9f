import Payroll
import Postgres

/// Keeps what everybody earns up to date. Shifts and months carry what they come to, so that nothing is reckoned when it is
/// looked at; whoever changes a shift or a wage calls this in the same transaction.
struct PayBook: Sendable {
    let book: RateBook
    private let wages = WageStore()
    private let store = PayStore()

    init(book: RateBook = .korean) {
        self.book = book
    }

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
        let history = try await wages.history(of: worker, in: transaction)
        // Who is not paid by wage terms has minutes, and earns nothing.
        let unpaid = WageTerms(cycle: .monthly, basis: .hourly)
        let days = first.first.monday...(last.last.monday + 6)
        let shifts = try await store.shifts(of: worker, on: days, in: transaction)
        var results: [MonthPay] = []
        for month in months.sorted() {
            let weeks = month.first.monday...(month.last.monday + 6)
            results.append(
                MonthPay(
                    month,
                    shifts: shifts.filter { weeks.contains($0.date) },
                    terms: history.wage(in: month)?.terms ?? unpaid,
                    book: book
                )
            )
        }
        try await store.save(results, of: worker, isPaid: !history.entries.isEmpty, in: transaction)
    }
}

extension CivilDate {
    /// The month or the two that its week is in.
    var monthsOfWeek: Set<CivilMonth> { [monday.month, (monday + 6).month] }
}
