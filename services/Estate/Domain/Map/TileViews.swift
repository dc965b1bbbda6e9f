import Synchronization

/// Views of tiles that were made a moment ago: many phones look at the same town.
final class TileViews: Sendable {
    struct Key: Hashable {
        var tile: MapTile
        var filter: ListingFilter
        var method: MapView.Method
        var zoom: Double
    }

    fileprivate enum State {
        case made(MapView)
        /// Whoever asks meanwhile waits for the same.
        case making(Task<MapView, any Error>)
    }

    fileprivate struct Entry {
        var state: State
        var until: ContinuousClock.Instant
    }

    private let entries = Mutex<[Key: Entry]>([:])
    /// How often all views were forgotten.
    private let forgotten = Atomic(0)
    private let limit: Int

    /// - Parameter limit: how many views are kept.
    init(limit: Int = 2000) {
        self.limit = limit
    }

    /// The view that is kept; nil when there is none.
    func view(_ key: Key) -> MapView? {
        let now = ContinuousClock.now
        return entries.withLock { entries in
            guard let entry = entries[key], now < entry.until, case .made(let view) = entry.state else { return nil }
            return view
        }
    }

    /// What a view is of that begins to be made now.
    var edition: Int { forgotten.load(ordering: .sequentiallyConsistent) }

    /// Keeps a view for a time, unless all were forgotten since it began to be made: it may lack what they were forgotten for.
    func keep(_ view: MapView, as key: Key, for time: Duration, edition: Int) {
        entries.withLock { entries in
            guard edition == self.edition else { return }
            entries.insert(Entry(state: .made(view), until: .now + time), as: key, limit: limit)
        }
    }

    func removeAll() {
        entries.withLock { entries in
            forgotten.wrappingAdd(1, ordering: .sequentiallyConsistent)
            entries.removeAll()
        }
    }

    /// The view that is kept, or else a new one, which is made once, however many ask for it at a time.
    func view(_ key: Key, for time: Duration, make: @escaping @Sendable () async throws -> MapView) async throws
        -> MapView
    {
        let task = entries.withLock { entries in
            switch entries[key].flatMap({ ContinuousClock.now < $0.until ? $0.state : nil }) {
            case .made(let view): return Task<MapView, any Error> { view }
            case .making(let task): return task
            case nil:
                // Not the caller's task: others may wait for it when the caller has gone.
                let task = Task { try await make() }
                entries.insert(Entry(state: .making(task), until: .now + time), as: key, limit: limit)
                return task
            }
        }
        do {
            return try await task.value
        } catch {
            entries.withLock { entries in
                if case .making(let made) = entries[key]?.state, made == task { entries[key] = nil }
            }
            throw error
        }
    }
}

extension [TileViews.Key: TileViews.Entry] {
    fileprivate mutating func insert(_ entry: TileViews.Entry, as key: TileViews.Key, limit: Int) {
        if count >= limit {
            let now = ContinuousClock.now
            self = filter { now < $0.value.until }
            if count >= limit { removeAll() }
        }
        self[key] = entry
    }
}
