import Apps
import Contracts
import Testing
import Values

@testable import Estate

@Suite struct TilePointsTests {
    private func dots(_ places: [(Double, Double)]) -> TilePoints {
        TilePoints(
            latitudes: places.map(\.0),
            longitudes: places.map(\.1),
            weights: places.map { _ in 1 },
            publicIDs: PackedIDs(
                places.indices.flatMap { index in Array(repeating: UInt8(0), count: 11) + [UInt8(200 - index)] }
            )
        )
    }

    @Test func memberIds_areAscendingHexadecimal() {
        let dots = dots([(37, 127), (37, 127.001), (37, 127.002)])
        let cluster = dots.cluster([0, 1, 2])
        let members = [2, 1, 0].map { String(repeating: "0", count: 22) + ["c8", "c7", "c6"][$0] }
        #expect(cluster.members.map(\.rawValue) == members)
        #expect(cluster.id == cluster.members[0] && cluster.count == 3)
    }

    /// More than five: the middle of the box (Anlaka contract 4.3, step 7).
    @Test func cluster_ofMoreThanFive_isCentredInItsBox() {
        let places = [(37.0, 127.0), (37.0, 127.0), (37.0, 127.0), (37.0, 127.0), (37.0, 127.0), (37.002, 127.004)]
        let cluster = dots(places).cluster(Array(0..<6))
        #expect(cluster.centre == Coordinate(latitude: 37.001, longitude: 127.002))
        #expect(cluster.bounds == MapBox(south: 37, west: 127, north: 37.002, east: 127.004))
    }

    /// Up to five: near the first of them, which has the lowest id.
    @Test func cluster_ofUpToFive_isCentredNearLowestId() {
        // The dot with the lowest id is the last.
        let cluster = dots([(37.001, 127), (37, 127)]).cluster([0, 1])
        let distance = Coordinate(latitude: 37, longitude: 127).distance(
            to: Coordinate(latitude: 37.001, longitude: 127)
        )
        let expected = (37 * 1 + 37.001 / distance) / (1 + 1 / distance)
        #expect(abs(cluster.centre.latitude - expected) < 1e-6)
        let same = dots([(37, 127), (37, 127), (37, 127)]).cluster([0, 1, 2])
        #expect(same.centre == Coordinate(latitude: 37, longitude: 127))
    }
}
