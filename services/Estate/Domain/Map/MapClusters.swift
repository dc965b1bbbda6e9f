import NIOPosix
import Postgres

/// Clusters of the map.
///
/// A view consists of the tiles that its box touches, each half a map tile (128 points) wide, and each tile is
/// clustered separately. Clusters therefore do not depend on the box, and no pin covers more than one tile.
struct MapClusters: Sendable {
    let database: PostgresClient
    private let kept = TileViews()
    private let store = TileStore()
    private let pins = MapStore()

    /// Zoom levels of maps.
    static let zooms = 0.0...22.0
    /// Maximum number of tiles per view, more than the largest tablet needs.
    static let tileLimit = 256
    /// Above this number of listings, a tile is aggregated by spots of two points in width.
    static let crowd = 2000
    /// How long views are cached; aggregated ones are more expensive, and are kept longer.
    private static let lifetime = Duration.seconds(5)
    private static let crowdLifetime = Duration.seconds(30)

    /// The clusters and single listings in a box that match a filter. Clusters that extend beyond the box are included.
    ///
    /// - Throws: `EstateError.rule` when the box is too large for the zoom.
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
        let keys = tiles.map { TileViews.Key(tile: $0, filter: filter, method: method, zoom: zoom) }
        var view = MapView()
        for part in try await kept.views(keys, make: make) {
            view.clusters += part.clusters.filter { $0.bounds.touches(box) }
            view.singles += part.singles.filter { MapBox(around: $0.place).touches(box) }
        }
        view.clusters.sort { $0.id < $1.id }
        view.singles.sort { $0.publicID < $1.publicID }
        return view
    }

    /// Removes what is cached of some cells, after listings there have changed.
    func forget(_ cells: [Int64]) {
        kept.remove(containing: cells)
    }

    /// - Parameter keys: They differ in the tile only.
    private func make(_ keys: [TileViews.Key]) async throws -> [TileViews.Made] {
        guard let first = keys.first else { return [] }
        let grouping = TileGrouping(method: first.method, zoom: first.zoom)
        let dots = try await store.dots(keys.map(\.tile), first.filter, limit: Self.crowd + 1, in: database)
        var (views, lifetimes): ([MapView], [Duration]) = ([], [])
        for (key, dots) in zip(keys, dots) {
            let isCrowded = dots.count > Self.crowd
            let points = isCrowded ? try await store.spots(key.tile, key.filter, in: database) : dots
            views.append(try await Self.view(of: points, grouping))
            lifetimes.append(isCrowded ? Self.crowdLifetime : Self.lifetime)
        }
        return zip(try await withCards(views), lifetimes).map { (view: $0, lifetime: $1) }
    }

    /// Views with what the pins of their single listings show, which is kept with the view: a listing is not changed.
    private func withCards(_ views: [MapView]) async throws -> [MapView] {
        let ids = views.filter { $0.singles.count <= MapView.cardLimit }.flatMap { $0.singles.map(\.publicID) }
        guard !ids.isEmpty else { return views }
        let cards = try await pins.cards(of: ids, in: database)
        return views.map { view in
            var view = view
            for index in view.singles.indices { view.singles[index].card = cards[view.singles[index].publicID] }
            return view
        }
    }

    /// Clusters on a thread of its own, since it takes a processor for milliseconds in which an event loop would do nothing
    /// else.
    private static func view(of dots: TilePoints, _ grouping: TileGrouping) async throws -> MapView {
        try await NIOThreadPool.singleton.runIfActive { grouping.view(of: dots) }
    }
}
