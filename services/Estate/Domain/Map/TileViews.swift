import Synchronization

/// A short-lived cache of tile views, since many clients view the same area.
final class TileViews: Sendable {
    struct Key: Hashable {
        var tile: MapTile
        var filter: ListingFilter
        var method: MapView.Method
        var zoom: Double
    }

    /// A view, and how long it is cached.
    typealias Made = (view: MapView, lifetime: Duration)

    fileprivate enum Entry {
        case made(MapView, until: ContinuousClock.Instant)
        /// Concurrent callers wait for the same task.
        case making(Batch)
    }

    /// Views that are computed together.
    fileprivate struct Batch: Hashable {
        let number: Int
        let task: Task<[Key: MapView], any Error>
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var batches = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: Maximum number of views.
    init(limit: Int = 2000) {
        self.limit = limit
    }

    /// Cached views, and new ones of the other keys, in no particular order; concurrent callers share one computation.
    ///
    /// - Parameter make: Computes the views of some keys, in their order.
    func views(_ keys: [Key], make: @escaping @Sendable ([Key]) async throws -> [Made]) async throws -> [MapView] {
        var (views, batches) = state.withLock { state in
            let (views, waiting, unknown) = state.entries.views(keys)
            var batches = waiting
            // Two halves in parallel, so that one is clustered while the other waits for the database.
            for parity in 0..<min(unknown.count, 2) {
                let half = unknown.indices.filter { $0 % 2 == parity }.map { unknown[$0] }
                state.batches += 1
                let batch = begin(half, number: state.batches, make)
                for key in half { state.entries.insert(.making(batch), as: key, limit: limit) }
                batches[batch] = half
            }
            return (views, batches)
        }
        for (batch, keys) in batches {
            let made = try await batch.task.value
            views += keys.compactMap { made[$0] }
        }
        return views
    }

    /// Removes the views of all tiles that contain one of the cells. Who waits for one of these views gets it, but it is not
    /// cached: it may lack the change.
    func remove(containing cells: [Int64]) {
        state.withLock { state in
            for key in state.entries.keys where cells.contains(where: key.tile.cells.contains) {
                state.entries[key] = nil
            }
        }
    }

    /// Begins an unstructured task, since other callers may wait for it after this one is cancelled.
    private func begin(
        _ keys: [Key],
        number: Int,
        _ make: @escaping @Sendable ([Key]) async throws -> [Made]
    ) -> Batch {
        let task = Task { [self] in
            do {
                let made = try await make(keys)
                end(number, zip(keys, made).map { ($0, .made($1.view, until: .now + $1.lifetime)) })
                return Dictionary(zip(keys, made.map(\.view))) { first, _ in first }
            } catch {
                end(number, keys.map { ($0, nil) })
                throw error
            }
        }
        return Batch(number: number, task: task)
    }

    /// Replaces the entries of a batch, unless they were removed meanwhile.
    private func end(_ batch: Int, _ results: [(Key, Entry?)]) {
        state.withLock { state in
            for (key, entry) in results {
                if case .making(let making) = state.entries[key], making.number == batch { state.entries[key] = entry }
            }
        }
    }
}

extension [TileViews.Key: TileViews.Entry] {
    /// Cached views, those that are being computed, and the keys without either.
    fileprivate func views(
        _ keys: [TileViews.Key]
    ) -> (made: [MapView], making: [TileViews.Batch: [TileViews.Key]], unknown: [TileViews.Key]) {
        let now = ContinuousClock.now
        var (made, making, unknown): ([MapView], [TileViews.Batch: [TileViews.Key]], [TileViews.Key]) = ([], [:], [])
        for key in keys {
            switch self[key] {
            case .made(let view, let until) where now < until: made.append(view)
            case .making(let batch): making[batch, default: []].append(key)
            case .made, nil: unknown.append(key)
            }
        }
        return (made, making, unknown)
    }

    fileprivate mutating func insert(_ entry: TileViews.Entry, as key: TileViews.Key, limit: Int) {
        if count >= limit {
            let now = ContinuousClock.now
            self = filter {
                if case .made(_, let until) = $0.value { now < until } else { true }
            }
            if count >= limit { removeAll() }
        }
        self[key] = entry
    }
}
