package import Values

/// The wage terms of a worker over time: each applies from a day on, until the next; the first also to earlier days.
package struct TermHistory: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package var since: CivilDate
        package var terms: WageTerms

        package init(since: CivilDate, terms: WageTerms) {
            self.since = since
            self.terms = terms
        }
    }

    /// In ascending order, at least one.
    package let entries: [Entry]

    /// - Parameter entries: in ascending order; nil for an empty list.
    package init?(_ entries: [Entry]) {
        guard !entries.isEmpty else { return nil }
        self.entries = entries
    }

    /// Terms that never change.
    package init(_ terms: WageTerms) {
        entries = [Entry(since: CivilDate(dayNumber: 0), terms: terms)]
    }

    /// The entries that decide about the pay of a month: those that apply on one of its days, and one before them if
    /// weeks with its fixed pay may end in the month. Later changes do not affect a month.
    package func deciding(_ month: CivilMonth) -> TermHistory {
        let last = entries.lastIndex { $0.since <= month.last } ?? 0
        var first = entries.lastIndex { $0.since <= month.first } ?? 0
        if first > 0, entries[first].since > month.first.monday, entries[first - 1].terms.isPaidByWeek { first -= 1 }
        return TermHistory(Array(entries[first...max(first, last)])) ?? self
    }

    package func terms(on date: CivilDate) -> WageTerms {
        (entries.last { $0.since <= date } ?? entries[0]).terms
    }

    /// The newest terms.
    var last: WageTerms { entries[entries.count - 1].terms }

    /// The days in which each entry applies, of a range of days.
    func spans(of days: ClosedRange<CivilDate>) -> [(days: ClosedRange<CivilDate>, terms: WageTerms)] {
        entries.indices.compactMap { index in
            let first = index == 0 ? days.lowerBound : max(days.lowerBound, entries[index].since)
            let next = entries.index(after: index)
            let last = next == entries.endIndex ? days.upperBound : min(days.upperBound, entries[next].since + -1)
            return first <= last ? (first...last, entries[index].terms) : nil
        }
    }
}
