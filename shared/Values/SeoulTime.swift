package import FoundationEssentials

/// Korean local time: nine hours ahead of UTC, without daylight saving.
package enum SeoulTime {
    /// In seconds.
    package static let offset = 9 * 3600

    /// The day of an instant.
    package static func date(of instant: Date) -> CivilDate {
        CivilDate(dayNumber: seconds(instant).quotient(dividingBy: 86_400))
    }

    /// Whole minutes after midnight.
    package static func minute(of instant: Date) -> Int {
        seconds(instant).remainder(dividingBy: 86_400) / 60
    }

    /// The start of a minute of a day.
    package static func instant(_ date: CivilDate, minute: Int = 0) -> Date {
        Date(timeIntervalSince1970: Double(date.dayNumber * 86_400 + minute * 60 - offset))
    }

    /// Whole minutes from one instant to another; 0 if the end is earlier.
    package static func minutes(from start: Date, to end: Date) -> Int {
        max(0, Int((end.timeIntervalSince1970 - start.timeIntervalSince1970).rounded(.down)) / 60)
    }

    /// The instant without fractions of a second, which the client cannot parse.
    package static func wholeSeconds(_ instant: Date) -> Date {
        Date(timeIntervalSince1970: instant.timeIntervalSince1970.rounded(.down))
    }

    private static func seconds(_ instant: Date) -> Int {
        Int(instant.timeIntervalSince1970.rounded(.down)) + offset
    }
}

extension Int {
    /// Rounded down, also for negative numbers.
    fileprivate func quotient(dividingBy divisor: Int) -> Int {
        (self - remainder(dividingBy: divisor)) / divisor
    }

    fileprivate func remainder(dividingBy divisor: Int) -> Int {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
