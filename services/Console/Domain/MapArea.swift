import Contracts
import Glibc

/// A part of the map between two parallels and two meridians, in degrees.
struct MapArea: Sendable, Equatable {
    var south: Double
    var west: Double
    var north: Double
    var east: Double

    static let seoul = MapArea(unchecked: 37.41, 126.76, 37.71, 127.19)
    /// The width and height of the smallest and the largest area.
    private static let sides = 0.002...40.0
    /// The width of the picture at the zoom of the map, in points; a map at zoom 0 is 256 points wide.
    private static let (points, world) = (600.0, 256.0)

    private init(unchecked south: Double, _ west: Double, _ north: Double, _ east: Double) {
        (self.south, self.west, self.north, self.east) = (south, west, north, east)
    }

    /// - Parameter text: `west,south,east,north`.
    /// - Returns: nil for a text of another form, or an area that is too large, too narrow or not on the globe.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        let numbers = parts.compactMap(\.self)
        guard parts.count == 4, numbers.count == 4 else { return nil }
        self.init(unchecked: numbers[1], numbers[0], numbers[3], numbers[2])
        guard (-85...85).contains(south), (-85...85).contains(north), (-180...180).contains(west),
            (-180...180).contains(east), Self.sides.contains(width), Self.sides.contains(height)
        else { return nil }
    }

    /// The area of a cluster, with a margin around it.
    init(around cluster: OperatorsAPI.Cluster) {
        let middle = MapArea(unchecked: cluster.south, cluster.west, cluster.north, cluster.east)
        self = middle.resized(height: middle.height * 1.4, width: middle.width * 1.4)
    }

    var text: String { [west, south, east, north].map { "\(Self.fixed($0))" }.joined(separator: ",") }
    var width: Double { east - west }
    var height: Double { north - south }
    var isLargest: Bool { max(width, height) * 2 > Self.sides.upperBound }

    /// How much longer a degree of latitude is than one of longitude in the middle of the area.
    var stretch: Double { 1 / cos((south + north) / 2 * .pi / 180) }

    /// The zoom at which the area fits into the picture.
    var zoom: Int {
        let side = max(width, height * stretch)
        return Int(min(max(log2(360 * Self.points / (Self.world * side)), 0), 22))
    }

    /// An area with the same middle.
    func scaled(by factor: Double) -> MapArea { resized(height: height * factor, width: width * factor) }

    /// The area beside it.
    ///
    /// - Parameters:
    ///   - rows: Halves of its height to the north.
    ///   - columns: Halves of its width to the east.
    func moved(rows: Double, columns: Double) -> MapArea {
        let north = min(max(north + rows * height / 2, height - 85), 85)
        let east = min(max(east + columns * width / 2, width - 180), 180)
        return MapArea(unchecked: north - height, east - width, north, east)
    }

    private func resized(height: Double, width: Double) -> MapArea {
        let sides = (Self.sides.lowerBound * 1.5, Self.sides.upperBound * 0.99)
        let (high, wide) = (min(max(height, sides.0), sides.1) / 2, min(max(width, sides.0), sides.1) / 2)
        let (latitude, longitude) = ((south + north) / 2, (west + east) / 2)
        let area = MapArea(unchecked: latitude - high, longitude - wide, latitude + high, longitude + wide)
        return area.moved(rows: 0, columns: 0)
    }

    /// With five decimals, about a metre.
    private static func fixed(_ value: Double) -> Double { (value * 100_000).rounded() / 100_000 }
}
