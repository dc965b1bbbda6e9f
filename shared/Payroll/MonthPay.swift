package import CivilTime

/// What somebody earns at a workplace in a month, and what is taken from it (MOUP contract 3D). Whole won, no rounding but
/// what the rules say; gross is the sum of the shifts, or the fixed pay, and net is gross without the deductions.
package struct MonthPay: Sendable, Equatable {
    package var month: CivilMonth
    /// The shifts that begin in the month, in order.
    package var shifts: [ShiftPay]
    /// The weeks that touch the month, whole.
    package var weeks: [WeekPay]
    /// Fixed pay; nil on hourly pay.
    package var fixed: FixedPay?
    package var deductions = Deductions()
    package var employersShare = EmployersShare()

    package var gross: Int { (fixed?.amount ?? 0) + sum(\.gross) }
    package var net: Int { gross - deductions.total }
    /// What the month costs the employer.
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
    ///   - shifts: all shifts of the weeks that touch the month, in any order; others are passed over.
    ///   - terms: what holds at the end of the month.
    package init(_ month: CivilMonth, shifts: [Shift], terms: WageTerms, book: RateBook = .korean) {
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

    /// Nothing was worked, and nothing is paid. Weekly fixed pay may fall into a month without a shift of its own.
    package var isEmpty: Bool { shifts.isEmpty && gross == 0 }

    /// Runs of shifts of the same week.
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

    /// Each shift's part of the net: the deductions in proportion to what it earned, the rest to the last that earned
    /// something, so that the shifts add up to the month. nil on fixed pay.
    package var netOfShifts: [Int]? {
        guard fixed == nil else { return nil }
        let (gross, total) = (gross, deductions.total)
        guard gross > 0 else { return shifts.map { _ in 0 } }
        var nets = shifts.map { $0.gross - total * $0.gross / gross }
        if let last = shifts.lastIndex(where: { $0.gross > 0 }) { nets[last] += net - nets.reduce(0, +) }
        return nets
    }

    /// What was earned on each day, in order.
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

/// What was earned on a day.
package struct DayPay: Sendable, Equatable {
    package var date: CivilDate
    package var amount: Int
}
