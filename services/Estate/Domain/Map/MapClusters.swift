import Postgres

/// The map with its clusters.
///
/// A screen is made of the tiles that it touches, half a map tile each (128 points wide), and each tile of its own listings
/// alone. So nothing depends on where the screen ends; and no pin stands for more than a tile, however dense a town is.
struct MapClusters: Sendable {
    let database: PostgresClient
    private let kept = TileViews()
    private let store = TileStore()

    init(database: PostgresClient) {
        self.database = database
    }

    /// Levels of zoom that maps have.
    static let zooms = 0.0...22.0
    /// A screen has at most so many tiles: more than the largest tablet's.
    static let tileLimit = 256
    /// A tile with more listings is shown by what stands at each of its spots, two points wide.
    static let crowd = 2000
    /// For so long a tile is shown as it was; a crowd, which takes longer, for longer.
    private static let lifetime = Duration.seconds(5)
    private static let crowdLifetime = Duration.seconds(30)

    /// What is to be seen within a box, of listings that match a filter. Clusters that reach beyond the box come whole.
    ///
    /// - Throws: `EstateError.rule` for a box that is too large for the zoom.
    func view(
        _ box: MapBox,
        zoom: Double,
        _ filter: ListingFilter,
        method: MapView.Method = .zoom
    ) async throws -> MapView {
        let level = min(max(Int(zoom.rounded()) + 1, 0), MapTile.deepest)
        guard MapTile.count(over: box, level: level) <= Self.tileLimit else {
            throw EstateError.rule("The box is too large for this zoom; it may have \(Self.tileLimit) tiles.")
        }
        let tiles = MapTile.covering(box, level: level)
        let grouping = TileGrouping(method: method, zoom: zoom)
        var view = MapView()
        for part in try await views(tiles, filter, grouping) {
            view.clusters += part.clusters.filter { $0.bounds.touches(box) }
            view.singles += part.singles.filter { MapBox(around: $0.place).touches(box) }
        }
        view.clusters.sort { $0.id < $1.id }
        view.singles.sort { $0.publicID < $1.publicID }
        return view
    }

    /// Forgets how tiles were shown, as there are other listings now.
    func forget() {
        kept.removeAll()
    }

    private func views(
        _ tiles: [MapTile],
        _ filter: ListingFilter,
        _ grouping: TileGrouping
    ) async throws -> [MapView] {
        var (known, unknown): ([MapView], [TileViews.Key]) = ([], [])
        for tile in tiles {
            let key = TileViews.Key(tile: tile, filter: filter, method: grouping.method, zoom: grouping.zoom)
            if let view = kept.view(key) { known.append(view) } else { unknown.append(key) }
        }
        // Two halves at once: while one waits for the database, the other is grouped.
        async let even = make(unknown.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element), grouping)
        let odd = try await make(unknown.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element), grouping)
        return try await known + even + odd
    }

    private func make(_ keys: [TileViews.Key], _ grouping: TileGrouping) async throws -> [MapView] {
        guard let filter = keys.first?.filter else { return [] }
        let edition = kept.edition
        let dots = try await store.dots(keys.map(\.tile), filter, limit: Self.crowd + 1, in: database)
        var views: [MapView] = []
        for (key, dots) in zip(keys, dots) {
            if dots.count <= Self.crowd {
                let view = grouping.view(of: dots)
                kept.keep(view, as: key, for: Self.lifetime, edition: edition)
                views.append(view)
            } else {
                let view = try await kept.view(key, for: Self.crowdLifetime) {
                    grouping.view(of: try await store.spots(key.tile, filter, in: database))
                }
                views.append(view)
            }
        }
        return views
    }
}
