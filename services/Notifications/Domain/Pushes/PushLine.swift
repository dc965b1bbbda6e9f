import DequeModule
import FoundationEssentials

/// What was taken and waits for its turn, one of a number of ways to FCM being free.
struct PushLine: Sendable {
    private let ways: Int
    private var waiting: Deque<(push: Push, until: Date)> = []
    private var busy = 0

    init(ways: Int) {
        self.ways = ways
    }

    /// - Parameter end: until when they may wait.
    /// - Returns: how many ways are to be opened for them.
    mutating func add(_ pushes: [Push], until end: Date) -> Int {
        waiting.append(contentsOf: pushes.map { ($0, end) })
        let more = min(ways - busy, waiting.count)
        busy += more
        return more
    }

    /// The next on a way; nil closes the way.
    ///
    /// - Returns: also those whose turn it was, and that may not go.
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
