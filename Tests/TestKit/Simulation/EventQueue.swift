import Values

/// The pending events of a simulation. The earliest is next; among those of one instant the seed decides.
struct EventQueue<Event> {
    private struct Entry {
        var instant: Int64
        var draw: UInt64
        var event: Event

        func precedes(_ other: Entry) -> Bool {
            (instant, draw) < (other.instant, other.draw)
        }
    }

    /// A binary heap.
    private var entries: [Entry] = []
    private var random: SplitMix

    init(random: SplitMix) {
        self.random = random
    }

    /// The instant of the next event; nil when there is none.
    var next: Int64? { entries.first?.instant }

    mutating func add(_ event: Event, at instant: Int64) {
        entries.append(Entry(instant: instant, draw: random.next(), event: event))
        var child = entries.count - 1
        while child > 0, entries[child].precedes(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeFirst() -> Event? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return first.event
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].precedes(entries[least]) {
                least = child
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
