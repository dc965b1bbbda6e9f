/// A day of the Gregorian calendar, without a time or a zone.
package struct CivilDate: Sendable, Hashable, Comparable {
    /// Days since 1970-01-01.
    package let dayNumber: Int

    package init(dayNumber: Int) {
        self.dayNumber = dayNumber
    }

    /// nil for a day that does not exist, such as 2025-02-29.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...9999).contains(year) else { return nil }
        guard (1...CivilMonth(year: year, month: month).length).contains(day) else { return nil }
        dayNumber = CivilMonth(year: year, month: month).first.dayNumber + day - 1
    }

    /// `yyyy-MM-dd`; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
            text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 45 }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    package static func < (left: CivilDate, right: CivilDate) -> Bool { left.dayNumber < right.dayNumber }

    package static func + (date: CivilDate, days: Int) -> CivilDate { CivilDate(dayNumber: date.dayNumber + days) }

    /// 1970-01-01 was a Thursday.
    package var weekday: Weekday {
        Weekday(rawValue: ((dayNumber + 3) % 7 + 7) % 7) ?? .monday
    }

    /// The Monday of its week.
    package var monday: CivilDate { self + -weekday.rawValue }

    package var month: CivilMonth {
        // Years are counted from March, so that a leap day comes last, in eras of 400 years (Hinnant, chrono-compatible
        // algorithms).
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // March is 0; a month beyond December belongs to the next year.
        return CivilMonth(index: (yearOfEra + era * 400) * 12 + (5 * dayOfYear + 2) / 153 + 2)
    }

    /// The day of the month, from 1.
    package var day: Int { dayNumber - month.first.dayNumber + 1 }
}

extension CivilDate: CustomStringConvertible {
    /// `yyyy-MM-dd`.
    package var description: String { "\(month)-\(CivilMonth.twoDigits(day))" }
}

/// A day of the week; the raw value counts from Monday, 0.
package enum Weekday: Int, Sendable, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
}

/// A month of a year.
package struct CivilMonth: Sendable, Hashable, Comparable {
    /// Months since the beginning of the year 0.
    private let index: Int

    fileprivate init(index: Int) {
        self.index = index
    }

    package init(year: Int, month: Int) {
        index = year * 12 + month - 1
    }

    package var year: Int { index / 12 }
    package var month: Int { index % 12 + 1 }

    package func next(_ months: Int = 1) -> CivilMonth { CivilMonth(index: index + months) }

    package static func < (left: CivilMonth, right: CivilMonth) -> Bool { left.index < right.index }

    package var first: CivilDate {
        // Days before a month, counted from March so that a leap day comes last (Hinnant, chrono-compatible
        // algorithms).
        let shifted = year - (month <= 2 ? 1 : 0)
        let fromMarch = (month + 9) % 12
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + (153 * fromMarch + 2) / 5
        return CivilDate(dayNumber: days - 719_468)
    }

    package var last: CivilDate { next().first + -1 }

    /// The number of days.
    package var length: Int { next().first.dayNumber - first.dayNumber }

    package func contains(_ date: CivilDate) -> Bool { first <= date && date <= last }

    /// A day of the month, or its last one if it is shorter.
    package func day(_ day: Int) -> CivilDate { first + (min(day, length) - 1) }

    fileprivate static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension CivilMonth: CustomStringConvertible {
    /// `yyyy-MM`.
    package var description: String {
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "-" + Self.twoDigits(month)
    }
}
