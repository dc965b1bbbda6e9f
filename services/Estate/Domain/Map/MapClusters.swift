import Postgres

/// The map with its clusters.
///
/// A screen is made of the tiles that it touches, half a map tile each (128 points wide), and each tile of its own listings
/// alone. So nothing depends on where the screen ends; and no pin stands for more than a tile, however dense a town is.
struct MapClusters: Sendable {
    let database: PostgresClient
    let crowds: CrowdedTiles
    private let store = TileStore()

    init(database: PostgresClient, crowds: CrowdedTiles = CrowdedTiles()) {
        self.database = database
        self.crowds = crowds
    }

    /// Levels of zoom that maps have.
    static let zooms = 0.0...22.0
    /// A screen has at most so many tiles: more than the largest tablet's.
    static let tileLimit = 256
    /// A tile with more listings is shown by what stands at each of its spots, two points wide.
    static let crowd = 2000

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

    private func views(
        _ tiles: [MapTile],
        _ filter: ListingFilter,
        _ grouping: TileGrouping
    ) async throws -> [MapView] {
        // Two halves at once: while one waits for the database, the other is grouped.
        let middle = tiles.count / 2
        async let first = half(tiles[..<middle], filter, grouping)
        let second = try await half(tiles[middle...], filter, grouping)
        return try await first + second
    }

    private func half(
        _ tiles: ArraySlice<MapTile>,
        _ filter: ListingFilter,
        _ grouping: TileGrouping
    ) async throws -> [MapView] {
        guard !tiles.isEmpty else { return [] }
        let dots = try await store.dots(Array(tiles), filter, limit: Self.crowd + 1, in: database)
        var views: [MapView] = []
        for (tile, dots) in zip(tiles, dots) where dots.count > 0 {
            guard dots.count > Self.crowd else {
                views.append(grouping.view(of: dots))
                continue
            }
            let key = CrowdedTiles.Key(tile: tile, filter: filter, method: grouping.method, zoom: grouping.zoom)
            let view = try await crowds.view(key) {
                grouping.view(of: try await store.spots(tile, filter, in: database))
            }
            views.append(view)
        }
        return views
    }
}
