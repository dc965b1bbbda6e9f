/// The pending timers of an event loop, earliest first. They are few: one per waiting connection or pool.
struct LoopTimers {
    typealias ID = UInt64

    private var pending: [(id: ID, due: ContinuousClock.Instant, body: @PostgresLoop () -> Void)] = []
    private var lastID: ID = 0

    mutating func add(at due: ContinuousClock.Instant, _ body: @escaping @PostgresLoop () -> Void) -> ID {
        lastID += 1
        let position = pending.firstIndex { $0.due > due } ?? pending.endIndex
        pending.insert((lastID, due, body), at: position)
        return lastID
    }

    mutating func remove(_ id: ID) {
        pending.removeAll { $0.id == id }
    }

    /// Removes the next timer that is due.
    mutating func popDue() -> (@PostgresLoop () -> Void)? {
        guard let first = pending.first, first.due <= .now else { return nil }
        return pending.removeFirst().body
    }

    /// The time until the next timer, rounded up to whole milliseconds; -1 if there is none.
    func millisecondsUntilNext() -> Int32 {
        guard let due = pending.first?.due else { return -1 }
        let (seconds, attoseconds) = (due - .now).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
