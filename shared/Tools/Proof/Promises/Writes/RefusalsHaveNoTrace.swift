/// What was answered with a refusal has not happened.
///
/// Assumes that a refused write would have left a value that no other write of the place has, such as a text that only it
/// has: where another write that was done or may have been done has the same value, or the place had it before the run,
/// nothing is checked. Deletions are checked by `WritesAreKept`, which takes a refused one for none.
///
/// Checks that no phone and no table has read the value of a refused write after its begin.
package enum RefusalsHaveNoTrace {
    package static let promise = "What was refused has not happened."

    package static func check(_ history: WriteHistory) -> Finding {
        let refused = history.writes.filter { $0.attempt.outcome.isRefused && $0.value != nil }
        let explained = Set(
            history.writes.filter { !$0.attempt.outcome.isRefused }.map { Content(place: $0.place, value: $0.value) }
                + history.initial.map { Content(place: $0.key, value: $0.value) }
        )
        let readings = Dictionary(grouping: history.readings) { Content(place: $0.place, value: $0.value) }
        let violations = refused.compactMap { write -> Violation? in
            let content = Content(place: write.place, value: write.value)
            guard !explained.contains(content) else { return nil }
            let seen = (readings[content] ?? []).filter { $0.ended >= write.attempt.begun }
            guard let first = seen.min(by: { $0.begun < $1.begun }) else { return nil }
            return Violation(
                "\(write.place): \(first.reader) has \"\(write.value ?? "")\", which \(write.attempt.phone) was refused.",
                story: [write.step] + seen.prefix(5).map(\.step)
            )
        }
        return Finding(promise, checked: refused.count, violations: violations)
    }

    private struct Content: Hashable {
        var place: String
        var value: String?
    }
}
