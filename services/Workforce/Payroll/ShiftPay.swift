import Values

/// The components of a shift's pay, in won (MOUP contract 3D, T2 to T6). For fixed pay they are 0.
package struct ShiftPay: Sendable, Equatable {
    package var shift: Shift
    /// Whether the shift is paid by the hour, by the terms of its day.
    package let isHourly: Bool
    /// Whether the premiums of workplaces with five employees or more apply.
    let hasPremiums: Bool
    package var minutes: ShiftMinutes
    package var base = 0
    package var nightAllowance = 0
    /// The shift's share of the weekly allowance.
    package var weeklyAllowance = 0
    package var overtimeMinutes = 0
    package var overtimePremium = 0
    /// Minutes on a statutory holiday: the first eight hours, and those beyond.
    package var holidayMinutes = 0
    package var longHolidayMinutes = 0
    package var holidayPremium = 0

    package var gross: Int { base + nightAllowance + weeklyAllowance + overtimePremium + holidayPremium }

    init(_ shift: Shift, _ terms: WageTerms) {
        self.shift = shift
        isHourly = terms.basis == .hourly
        hasPremiums = isHourly && terms.hasFiveOrMoreEmployees
        minutes = ShiftMinutes(shift)
        guard isHourly else { return }
        base = minutes.net * shift.rate / 60
        if shift.hasNightAllowance { nightAllowance = minutes.night * shift.rate / 120 }
    }
}

/// A week from Monday to Sunday, by the days on which its shifts begin.
package struct WeekPay: Sendable, Equatable {
    /// The shifts in the order of their start.
    package var shifts: [ShiftPay]
    /// Paid minutes of the finished shifts that are paid by the hour.
    package var minutes = 0
    /// Paid minutes of all finished shifts.
    package var allMinutes = 0
    /// The weekly allowance, distributed to the shifts.
    package var weeklyAllowance = 0

    /// The finished shifts that are paid by the hour; the last of them determines whether there is a weekly allowance, and its rate.
    var ended: [ShiftPay] { shifts.filter { $0.isHourly && $0.shift.length != nil } }

    /// The minimum minutes for a paid weekly holiday (Labor Standards Act 18(3)).
    package static let leastMinutes = 15 * 60
    package static let fullMinutes = 40 * 60
    package static let fullDay = 8 * 60

    /// - Parameter shifts: The shifts of one week, in order, at least one.
    init(_ shifts: some Collection<Shift>, history: TermHistory, book: PayRates) {
        self.shifts = shifts.map { ShiftPay($0, history.terms(on: $0.date)) }
        allMinutes = self.shifts.reduce(0) { $0 + $1.minutes.net }
        minutes = self.shifts.reduce(0) { $0 + ($1.isHourly ? $1.minutes.net : 0) }
        addWeeklyAllowance()
        addOvertime(book)
        addHolidayWork(book)
    }

    /// Adds a paid day of rest for 15 hours of work or more: a fifth of the week's hours, of 40 at most (Labor
    /// Standards Act 55(1)). It is split evenly, with the remainder on the last shift.
    private mutating func addWeeklyAllowance() {
        let ended = shifts.indices.filter { shifts[$0].isHourly && shifts[$0].shift.length != nil }
        guard let last = ended.last, shifts[last].shift.hasWeeklyAllowance, allMinutes >= Self.leastMinutes else {
            return
        }
        weeklyAllowance = min(minutes, Self.fullMinutes) * shifts[last].shift.rate / 300
        let share = weeklyAllowance / ended.count
        for index in ended { shifts[index].weeklyAllowance = share }
        shifts[last].weeklyAllowance += weeklyAllowance - share * ended.count
    }

    /// Adds 50 % for minutes beyond 8 hours of a day or 40 of the week (Labor Standards Act 56(1)). Work on statutory
    /// holidays has a premium of its own.
    private mutating func addOvertime(_ book: PayRates) {
        var day = DayCount()
        var ofWeek = 0
        for index in shifts.indices where !book.isHoliday(shifts[index].shift.date) {
            let (shift, net) = (shifts[index].shift, shifts[index].minutes.net)
            let within = day.within(net, of: shift.date)
            let fitting = max(0, min(within, Self.fullMinutes - ofWeek))
            ofWeek += within
            guard shifts[index].hasPremiums else { continue }
            shifts[index].overtimeMinutes = net - fitting
            shifts[index].overtimePremium = (net - fitting) * shift.rate / 120
        }
    }

    /// Adds 50 % for the first 8 hours of a statutory holiday, 100 % beyond (Labor Standards Act 56(2)).
    private mutating func addHolidayWork(_ book: PayRates) {
        var day = DayCount()
        for index in shifts.indices where book.isHoliday(shifts[index].shift.date) {
            let (shift, net) = (shifts[index].shift, shifts[index].minutes.net)
            let within = day.within(net, of: shift.date)
            guard shifts[index].hasPremiums else { continue }
            shifts[index].holidayMinutes = within
            shifts[index].longHolidayMinutes = net - within
            shifts[index].holidayPremium = within * shift.rate / 120 + (net - within) * shift.rate / 60
        }
    }
}

/// Counts the minutes of each day, days in order.
private struct DayCount {
    private var date: CivilDate?
    private var minutes = 0

    /// The number of the next minutes of a day that are within its first eight hours.
    mutating func within(_ more: Int, of date: CivilDate) -> Int {
        if self.date != date { (self.date, minutes) = (date, 0) }
        defer { minutes += more }
        return max(0, min(more, WeekPay.fullDay - minutes))
    }
}
