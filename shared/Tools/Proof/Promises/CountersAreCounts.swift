/// A counter equals what it counts.
///
/// Assumes that the number and what it counts were read from one snapshot, or after all phones had stopped and all events
/// between services had been delivered.
package enum CountersAreCounts {
    package static let promise = "Every counter equals what it counts."

    package static func check(_ counters: [CounterPair]) -> Finding {
        let violations = counters.filter { $0.stated != $0.counted }.map { counter in
            let (stated, counted) = (counter.stated, counter.counted)
            let what = "\(counter.subject): \(stated)"
            return Violation(
                "\(counter.reader) has \(stated) \(counter.subject), but there are \(counted).",
                story: [
                    Step(at: counter.at, phone: counter.reader, what: what, trace: counter.trace),
                    Step(at: counter.at, phone: "table", what: "\(counter.subject): \(counted) counted"),
                ]
            )
        }
        return Finding(promise, checked: counters.count, violations: violations)
    }
}
