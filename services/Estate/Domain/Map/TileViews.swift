import Synchronization

/// A short-lived cache of tile views, since many clients view the same area.
final class TileViews: Sendable {
    struct Key: Hashable {
        var tile: MapTile
        var filter: ListingFilter
        var method: MapView.Method
        var zoom: Double
    }

    fileprivate enum State {
        case made(MapView)
        /// Concurrent callers wait for the same task.
        case making(Task<MapView, any Error>)
    }

    fileprivate struct Entry {
        var state: State
        var until: ContinuousClock.Instant
    }

    private let entries = Mutex<[Key: Entry]>([:])
    /// Number of times the cache was cleared.
    private let forgotten = Atomic(0)
    private let limit: Int

    /// - Parameter limit: Maximum number of views.
    init(limit: Int = 2000) {
        self.limit = limit
    }

    /// The cached view; nil when there is none.
    func view(_ key: Key) -> MapView? {
        let now = ContinuousClock.now
        return entries.withLock { entries in
            guard let entry = entries[key], now < entry.until, case .made(let view) = entry.state else { return nil }
            return view
        }
    }

    /// The edition of a view whose computation begins now.
    var edition: Int { forgotten.load(ordering: .sequentiallyConsistent) }

    /// Caches a view, unless the cache was cleared since its computation began: the view may lack the change.
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

    /// The cached view, or a new one; concurrent callers share one computation.
    func view(_ key: Key, for time: Duration, make: @escaping @Sendable () async throws -> MapView) async throws
        -> MapView
    {
        let task = entries.withLock { entries in
            switch entries[key].flatMap({ ContinuousClock.now < $0.until ? $0.state : nil }) {
            case .made(let view): return Task<MapView, any Error> { view }
            case .making(let task): return task
            case nil:
                // An unstructured task, since other callers may wait for it after this one is cancelled.
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
