package import Values

/// The fixed pay of a span of days with the same terms (MOUP contract 3D, T7): for the month with a shift, each week with
/// a finished shift whose pay day is in the month, each day with a finished shift. Of a month or a week in which the
/// terms changed, the share of the span's calendar days is paid.
package struct FixedPay: Sendable, Equatable {
    var cycle: WageTerms.Cycle
    /// Won per month, week or day.
    package var rate: Int
    /// The number of whole months, weeks or days paid.
    package var count = 0
    /// The months or weeks of which a share is paid.
    package var parts: [Part] = []
    /// The paid days, in order: the pay of each month, week or day is spread evenly over its days of work, with the
    /// remainder on the last. The days of a week may be in the previous month.
    package var days: [DayPay] = []

    /// The share of a month or a week.
    package struct Part: Sendable, Equatable {
        /// The days of the span that lie in the month or week.
        package var days: ClosedRange<CivilDate>
        /// The number of days of the month or week.
        package var length: Int
        package var amount: Int
    }

    package var amount: Int { rate * count + parts.reduce(0) { $0 + $1.amount } }

    /// The fixed pay of a month, a value for each span with fixed terms that pays something.
    ///
    /// - Parameter shifts: The shifts of all weeks that overlap the month, in order.
    static func all(_ month: ClosedRange<CivilDate>, shifts: [Shift], history: TermHistory) -> [FixedPay] {
        // A week whose pay day is in the month may begin before it, or end after it.
        history.spans(of: month.lowerBound.monday...(month.upperBound.monday + 6)).compactMap { span, terms in
            guard case .fixed(let rate) = terms.basis else { return nil }
            var pay = FixedPay(cycle: terms.cycle, rate: rate)
            let own = shifts.filter { span.contains($0.date) }
            switch terms.cycle {
            case .monthly: pay.addMonth(month, of: span, shifts: own.filter { month.contains($0.date) })
            case .weekly: pay.addWeeks(of: span, paidIn: month, on: terms.payWeekday ?? .sunday, worked: worked(own))
            case .daily:
                for day in worked(own) where month.contains(day) { pay.add(1, of: 1, span, days: [day]) }
            }
            return pay.count == 0 && pay.parts.isEmpty ? nil : pay
        }
    }

    private mutating func addMonth(_ month: ClosedRange<CivilDate>, of span: ClosedRange<CivilDate>, shifts: [Shift]) {
        guard !shifts.isEmpty else { return }
        let finished = Self.worked(shifts)
        let days = span.clamped(to: month)
        let length = month.upperBound.dayNumber - month.lowerBound.dayNumber + 1
        add(days.length, of: length, days, days: finished.isEmpty ? Self.distinct(shifts.map(\.date)) : finished)
    }

    private mutating func addWeeks(
        of span: ClosedRange<CivilDate>,
        paidIn month: ClosedRange<CivilDate>,
        on payDay: Weekday,
        worked: [CivilDate]
    ) {
        for monday in Self.distinct(worked.map(\.monday)) where month.contains(monday + payDay.rawValue) {
            let days = span.clamped(to: monday...(monday + 6))
            add(days.length, of: 7, days, days: worked.filter { $0.monday == monday })
        }
    }

    /// Adds a month, a week or a day, or the share of it.
    private mutating func add(_ paid: Int, of length: Int, _ span: ClosedRange<CivilDate>, days worked: [CivilDate]) {
        if paid == length {
            count += 1
            days += Self.spread(rate, over: worked)
        } else {
            let amount = rate * paid / length
            parts.append(Part(days: span, length: length, amount: amount))
            days += Self.spread(amount, over: worked)
        }
    }

    private static func worked(_ shifts: [Shift]) -> [CivilDate] {
        distinct(shifts.filter { $0.length != nil }.map(\.date))
    }

    private static func spread(_ amount: Int, over dates: [CivilDate]) -> [DayPay] {
        let share = amount / dates.count
        var days = dates.map { DayPay(date: $0, amount: share) }
        days[days.count - 1].amount += amount - share * dates.count
        return days
    }

    private static func distinct(_ sorted: [CivilDate]) -> [CivilDate] {
        sorted.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}

extension ClosedRange<CivilDate> {
    /// The number of days.
    fileprivate var length: Int { upperBound.dayNumber - lowerBound.dayNumber + 1 }
}
