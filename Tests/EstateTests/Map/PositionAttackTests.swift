import Apps
import Contracts
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing
import Values

@testable import Estate

/// An attacker tries to find a listing's exact position with 10,000 requests.
@Suite(.database(Migrations.all), .timeLimit(.minutes(5))) struct PositionAttackTests {
    private var world: EstateWorld { .current }
    private static let exact = Coordinate(latitude: 37.652258, longitude: 127.045432)

    /// The data that the attacker gets of a listing from one centre.
    private struct Sighting: Sendable {
        var centre: Coordinate
        var place: Coordinate
        var distance: Double
    }

    private static func sighting(
        _ world: EstateWorld,
        from centre: Coordinate,
        within metres: Double
    ) async throws -> Sighting? {
        let query = "longitude=\(centre.longitude)&latitude=\(centre.latitude)&maxDistance=\(metres)"
        let answer = try await world.client(1).send(.get, "/v1/estates/geolocation?\(query)")
        guard let found = try answer.json(EstateAnswer.List.self).data.first else { return nil }
        return Sighting(centre: centre, place: found.geolocation.coordinate, distance: found.distance ?? -1)
    }

    /// Runs `work` for each number, eight at a time.
    private static func each(_ range: Range<Int>, _ work: @escaping @Sendable (Int) async throws -> Void) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for lane in 0..<8 {
                group.addTask { for number in range where number % 8 == lane { try await work(number) } }
            }
        }
    }

    private static func centre(_ number: Int) -> Coordinate {
        var random = SplitMix(state: UInt64(number) + 1)
        let metres = Double.random(in: 0...400, using: &random)
        return exact.moved(metres, bearing: Double.random(in: 0...360, using: &random))
    }

    @Test(.service) func tenThousandRequests_revealNoMoreThanOne() async throws {
        let id = try await world.list(9, .at(Self.exact.latitude, Self.exact.longitude))
        let once = try await world.client(1).send(.get, "/v1/estates/\(id)").json(EstateAnswer.self)
        let shown = once.geolocation.coordinate
        #expect((30...80).contains(shown.distance(to: Self.exact)))

        // Averaging: a thousand requests for the detail return the same position.
        try await Self.each(0..<1000) { _ in
            let again = try await world.client(1).send(.get, "/v1/estates/\(id)").json(EstateAnswer.self)
            #expect(again == once)
        }
        // Trilateration: from three thousand centres, the distance is that to the displaced position.
        try await Self.each(0..<3000) { number in
            let sighting = try #require(try await Self.sighting(world, from: Self.centre(number), within: 5000))
            #expect(sighting.place == shown)
            #expect(abs(sighting.distance - sighting.centre.distance(to: shown)) < 1e-6)
        }
        // Probing: the least radius that finds the listing is the same distance, to the millimetre.
        try await Self.each(0..<200) { number in
            let centre = Self.centre(10_000 + number)
            var (misses, finds) = (0.0, 1000.0)
            for _ in 0..<30 {
                let metres = (misses + finds) / 2
                if try await Self.sighting(world, from: centre, within: metres) == nil {
                    misses = metres
                } else {
                    finds = metres
                }
            }
            #expect(abs(finds - centre.distance(to: shown)) < 0.001)
        }
    }

    /// An agency has many flats at one address: all have the same offset, so that averaging reveals nothing.
    @Test(.service) func listingsOfOneAddress_shareTheirOffset() async throws {
        var shown: Set<String> = []
        for _ in 0..<20 {
            let id = try await world.list(9, .at(Self.exact.latitude, Self.exact.longitude))
            let seen = try await world.client(1).send(.get, "/v1/estates/\(id)").json(EstateAnswer.self)
            shown.insert("\(seen.geolocation)")
        }
        #expect(shown.count == 1)
        // A listing of another owner at the address has another offset.
        let other = try await world.list(2, .at(Self.exact.latitude, Self.exact.longitude))
        let seen = try await world.client(1).send(.get, "/v1/estates/\(other)").json(EstateAnswer.self)
        #expect(!shown.contains("\(seen.geolocation)"))
    }

    /// Directions and distances of the offsets are uniformly distributed.
    @Test func offsets_areUniformlyDistributed() {
        let veil = LocationObfuscator(secret: "a secret of this test")
        var (quarters, fifths) = (Array(repeating: 0, count: 4), Array(repeating: 0, count: 5))
        for number in 0..<10_000 {
            let shown = veil.shown(Self.exact, of: .init(rawValue: Int64(number)))
            let distance = Self.exact.distance(to: shown)
            #expect((30...80).contains(distance))
            #expect(shown == veil.shown(Self.exact, of: .init(rawValue: Int64(number))) && shown == shown.rounded)
            quarters[
                (shown.latitude > Self.exact.latitude ? 0 : 2) + (shown.longitude > Self.exact.longitude ? 0 : 1)
            ] += 1
            fifths[min(4, Int((distance - 30) / 10))] += 1
        }
        #expect(quarters.allSatisfy { (2300...2700).contains($0) }, "\(quarters)")
        #expect(fifths.allSatisfy { (1800...2200).contains($0) }, "\(fifths)")
        #expect(veil.shown(Self.exact, of: 1) != LocationObfuscator(secret: "another").shown(Self.exact, of: 1))
    }

    @Test(arguments: [(90.0, 0.0), (-90, 0), (0, 180), (0, -180), (89.9999, 179.9999)])
    func offset_atEdgeOfGlobe_isValid(latitude: Double, longitude: Double) {
        let exact = Coordinate(latitude: latitude, longitude: longitude)
        let shown = LocationObfuscator(secret: "s").shown(exact, of: 1)
        #expect(Coordinate(checking: shown.latitude, shown.longitude) != nil)
        #expect((29.9...80.1).contains(shown.distance(to: exact)))
    }
}
