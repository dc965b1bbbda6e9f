import Synchronization

/// Views of tiles that take long to make, kept for a while: each is made once at a time, however many ask.
final class CrowdedTiles: Sendable {
    struct Key: Hashable {
        var tile: MapTile
        var filter: ListingFilter
        var method: MapView.Method
        var zoom: Double
    }

    private struct Entry {
        var view: Task<MapView, any Error>
        var madeAt: ContinuousClock.Instant
    }

    private let entries = Mutex<[Key: Entry]>([:])
    private let lifetime: Duration
    private let limit: Int

    /// - Parameters:
    ///   - lifetime: how long a view is kept.
    ///   - limit: how many views are kept.
    init(lifetime: Duration = .seconds(30), limit: Int = 1000) {
        self.lifetime = lifetime
        self.limit = limit
    }

    /// The view that is kept, or else a new one.
    func view(_ key: Key, make: @escaping @Sendable () async throws -> MapView) async throws -> MapView {
        let now = ContinuousClock.now
        let task = entries.withLock { entries in
            if let entry = entries[key], now - entry.madeAt < lifetime { return entry.view }
            if entries.count >= limit { entries = entries.filter { now - $0.value.madeAt < lifetime } }
            if entries.count >= limit { entries.removeAll() }
            // Not the caller's task: others may wait for it when the caller has gone.
            let task = Task { try await make() }
            entries[key] = Entry(view: task, madeAt: now)
            return task
        }
        do {
            return try await task.value
        } catch {
            entries.withLock { entries in
                if entries[key]?.view == task { entries[key] = nil }
            }
            throw error
        }
    }
}
