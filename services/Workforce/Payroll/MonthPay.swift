package import Values

/// The pay and deductions of a worker at a workplace in a month (MOUP contract 3D). Whole won, rounded only where the
/// rules require it; gross is the sum of the shifts, or the fixed pay, and net is gross minus the deductions.
package struct MonthPay: Sendable, Equatable {
    package var month: CivilMonth
    /// The shifts that begin in the month, in order.
    package var shifts: [ShiftPay]
    /// The weeks that overlap the month, complete.
    package var weeks: [WeekPay]
    /// The fixed pay of each span of days with fixed terms.
    package var fixed: [FixedPay]
    package var deductions = Deductions()
    package var employersShare = EmployersShare()

    package var gross: Int { fixedAmount + sum(\.gross) }
    package var fixedAmount: Int { fixed.reduce(0) { $0 + $1.amount } }
    package var net: Int { gross - deductions.total }
    /// The employer's total cost of the month.
    package var labourCost: Int { gross + employersShare.total }
    package var netMinutes: Int { sum(\.minutes.net) }
    package var nightMinutes: Int { sum(\.minutes.night) }
    package var restMinutes: Int { sum(\.minutes.rest) }
    package var base: Int { sum(\.base) }
    package var nightAllowance: Int { sum(\.nightAllowance) }
    package var weeklyAllowance: Int { sum(\.weeklyAllowance) }
    package var overtimePremium: Int { sum(\.overtimePremium) }
    package var holidayPremium: Int { sum(\.holidayPremium) }

    /// - Parameters:
    ///   - shifts: All shifts of the weeks that overlap the month, in any order; other shifts are ignored.
    ///   - history: The terms over time: each shift is paid by those of its day, and deductions are those at the end of
    ///     the month.
    package init(_ month: CivilMonth, shifts: [Shift], history: TermHistory, book: PayRates = .korean) {
        self.month = month
        let history = history.deciding(month)
        let terms = history.last
        let days = month.first...month.last
        let sorted = shifts.sorted(by: Shift.precedes)
        weeks = Self.weeks(sorted).map { WeekPay($0, history: history, book: book) }
        self.shifts = weeks.flatMap(\.shifts).filter { days.contains($0.shift.date) }
        fixed = FixedPay.all(days, shifts: sorted, history: history)
        let (gross, minutes, rates) = (gross, netMinutes, book.rates(in: month))
        deductions = Deductions(gross: gross, minutes: minutes, days: payByDay, terms: terms, rates: rates)
        employersShare = EmployersShare(
            gross: gross,
            minutes: minutes,
            taken: deductions,
            terms: terms,
            rates: rates
        )
    }

    /// The pay under terms that do not change.
    package init(_ month: CivilMonth, shifts: [Shift], terms: WageTerms, book: PayRates = .korean) {
        self.init(month, shifts: shifts, history: TermHistory(terms), book: book)
    }

    /// Whether there is neither work nor pay. Weekly fixed pay may fall into a month without a shift of its own.
    package var isEmpty: Bool { shifts.isEmpty && gross == 0 }

    /// Groups sorted shifts by week.
    private static func weeks(_ sorted: [Shift]) -> [ArraySlice<Shift>] {
        var weeks: [ArraySlice<Shift>] = []
        var start = sorted.startIndex
        while start < sorted.endIndex {
            let sunday = sorted[start].date.monday + 6
            let end = sorted[start...].firstIndex { $0.date > sunday } ?? sorted.endIndex
            weeks.append(sorted[start..<end])
            start = end
        }
        return weeks
    }

    private func sum(_ part: (ShiftPay) -> Int) -> Int { shifts.reduce(0) { $0 + part($1) } }

    /// The net pay of each shift: its gross pay and its share of the day's fixed pay, less the deductions in proportion,
    /// with the remainder on the last shift with pay, so that the shifts add up to the month.
    package var netOfShifts: [Int] {
        let (gross, total) = (gross, deductions.total)
        var earned = shifts.map(\.gross)
        for day in fixed.flatMap(\.days) {
            let own = shifts.indices.filter { shifts[$0].shift.date == day.date }
            for (number, index) in own.enumerated() {
                earned[index] += day.amount * (number + 1) / own.count - day.amount * number / own.count
            }
        }
        guard gross > 0 else { return earned }
        var nets = earned.map { $0 - total * $0 / gross }
        let last = earned.lastIndex { $0 > 0 } ?? shifts.indices.last
        if let last { nets[last] += net - nets.reduce(0, +) }
        return nets
    }

    /// The pay of each day, in order.
    var payByDay: [DayPay] {
        let hourly = shifts.filter { $0.isHourly && $0.shift.length != nil }
        let days = hourly.map { DayPay(date: $0.shift.date, amount: $0.gross) } + fixed.flatMap(\.days)
        return days.sorted { $0.date < $1.date }.reduce(into: []) { days, day in
            if days.last?.date == day.date {
                days[days.count - 1].amount += day.amount
            } else {
                days.append(day)
            }
        }
    }
}

/// The pay of a day.
package struct DayPay: Sendable, Equatable {
    package var date: CivilDate
    package var amount: Int
}
