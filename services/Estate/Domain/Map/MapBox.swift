import Glibc
import Values

/// An area between two parallels and two meridians, in degrees. Does not cross the date line.
struct MapBox: Sendable, Equatable {
    var south: Double
    var west: Double
    var north: Double
    var east: Double

    init(around place: Coordinate) {
        (south, north) = (place.latitude, place.latitude)
        (west, east) = (place.longitude, place.longitude)
    }

    /// nil when a bound is not on the globe or the bounds are in the wrong order.
    init?(south: Double, west: Double, north: Double, east: Double) {
        guard Coordinate(checking: south, west) != nil, Coordinate(checking: north, east) != nil,
            south <= north, west <= east
        else { return nil }
        (self.south, self.west, self.north, self.east) = (south, west, north, east)
    }

    static let metresPerDegree = 111_000.0

    /// The box that reaches some metres from a place in each direction, as far as it is on the globe and on this side of the
    /// date line.
    init(around place: Coordinate, reach: Double) {
        let height = min(reach / Self.metresPerDegree, 180)
        // Where the meridian touches the circle, which is north or south of its middle; there is none if the circle has a pole.
        let touch = sin(min(height, 90) * .pi / 180) / cos(place.latitude * .pi / 180)
        let width = touch < 1 ? asin(touch) * 180 / .pi : 360
        south = max(place.latitude - height, -90)
        west = max(place.longitude - width, -180)
        north = min(place.latitude + height, 90)
        east = min(place.longitude + width, 180)
    }

    mutating func add(_ place: Coordinate) {
        south = min(south, place.latitude)
        north = max(north, place.latitude)
        west = min(west, place.longitude)
        east = max(east, place.longitude)
    }

    func touches(_ other: MapBox) -> Bool {
        south <= other.north && other.south <= north && west <= other.east && other.west <= east
    }

    var middle: Coordinate { Coordinate(latitude: (south + north) / 2, longitude: (west + east) / 2) }
}
