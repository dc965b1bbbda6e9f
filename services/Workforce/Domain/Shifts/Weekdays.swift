import Values

/// A set of weekdays; bit 0 is Monday.
struct Weekdays: OptionSet, Sendable {
    let rawValue: Int

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    init(_ days: some Sequence<Weekday>) {
        self.init(rawValue: days.reduce(0) { $0 | 1 << $1.rawValue })
    }

    func contains(_ day: Weekday) -> Bool { rawValue & 1 << day.rawValue != 0 }

    /// Monday first.
    var days: [Weekday] { Weekday.allCases.filter(contains) }
}
