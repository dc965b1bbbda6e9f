import Apps
import Contracts
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import TestKit
import Testing
import Values

@testable import Estate

@Suite(.database(Migrations.all)) struct NearestTests {
    private var world: EstateWorld { .current }
    private static let centre = Coordinate(latitude: 37.5665, longitude: 126.978)

    private func nearest(
        _ metres: Double,
        _ rest: String = "",
        as account: AccountID = 1
    ) async throws -> [EstateAnswer] {
        let (longitude, latitude) = (Self.centre.longitude, Self.centre.latitude)
        let path = "/v1/estates/geolocation?longitude=\(longitude)&latitude=\(latitude)&maxDistance=\(metres)\(rest)"
        return try await world.client(account).send(.get, path).json(EstateAnswer.List.self).data
    }

    @Test(.service) func nearest_areOrderedByDistance() async throws {
        var ids: [String] = []
        for metres in [4000.0, 200, 1500, 900] {
            let place = Self.centre.moved(metres, bearing: metres)
            ids.append(try await world.list(9, .at(place.latitude, place.longitude)))
        }
        let found = try await nearest(2000)
        #expect(found.map(\.estateID) == [ids[1], ids[3], ids[2]])
        for listing in found {
            let distance = try #require(listing.distance)
            #expect(abs(distance - Self.centre.distance(to: listing.geolocation.coordinate)) < 1e-6)
        }
        let all = try await nearest(1e9)
        #expect(all.map(\.estateID) == [ids[1], ids[3], ids[2], ids[0]])
    }

    @Test(.service) func filters_areInclusiveAtBothEnds() async throws {
        let (latitude, longitude) = (Self.centre.latitude, Self.centre.longitude)
        let small = try await world.list(
            9,
            .at(latitude, longitude) {
                $0.area = 20; $0.monthlyRent = 500_000; $0.deposit = 5_000_000
            }
        )
        let large = try await world.list(
            9,
            .at(latitude, longitude) {
                ($0.category, $0.area, $0.monthlyRent, $0.deposit) = ("아파트", 84.9, 1_500_000, 100_000_000)
            }
        )
        for (rest, wanted) in [
            ("", [small, large]), ("&category=%EC%95%84%ED%8C%8C%ED%8A%B8", [large]),
            ("&category=", [small, large]),
            ("&category=castle", []), ("&category=%00", []), ("&area_min=20", [small, large]),
            ("&area_min=20.1", [large]), ("&area_max=84.9", [small, large]), ("&area_max=84.8", [small]),
            ("&rent_min=500000&rent_max=500000", [small]), ("&deposit_max=99999999.5", [small]),
            ("&deposit_min=5000001", [large]), ("&rent_max=1500000&deposit_min=1&area_min=1", [small, large]),
        ] { #expect(Set(try await nearest(500, rest).map(\.estateID)) == Set(wanted), "\(rest)") }
    }

    @Test(
        .service,
        arguments: [
            "", "longitude=127&latitude=37.5", "longitude=181&latitude=37&maxDistance=1",
            "longitude=127&latitude=91&maxDistance=1",
            "longitude=nan&latitude=37&maxDistance=1", "longitude=127&latitude=37&maxDistance=-1",
            "longitude=127&latitude=37&maxDistance=inf", "longitude=x&latitude=37&maxDistance=1",
            "longitude=127&latitude=37&maxDistance=1&area_min=2&area_max=1",
            "longitude=127&latitude=37&maxDistance=1&rent_min=NaN",
        ]
    )
    func invalidQuery_returns400(query: String) async throws {
        let answer = try await world.client(1).send(.get, "/v1/estates/geolocation?\(query)")
        #expect(answer.status == .badRequest)
        #expect(try answer.keys() == ["message"])
    }

    /// Listings without an entry, as those of former versions, and with one that the index has no room for, are found, too.
    @Test(arguments: [0.0, 1, 40, 300, 999, 1001, 5000], [5, 1000])
    func nearest_areThoseOfMeasuringAll(radius: Double, limit: Int) async throws {
        let places = try await insert(600, within: 1500)
        let database = TestDatabase.current.client
        try await database.execute("UPDATE listings SET title = repeat('가', 700) WHERE id % 5 = 0")
        try await database.execute("UPDATE listings SET entry = NULL WHERE id % 7 = 0")
        for centre in [Self.centre, places[0], places[1].moved(700, bearing: 50)] {
            let map = ListingMap(database: database, limit: limit)
            let found = try await map.nearest(centre, radius: radius, ListingFilter(), for: 1)
            let distances = places.map { centre.distance(to: $0) }.filter { $0 <= radius }.sorted().prefix(limit)
            #expect(found.count == distances.count)
            for (one, wanted) in zip(found, distances) {
                #expect(abs(one.distance - wanted) < 1e-6)
                let text = try JSONTree(parsing: Array(buffer: one.listing.text) + "}".utf8)
                #expect(text["estate_id"]?.string == one.listing.publicID.rawValue)
            }
        }
    }

    /// A filter that leaves out more of the nearest than are looked at one by one.
    @Test(arguments: [1000.0, 5000, 1e8])
    func rareListings_areFoundBehindManyOthers(radius: Double) async throws {
        let places = try await insert(600, within: 1500)
        let database = TestDatabase.current.client
        let rare = places.filter { Self.centre.distance(to: $0) > 800 }
        try await database.execute(
            """
            UPDATE listings l SET category = '상가'
            FROM unnest(\(rare.map(\.latitude)), \(rare.map(\.longitude))) place (latitude, longitude)
            WHERE l.latitude = place.latitude AND l.longitude = place.longitude
            """
        )
        let far = rare.map { Self.centre.distance(to: $0) }.sorted()
        let map = ListingMap(database: database, limit: 5)
        let found = try await map.nearest(Self.centre, radius: radius, ListingFilter(category: "상가"), for: 1)
        #expect(found.count == 5)
        for (one, wanted) in zip(found, far) { #expect(abs(one.distance - wanted) < 1e-6) }
    }

    /// At the date line and the poles cells do not adjoin.
    @Test(arguments: [(37.0, 179.999), (37, -179.999), (89.9999, 10), (89.995, 10), (-84.9999, 10)])
    func nearest_areFoundOnTheWholeGlobe(latitude: Double, longitude: Double) async throws {
        let centre = Coordinate(latitude: latitude, longitude: longitude)
        let places = try await insert(50, within: 800, of: centre)
        let map = ListingMap(database: TestDatabase.current.client, limit: 1000)
        for radius in [900.0, 2000] {
            for filter in [ListingFilter(), ListingFilter(category: "원룸")] {
                let found = try await map.nearest(centre, radius: radius, filter, for: 1)
                #expect(found.count == places.count)
            }
        }
    }

    @Test(arguments: [1999, 2000, 2001])
    func entryOfAnyLength_canBeIndexed(size: Int) async throws {
        _ = try await insert(1, within: 1)
        let database = TestDatabase.current.client
        // Random digits, which no compression makes shorter.
        let digits = (0..<size).map { _ in UInt8.random(in: 48...57) }
        try await database.execute("UPDATE listings SET category = repeat('🏠', 20)")
        try await database.execute("UPDATE listings SET entry = \(digits)")
        let map = ListingMap(database: database, limit: 10)
        let found = try await map.nearest(Self.centre, radius: 100, ListingFilter(), for: 1)
        #expect(found.map { Array(buffer: $0.listing.text) } == [digits])
    }

    @Test func nearestQuery_usesIndexes() async throws {
        _ = try await insert(20_000, within: 20_000)
        let database = TestDatabase.current.client
        try await database.execute("VACUUM ANALYZE listings")
        for (radius, wanted) in [
            (500.0, "Index Only Scan using listings_nearby_idx"), (20_000, "Order By: (spot <->"),
        ] {
            let search = NearestSearch(
                centre: Self.centre,
                radius: radius,
                filter: ListingFilter(),
                limit: 500,
                account: 1
            )
            let query = search.isNearby ? search.byCells : search.bySpot
            let plan = try await database.all("EXPLAIN \(query)") { try $0.decode(String.self) }.joined(separator: "\n")
            #expect(plan.contains(wanted), "\(plan)")
            #expect(!plan.contains("Seq Scan on listings"), "\(plan)")
        }
    }

    /// - Parameter reach: Metres.
    /// - Returns: Where the new listings are.
    private func insert(_ count: Int, within reach: Double, of centre: Coordinate = centre) async throws -> [Coordinate]
    {
        let database = TestDatabase.current.client
        try await database.execute(
            "INSERT INTO people (account_id, app, public_id, nickname) VALUES (9, 'anlaka', lpad('9', 24, '0'), '중개사')"
        )
        let places = (0..<count).map { _ in
            centre.moved(.random(in: 0...reach), bearing: .random(in: 0..<360)).rounded
        }
        try await database.execute(
            """
            INSERT INTO listings (creator_id, public_id, category, title, introduction, description, thumbnails,
                reservation_price, deposit, monthly_rent, maintenance_fee, built_on, area, parking_count, floors, options,
                is_safe, is_recommended, latitude, longitude, shown_latitude, shown_longitude, cell)
            SELECT 9, lpad(to_hex(number), 24, '0'), '원룸', 'a', '', '', '{}', 1, 1, 1, 1, '2020-01-01', 20, 0, 1, '{}',
                true, true, latitude, longitude, latitude, longitude, cell
            FROM unnest(\(places.map(\.latitude)), \(places.map(\.longitude)), \(places.map(MapTile.cell)))
                WITH ORDINALITY place (latitude, longitude, cell, number)
            """
        )
        return places
    }
}
