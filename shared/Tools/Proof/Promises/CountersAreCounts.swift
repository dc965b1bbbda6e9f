/// A counter equals what it counts.
///
/// Assumes that the number and what it counts were read from one snapshot, or after all phones had stopped and all events
/// between services had been delivered. What is unread changes while people read it, and is compared with what their phones
/// know (`UnreadIsCounted`).
package enum CountersAreCounts {
    package static let promise = "Every counter equals what it counts."

    package static func check(
        _ counters: [CounterPair],
        unreadIn rooms: [RoomHistory] = [],
        badges pushes: PushHistory = PushHistory()
    ) -> Finding {
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
        let shown = rooms.reduce(0) { $0 + $1.unreadCounts.count } + pushes.arrivals.count { $0.badge != nil }
        return Finding(
            promise,
            checked: counters.count + shown,
            violations: violations + UnreadIsCounted.lists(rooms) + UnreadIsCounted.badges(pushes, rooms)
        )
    }
}
