import Values

/// Fixed pay (MOUP contract 3D, T7): for the month with a shift, each week with a finished shift whose pay day is in
/// the month, each day with a finished shift.
package struct FixedPay: Sendable, Equatable {
    /// Won per month, week or day.
    package var rate: Int
    /// The number of months, weeks or days paid.
    package var count: Int
    /// The paid days, in order: the pay of each month, week or day is spread evenly over its days of work, with the
    /// remainder on the last. The days of a week may be in the previous month.
    package var days: [DayPay]

    package var amount: Int { rate * count }

    /// nil for hourly pay.
    ///
    /// - Parameter shifts: The shifts in order.
    init?(_ month: ClosedRange<CivilDate>, shifts: [Shift], terms: WageTerms) {
        guard case .fixed(let rate) = terms.basis else { return nil }
        self.rate = rate
        let worked = Self.distinct(shifts.filter { $0.length != nil }.map(\.date))
        let spans: [[CivilDate]]
        switch terms.cycle {
        case .monthly:
            let ofMonth = Self.distinct(shifts.map(\.date)).filter(month.contains)
            let finished = worked.filter(month.contains)
            spans = ofMonth.isEmpty ? [] : [finished.isEmpty ? ofMonth : finished]
        case .weekly:
            let payDay = (terms.payWeekday ?? .sunday).rawValue
            let mondays = Self.distinct(worked.map(\.monday)).filter { month.contains($0 + payDay) }
            spans = mondays.map { monday in worked.filter { $0.monday == monday } }
        case .daily:
            spans = worked.filter(month.contains).map { [$0] }
        }
        count = spans.count
        days = spans.flatMap { Self.spread(rate, over: $0) }
    }

    private static func spread(_ rate: Int, over dates: [CivilDate]) -> [DayPay] {
        let share = rate / dates.count
        var days = dates.map { DayPay(date: $0, amount: share) }
        days[days.count - 1].amount += rate - share * dates.count
        return days
    }

    private static func distinct(_ sorted: [CivilDate]) -> [CivilDate] {
        sorted.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}
