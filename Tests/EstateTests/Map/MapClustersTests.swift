import Postgres
import TestKit
import Testing
import Values

@testable import Estate

@Suite(.database(Migrations.all)) struct MapClustersTests {
    private var clusters: MapClusters { MapClusters(database: TestDatabase.current.client) }

    private static func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) throws -> MapBox {
        try #require(MapBox(south: south, west: west, north: north, east: east))
    }

    @Test(arguments: MapView.Method.allCases)
    func everyListing_isInOnePin(method: MapView.Method) async throws {
        let places = try await MapDataset.fill(3000)
        let whole = try Self.box(37.4, 126.8, 37.7, 127.2)
        for zoom in [7, 10.5, 11, 12] {
            let view = try await clusters.view(whole, zoom: zoom, ListingFilter(), method: method)
            #expect(view.clusters.reduce(view.singles.count) { $0 + $1.count } == places.count, "\(zoom)")
            let members = view.clusters.flatMap(\.members) + view.singles.map(\.publicID)
            #expect(Set(members).count == members.count)
            #expect(
                view.clusters.allSatisfy { $0.count >= 2 && $0.members.count <= min($0.count, MapView.memberLimit) }
            )
            if zoom == 12 {
                // No tile is full there.
                #expect(view.clusters.allSatisfy { $0.members.count == min($0.count, MapView.memberLimit) })
            }
            #expect(view.clusters.map(\.id) == view.clusters.map(\.id).sorted())
        }
    }

    @Test(arguments: MapView.Method.allCases)
    func movedMap_keepsPins(method: MapView.Method) async throws {
        try await MapDataset.fill(4000)
        var random = SplitMix(state: 8)
        let first = try Self.box(37.53, 126.97, 37.58, 127.01)
        let view = try await clusters.view(first, zoom: 13, ListingFilter(), method: method)
        #expect(view.clusters.count > 10)
        for _ in 0..<20 {
            let (up, right) = (
                Double.random(in: -0.01...0.01, using: &random), Double.random(in: -0.01...0.01, using: &random)
            )
            let moved = try Self.box(37.53 + up, 126.97 + right, 37.58 + up, 127.01 + right)
            let other = try await clusters.view(moved, zoom: 13, ListingFilter(), method: method)
            #expect(
                view.clusters.filter { $0.bounds.touches(moved) } == other.clusters.filter { $0.bounds.touches(first) }
            )
            func within(_ view: MapView, _ box: MapBox) -> [MapView.Single] {
                view.singles.filter { MapBox(around: $0.place).touches(box) }
            }
            #expect(within(view, moved) == within(other, first))
        }
    }

    @Test func crowdedArea_isShownBySpots() async throws {
        let crowd = MapClusters.crowd + 500
        var random = SplitMix(state: 9)
        let places = (0..<crowd).map { _ in
            Coordinate(
                latitude: Double.random(in: 37.560...37.561, using: &random),
                longitude: Double.random(in: 126.980...126.981, using: &random)
            ).rounded
        }
        try await MapDataset.insert(places)
        let box = try Self.box(37.55, 126.97, 37.57, 126.99)
        let view = try await clusters.view(box, zoom: 12, ListingFilter())
        #expect(view.singles.isEmpty)
        #expect(view.clusters.map(\.count) == [crowd])
        let cluster = try #require(view.clusters.first)
        #expect(abs(cluster.centre.latitude - 37.5605) < 0.0002 && abs(cluster.centre.longitude - 126.9805) < 0.0002)
        // The few listings that pass the filter are clustered one by one again.
        let few = try await clusters.view(box, zoom: 12, ListingFilter(rent: .init(least: Double(crowd - 9))))
        #expect(few.clusters.reduce(few.singles.count) { $0 + $1.count } == 10)
    }

    @Test func filters_keepMatchingListings() async throws {
        try await MapDataset.insert([Coordinate(latitude: 37.56, longitude: 126.98)], category: "아파트")
        try await MapDataset.insert([Coordinate(latitude: 37.56, longitude: 126.98)], category: "빌라")
        let box = try Self.box(37.55, 126.97, 37.57, 126.99)
        #expect(try await clusters.view(box, zoom: 14, ListingFilter()).clusters.map(\.count) == [2])
        let flats = try await clusters.view(box, zoom: 14, ListingFilter(category: "아파트"))
        #expect(flats.clusters.isEmpty && flats.singles.count == 1)
        #expect(try await clusters.view(box, zoom: 14, ListingFilter(category: "성")) == MapView())
    }

    @Test func tileQuery_usesIndexOnlyScan() async throws {
        try await MapDataset.fill(20_000)
        let database = TestDatabase.current.client
        try await database.execute("VACUUM listings")
        let box = try Self.box(37.53, 126.97, 37.58, 127.01)
        let filter = ListingFilter(
            category: "원룸",
            area: .init(least: 1),
            rent: .init(most: 1e9),
            deposit: .init(least: 0)
        )
        let query = TileStore.dots(MapTile.covering(box, level: 14), filter, limit: 2001)
        let plan = try await database.all("EXPLAIN \(query)") { try $0.decode(String.self) }.joined(separator: "\n")
        #expect(plan.contains("listings_cell_idx") && !plan.contains("Seq Scan"), "\(plan)")
        // During concurrent writes PostgreSQL may prefer a bitmap scan; without that it uses the index only.
        let alone = try await database.transaction { transaction in
            try await transaction.execute("SET LOCAL enable_bitmapscan = off")
            return try await transaction.all("EXPLAIN \(query)") { try $0.decode(String.self) }.joined(separator: "\n")
        }
        #expect(alone.contains("Index Only Scan using listings_cell_idx"), "\(alone)")
    }
}
