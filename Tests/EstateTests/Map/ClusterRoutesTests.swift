import Apps
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Estate

@Suite(.database(Migrations.all), .service) struct ClusterRoutesTests {
    private var world: EstateWorld { .current }

    struct Body: Decodable {
        var clusters: [Cluster]
        var estates: [Pin]

        struct Cluster: Decodable {
            var clusterID: String
            var count: Int
            var size: Double
            var geolocation: EstateAnswer.Place
            var bounds: [String: Double]
            var estateIDs: [String]

            enum CodingKeys: String, CodingKey {
                case count, size, geolocation, bounds
                case clusterID = "cluster_id"
                case estateIDs = "estate_ids"
            }
        }

        struct Pin: Decodable {
            var estateID: String
            var geolocation: EstateAnswer.Place
            var category: String?
            var deposit: Int?
            var monthlyRent: Int?
            var thumbnail: String?

            enum CodingKeys: String, CodingKey {
                case geolocation, category, deposit, thumbnail
                case estateID = "estate_id"
                case monthlyRent = "monthly_rent"
            }
        }
    }

    @Test func clustersAndSinglePins_areReturned() async throws {
        // A pair, a group of five, and a single listing far from both: each in the middle of a tile.
        let (pair, five, lone) = ((37.5446, 126.958), (37.5446, 127.0459), (37.5446, 127.1338))
        var ids: [String: [String]] = [:]
        for (name, place, count) in [("pair", pair, 2), ("five", five, 5), ("lone", lone, 1)] {
            for _ in 0..<count { ids[name, default: []].append(try await world.list(9, .at(place.0, place.1))) }
        }
        for query in ["bbox=126.8,37.4,127.2,37.7", "longitude=127.04&latitude=37.55&maxDistance=12000"] {
            let answer = try await world.client(1).send(.get, "/v1/estates/clusters?zoom=11&\(query)")
            let body = try answer.json(Body.self)
            let found = body.clusters.sorted { $0.count < $1.count }
            #expect(found.map(\.count) == [2, 5])
            #expect(found.map { $0.estateIDs } == [ids["pair"]?.sorted(), ids["five"]?.sorted()])
            #expect(found.map(\.size) == [25, 50])
            #expect(found.allSatisfy { $0.clusterID == $0.estateIDs.first })
            #expect(found.allSatisfy { Set($0.bounds.keys) == ["south", "west", "north", "east"] })
            let pin = try #require(body.estates.first)
            #expect(body.estates.map(\.estateID) == ids["lone"])
            #expect((pin.category, pin.deposit, pin.monthlyRent) == ("원룸", 10_000_000, 550_000))
            // The displaced position, also for the creator.
            #expect(pin.geolocation.coordinate != Coordinate(latitude: lone.0, longitude: lone.1))
            let own = try await world.client(9).send(.get, "/v1/estates/clusters?zoom=11&\(query)").json(Body.self)
            #expect(own.estates.first?.geolocation == pin.geolocation)
        }
    }

    @Test func pinsAskedForAgain_showTheSame() async throws {
        let path = "/v1/estates/clusters?zoom=13&bbox=127.0,37.6,127.1,37.7"
        _ = try await world.list(9, .at(37.61, 127.01) { ($0.category, $0.deposit, $0.monthlyRent) = ("빌라", 1, 2) })
        _ = try await world.list(9, .at(37.69, 127.09))
        let first = try await world.client(1).send(.get, path)
        let pins = try first.json(Body.self).estates.sorted { $0.geolocation.latitude < $1.geolocation.latitude }
        #expect(pins.map(\.category) == ["빌라", "원룸"] && pins.map(\.deposit) == [1, 10_000_000])
        #expect(pins.map(\.monthlyRent) == [2, 550_000])
        #expect(try await world.client(2).send(.get, path).text == first.text)
    }

    @Test func newListing_appearsAtOnce() async throws {
        let path = "/v1/estates/clusters?zoom=13&bbox=127.04,37.64,127.05,37.66"
        for count in 1...3 {
            _ = try await world.list()
            let body = try await world.client(1).send(.get, path).json(Body.self)
            #expect(body.clusters.reduce(body.estates.count) { $0 + $1.count } == count)
        }
    }

    @Test(arguments: [
        "bbox=126.9,37.5,127.1,37.6", "zoom=99&bbox=126.9,37.5,127.1,37.6", "zoom=-1&bbox=126.9,37.5,127.1,37.6",
        "zoom=nan&bbox=126.9,37.5,127.1,37.6", "zoom=13", "zoom=13&bbox=127.1,37.5,126.9,37.6",
        "zoom=13&bbox=126.9,37.6,127.1,37.5", "zoom=13&bbox=126.9,37.5,127.1", "zoom=13&bbox=a,b,c,d",
        "zoom=13&bbox=126.9,37.5,nan,37.6", "zoom=13&bbox=-181,37.5,127.1,37.6", "zoom=18&bbox=126.9,37.5,127.1,37.6",
        "zoom=13&longitude=127", "zoom=13&longitude=127&latitude=95",
        "zoom=13&longitude=127&latitude=37&maxDistance=-1",
        "zoom=13&longitude=127&latitude=37&maxDistance=6371000", "zoom=13&bbox=126.9,37.5,127,37.6&method=magic",
        "zoom=13&bbox=126.9,37.5,127,37.6&area_min=x", "zoom=13&bbox=126.9,37.5,127,37.6&rent_min=2&rent_max=1",
    ])
    func invalidQuery_returns400(query: String) async throws {
        let answer = try await world.client(1).send(.get, "/v1/estates/clusters?\(query)")
        #expect(answer.status == .badRequest)
        #expect(try answer.keys() == ["message"])
    }

    @Test func wholeWorld_atLowZoom_isServed() async throws {
        _ = try await world.list()
        for query in [
            "zoom=0&bbox=-180,-90,180,90", "zoom=2&longitude=127&latitude=37", "zoom=0&longitude=0&latitude=90",
        ] {
            let answer = try await world.client(1).send(.get, "/v1/estates/clusters?\(query)")
            #expect(answer.status == .ok, "\(query) \(answer.text)")
        }
    }
}
