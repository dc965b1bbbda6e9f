/// What somebody earns at a workplace in a month, and what is taken from it (MOUP contract 3D). Whole won, no rounding but
/// what the rules say; gross is the sum of the shifts, or the fixed pay, and net is gross without the deductions.
package struct MonthPay: Sendable, Equatable {
    package var month: CivilMonth
    /// The shifts that begin in the month, in order.
    package var shifts: [ShiftPay]
    /// Fixed pay; 0 on hourly pay.
    package var fixed = 0
    package var deductions = Deductions()
    private let isHourly: Bool

    package var gross: Int { fixed + shifts.reduce(0) { $0 + $1.gross } }
    package var net: Int { gross - deductions.total }
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
        if case .hourly = terms.basis { isHourly = true } else { isHourly = false }
        let weeks = Dictionary(grouping: shifts, by: \.date.monday).sorted { $0.key < $1.key }
            .map { WeekPay($0.value, terms: terms, book: book) }
        self.shifts = weeks.flatMap(\.shifts).filter { month.contains($0.shift.date) }
        fixed = Self.fixedPay(month, shifts: shifts, terms: terms)
        deductions = Deductions(
            gross: gross,
            minutes: netMinutes,
            days: Self.payByDay(self.shifts, fixed: fixed),
            terms: terms,
            rates: book.rates(in: month)
        )
    }

    private func sum(_ part: KeyPath<ShiftPay, Int>) -> Int { shifts.reduce(0) { $0 + $1[keyPath: part] } }

    /// Each shift's part of the net: the deductions in proportion to what it earned, the rest to the last that earned
    /// something, so that the shifts add up to the month. nil on fixed pay.
    package var netOfShifts: [Int]? {
        guard isHourly else { return nil }
        let (gross, total) = (gross, deductions.total)
        guard gross > 0 else { return shifts.map { _ in 0 } }
        var nets = shifts.map { $0.gross - total * $0.gross / gross }
        if let last = shifts.lastIndex(where: { $0.gross > 0 }) { nets[last] += net - nets.reduce(0, +) }
        return nets
    }

    /// Fixed pay (T7): the month with a shift, each week with a finished shift whose pay day is in the month, each day with a
    /// finished shift.
    private static func fixedPay(_ month: CivilMonth, shifts: [Shift], terms: WageTerms) -> Int {
        guard case .fixed(let rate) = terms.basis else { return 0 }
        let finished = shifts.filter { $0.length != nil }
        switch terms.cycle {
        case .monthly:
            return shifts.contains { month.contains($0.date) } ? rate : 0
        case .weekly:
            let weekday = terms.payWeekday ?? .sunday
            let weeks = Set(finished.map(\.date.monday)).filter { month.contains($0 + weekday.rawValue) }
            return rate * weeks.count
        case .daily:
            return rate * Set(finished.map(\.date).filter(month.contains)).count
        }
    }

    /// What was earned on each day. Fixed pay counts for the days that were worked, evenly.
    private static func payByDay(_ shifts: [ShiftPay], fixed: Int) -> [CivilDate: Int] {
        var days = Dictionary(grouping: shifts.filter { $0.shift.length != nil }, by: \.shift.date)
            .mapValues { $0.reduce(0) { $0 + $1.gross } }
        guard fixed > 0, let last = days.keys.max() else { return days }
        let share = fixed / days.count
        for date in days.keys { days[date, default: 0] += share }
        days[last, default: 0] += fixed - share * days.count
        return days
    }
}
