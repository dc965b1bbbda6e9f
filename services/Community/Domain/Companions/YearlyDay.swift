import Values

/// A month and day without a year.
struct YearlyDay: Sendable, Equatable {
    let month: Int
    let day: Int

    /// nil when no year has this day.
    init?(month: Int, day: Int) {
        // A leap year has all days.
        guard CivilDate(year: 2000, month: month, day: day) != nil else { return nil }
        self.month = month
        self.day = day
    }

    /// The date with this month and day nearest to another date, the later of two equally near: in late December, 1
    /// January is that of the next year.
    func nearest(to today: CivilDate) -> CivilDate? {
        let year = today.month.year
        // Two leap years are at most eight years apart.
        let candidates = (year - 8...year + 8).compactMap { CivilDate(year: $0, month: month, day: day) }
        return candidates.min { left, right in
            let (near, far) = (abs(left.dayNumber - today.dayNumber), abs(right.dayNumber - today.dayNumber))
            return near == far ? left > right : near < far
        }
    }
}
