/// A person who left is nowhere.
///
/// Assumes that the tables were searched after all services had confirmed the erasure, for every marker of a person whose
/// withdrawal was acknowledged and not taken back by a sign-in; withdrawals with unknown answers promise nothing.
///
/// Checks that none of their markers was found outside of the places that keep them by law or for others.
package enum LeaversAreNowhere {
    package static let promise = "A person who left is nowhere."

    /// - Parameter keeping: The places in which a marker may stay, as in `Occurrence.place`.
    package static func check(_ leavers: [Leaver], found: [Occurrence], keeping: Set<String> = []) -> Finding {
        let gone = leavers.filter(\.attempt.outcome.isDone)
        let occurrences = Dictionary(grouping: found.filter { !keeping.contains($0.place) }, by: \.marker)
        let violations = gone.compactMap { leaver -> Violation? in
            let left = leaver.markers.sorted().flatMap { occurrences[$0] ?? [] }
            guard !left.isEmpty else { return nil }
            let places = Set(left.map(\.place)).sorted()
            let named = places.prefix(3).joined(separator: ", ") + (places.count > 3 ? ", …" : "")
            let account = leaver.attempt.account
            let steps = left.prefix(Violation.longestStory - 1).map { occurrence in
                let what = "has \"\(occurrence.marker)\" in \(occurrence.rows) rows"
                return Step(at: occurrence.at, phone: occurrence.place, what: what)
            }
            return Violation(
                "Account \(account) has left, and is still in \(named).",
                story: [leaver.attempt.step("withdrew account \(account)")] + steps
            )
        }
        return Finding(promise, checked: gone.reduce(0) { $0 + $1.markers.count }, violations: violations)
    }
}
