import Testing
import Values

@testable import Estate

@Suite struct TileViewsTests {
    private static let key = TileViews.Key(
        tile: MapTile.covering(MapBox(around: Coordinate(latitude: 37.5, longitude: 127)), level: 12)[0],
        filter: ListingFilter(),
        method: .zoom,
        zoom: 11
    )

    @Test func view_isCachedUntilRemoval() {
        let views = TileViews()
        views.keep(MapView(), as: Self.key, for: .seconds(60), edition: views.edition)
        #expect(views.view(Self.key) != nil)
        views.removeAll()
        #expect(views.view(Self.key) == nil)
    }

    /// The view was read before the change that cleared the cache.
    @Test func view_ofOlderEdition_isNotCached() {
        let views = TileViews()
        let edition = views.edition
        views.removeAll()
        views.keep(MapView(), as: Self.key, for: .seconds(60), edition: edition)
        #expect(views.view(Self.key) == nil)
    }
}
