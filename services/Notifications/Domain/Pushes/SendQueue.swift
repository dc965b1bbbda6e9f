import DequeModule
import FoundationEssentials

/// Taken pushes that wait for one of a limited number of sending tasks.
struct SendQueue: Sendable {
    private let slots: Int
    private var waiting: Deque<(push: Push, until: Date)> = []
    private var busy = 0

    init(slots: Int) {
        self.slots = slots
    }

    /// - Parameter end: When the pushes expire.
    /// - Returns: The number of tasks to start.
    mutating func add(_ pushes: [Push], until end: Date) -> Int {
        waiting.append(contentsOf: pushes.map { ($0, end) })
        let more = min(slots - busy, waiting.count)
        busy += more
        return more
    }

    /// The next push of a task; nil ends the task.
    ///
    /// - Returns: Also the pushes that have expired or must not be sent.
    mutating func next(at now: Date, mayGo: (Push) -> Bool) -> (push: Push?, left: [Push]) {
        var left: [Push] = []
        while let (push, end) = waiting.popFirst() {
            if end > now, mayGo(push) { return (push, left) }
            left.append(push)
        }
        busy -= 1
        return (nil, left)
    }
}
