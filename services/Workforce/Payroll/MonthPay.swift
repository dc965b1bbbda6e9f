package import Values

/// The pay and deductions of a worker at a workplace in a month (MOUP contract 3D). Whole won, rounded only where the
/// rules require it; gross is the sum of the shifts, or the fixed pay, and net is gross minus the deductions.
package struct MonthPay: Sendable, Equatable {
    package var month: CivilMonth
    /// The shifts that begin in the month, in order.
    package var shifts: [ShiftPay]
    /// The weeks that overlap the month, complete.
    package var weeks: [WeekPay]
    /// The fixed pay; nil for hourly pay.
    package var fixed: FixedPay?
    package var deductions = Deductions()
    package var employersShare = EmployersShare()

    package var gross: Int { (fixed?.amount ?? 0) + sum(\.gross) }
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
    ///   - terms: The terms in force at the end of the month.
    package init(_ month: CivilMonth, shifts: [Shift], terms: WageTerms, book: PayRates = .korean) {
        self.month = month
        let days = month.first...month.last
        let sorted = shifts.sorted(by: Shift.precedes)
        weeks = Self.weeks(sorted).map { WeekPay($0, terms: terms, book: book) }
        self.shifts = weeks.flatMap(\.shifts).filter { days.contains($0.shift.date) }
        fixed = FixedPay(days, shifts: sorted, terms: terms)
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

    /// The net pay of each shift: the deductions are distributed in proportion to gross pay, with the remainder on the
    /// last shift with pay, so that the shifts add up to the month. nil for fixed pay.
    package var netOfShifts: [Int]? {
        guard fixed == nil else { return nil }
        let (gross, total) = (gross, deductions.total)
        guard gross > 0 else { return shifts.map { _ in 0 } }
        var nets = shifts.map { $0.gross - total * $0.gross / gross }
        if let last = shifts.lastIndex(where: { $0.gross > 0 }) { nets[last] += net - nets.reduce(0, +) }
        return nets
    }

    /// The pay of each day, in order.
    var payByDay: [DayPay] {
        if let fixed { return fixed.days }
        return shifts.reduce(into: []) { days, shift in
            guard shift.shift.length != nil else { return }
            if days.last?.date == shift.shift.date {
                days[days.count - 1].amount += shift.gross
            } else {
                days.append(DayPay(date: shift.shift.date, amount: shift.gross))
            }
        }
    }
}

/// The pay of a day.
package struct DayPay: Sendable, Equatable {
    package var date: CivilDate
    package var amount: Int
}
