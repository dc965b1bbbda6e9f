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

    /// Clears the cache after listings have changed.
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
        // Two halves in parallel, so that one is clustered while the other waits for the database.
        async let even = make(unknown.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element), grouping)
        let odd = try await make(unknown.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element), grouping)
        return try await known + even + odd
    }

    private func make(_ keys: [TileViews.Key], _ grouping: TileGrouping) async throws -> [MapView] {
        guard let filter = keys.first?.filter else { return [] }
        let edition = kept.edition
        let dots = try await store.dots(keys.map(\.tile), filter, limit: Self.crowd + 1, in: database)
        var views: [MapView] = []
        for (key, dots) in zip(keys, dots) where dots.count > Self.crowd {
            let view = try await kept.view(key, for: Self.crowdLifetime) {
                let spots = try await store.spots(key.tile, filter, in: database)
                return try await withCards([Self.view(of: spots, grouping)])[0]
            }
            views.append(view)
        }
        var new: [(key: TileViews.Key, view: MapView)] = []
        for (key, dots) in zip(keys, dots) where dots.count <= Self.crowd {
            new.append((key, try await Self.view(of: dots, grouping)))
        }
        let shown = try await withCards(new.map(\.view))
        for ((key, _), view) in zip(new, shown) { kept.keep(view, as: key, for: Self.lifetime, edition: edition) }
        return views + shown
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
