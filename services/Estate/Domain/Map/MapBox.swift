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
