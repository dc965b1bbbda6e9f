package import FoundationEssentials

/// Instants as Korea's clocks show them: nine hours ahead of UTC, without daylight saving.
package enum SeoulTime {
    /// In seconds.
    package static let offset = 9 * 3600

    /// The day that an instant is in.
    package static func date(of instant: Date) -> CivilDate {
        CivilDate(dayNumber: seconds(instant).quotient(dividingBy: 86_400))
    }

    /// Whole minutes after midnight.
    package static func minute(of instant: Date) -> Int {
        seconds(instant).remainder(dividingBy: 86_400) / 60
    }

    /// When a minute of a day begins.
    package static func instant(_ date: CivilDate, minute: Int = 0) -> Date {
        Date(timeIntervalSince1970: Double(date.dayNumber * 86_400 + minute * 60 - offset))
    }

    /// Whole minutes from one instant to another; 0 when it is none.
    package static func minutes(from start: Date, to end: Date) -> Int {
        max(0, Int((end.timeIntervalSince1970 - start.timeIntervalSince1970).rounded(.down)) / 60)
    }

    /// Without fractions of a second: the client reads none.
    package static func wholeSeconds(_ instant: Date) -> Date {
        Date(timeIntervalSince1970: instant.timeIntervalSince1970.rounded(.down))
    }

    private static func seconds(_ instant: Date) -> Int {
        Int(instant.timeIntervalSince1970.rounded(.down)) + offset
    }
}

extension Int {
    /// Rounded down, also below zero.
    fileprivate func quotient(dividingBy divisor: Int) -> Int {
        (self - remainder(dividingBy: divisor)) / divisor
    }

    fileprivate func remainder(dividingBy divisor: Int) -> Int {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
