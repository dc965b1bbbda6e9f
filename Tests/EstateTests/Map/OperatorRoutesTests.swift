import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Estate

/// What operators see of the map.
@Suite(.database(Migrations.all), .service) struct OperatorRoutesTests {
    private var world: EstateWorld { .current }
    private var console: ServiceClient { ServiceClient(world.client, to: .estate, process: .console) }

    @Test func clusters_areThoseOfTheApp_withShownPositions() async throws {
        let (five, lone) = ((37.5446, 127.0459), (37.5446, 127.1338))
        var ids: [String] = []
        for _ in 0..<5 { ids.append(try await world.list(9, .at(five.0, five.1))) }
        let single = try await world.list(9, .at(lone.0, lone.1))
        let answer = try await console.send(.get, OperatorsAPI.Map.path(bbox: "126.8,37.4,127.2,37.7", zoom: 11))
        let map = try answer.json(OperatorsAPI.Map.self)
        #expect(map.listings == 6 && map.clusters.map(\.count) == [5])
        #expect(map.clusters.first?.id.rawValue == ids.min())
        #expect(map.singles.map(\.id.rawValue) == [single])
        let pin = try #require(map.singles.first)
        #expect((pin.latitude, pin.longitude) != lone)
        let cluster = try #require(map.clusters.first)
        #expect(cluster.south <= cluster.latitude && cluster.latitude <= cluster.north)
        #expect(cluster.west <= cluster.longitude && cluster.longitude <= cluster.east)
    }

    @Test(arguments: [
        "", "?zoom=11", "?zoom=11&bbox=1,2,3", "?zoom=23&bbox=126.8,37.4,127.2,37.7", "?bbox=126.8,37.4,127.2,37.7",
        "?zoom=11&bbox=127.2,37.4,126.8,37.7", "?zoom=22&bbox=126.8,37.4,127.2,37.7", "?zoom=x&bbox=%00",
    ])
    func invalidArea_isRefused(query: String) async throws {
        #expect(try await console.send(.get, "/internal/operators/map\(query)").status == .badRequest)
    }

    @Test func map_isLimited_largestClustersFirst() {
        let place = Coordinate(latitude: 37, longitude: 127)
        let view = MapView(
            clusters: (1...600).map { number in
                MapView.Cluster(
                    id: PublicID(unchecked: "\(number)"),
                    count: number,
                    centre: place,
                    bounds: MapBox(around: place),
                    members: PackedIDs([])
                )
            },
            singles: (1...700).map { MapView.Single(publicID: PublicID(unchecked: "s\($0)"), place: place) }
        )
        let map = OperatorsAPI.Map(view)
        #expect(map.clusters.map(\.count) == (101...600).reversed())
        #expect(map.singles.count == OperatorsAPI.Map.limit && map.listings == 600 * 601 / 2 + 700)
    }
}
