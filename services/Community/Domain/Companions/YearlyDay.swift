import CivilTime

/// A month and a day, of no year in particular.
struct YearlyDay: Sendable, Equatable {
    let month: Int
    let day: Int

    /// nil for a day that no year has.
    init?(month: Int, day: Int) {
        // A leap year has every day.
        guard CivilDate(year: 2000, month: month, day: day) != nil else { return nil }
        self.month = month
        self.day = day
    }

    /// The day of this kind that is nearest to another, the later of two: in late December, the first of January is the next
    /// one and not the last.
    func nearest(to today: CivilDate) -> CivilDate? {
        let year = today.month.year
        // Between two leap years lie eight at most.
        let candidates = (year - 8...year + 8).compactMap { CivilDate(year: $0, month: month, day: day) }
        return candidates.min { left, right in
            let (near, far) = (abs(left.dayNumber - today.dayNumber), abs(right.dayNumber - today.dayNumber))
            return near == far ? left > right : near < far
        }
    }
}
