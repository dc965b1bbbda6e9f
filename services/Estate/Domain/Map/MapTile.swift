import Glibc
import Values

/// A map tile: the world in Web Mercator, halved in both directions at each level.
///
/// Cells are the tiles of level 22, numbered along the Z-order curve by interleaving the bits of column and row. The
/// cells of a tile are a contiguous range.
struct MapTile: Sendable, Hashable {
    /// 0 is the whole world.
    var level: Int
    var x: Int
    var y: Int

    static let deepest = 22
    static let world = MapTile(level: 0, x: 0, y: 0)
    /// Northern limit of Web Mercator's square.
    private static let northmost = 85.051_128_779_806_59

    /// The range of its cells.
    var cells: Range<Int64> {
        let shift = Int64(2 * (Self.deepest - level))
        let first = Self.interleave(x, y) << shift
        return first..<first + (1 << shift)
    }

    /// The cell of a place.
    static func cell(of place: Coordinate) -> Int64 {
        let (x, y) = position(of: place, level: deepest)
        return interleave(x, y)
    }

    /// The tile of a cell.
    init(level: Int, cell: Int64) {
        let cell = cell >> Int64(2 * (Self.deepest - level))
        self.level = level
        x = Self.gather(cell)
        y = Self.gather(cell >> 1)
    }

    init(level: Int, x: Int, y: Int) {
        self.level = level
        self.x = x
        self.y = y
    }

    /// The number of tiles that a box touches.
    static func count(over box: MapBox, level: Int) -> Int {
        let (columns, rows) = span(of: box, level: level)
        return columns.count * rows.count
    }

    /// The tiles that a box touches, row by row.
    static func covering(_ box: MapBox, level: Int) -> [MapTile] {
        let (columns, rows) = span(of: box, level: level)
        return rows.flatMap { y in columns.map { MapTile(level: level, x: $0, y: y) } }
    }

    /// The smallest tiles of which a box touches at most some number, which is at least 4.
    static func covering(_ box: MapBox, limit: Int) -> [MapTile] {
        covering(box, level: (0...deepest).last { count(over: box, level: $0) <= limit } ?? 0)
    }

    /// The ranges of the cells of some tiles, ascending, and joined where they adjoin.
    static func cells(of tiles: [MapTile]) -> [Range<Int64>] {
        tiles.map(\.cells).sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { ranges, next in
            if let last = ranges.last, last.upperBound == next.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<next.upperBound
            } else {
                ranges.append(next)
            }
        }
    }

    private static func span(of box: MapBox, level: Int) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        let (left, bottom) = position(of: Coordinate(latitude: box.south, longitude: box.west), level: level)
        let (right, top) = position(of: Coordinate(latitude: box.north, longitude: box.east), level: level)
        return (left...max(left, right), top...max(top, bottom))
    }

    /// Column from the west, row from the north.
    private static func position(of place: Coordinate, level: Int) -> (x: Int, y: Int) {
        let side = Double(1 << level)
        let phi = min(max(place.latitude, -northmost), northmost) * .pi / 180
        let x = (place.longitude + 180) / 360 * side
        let y = (0.5 - log(tan(.pi / 4 + phi / 2)) / (2 * .pi)) * side
        return (Int(min(max(x, 0), side - 1)), Int(min(max(y, 0), side - 1)))
    }

    /// Interleaves the bits of two numbers; `x` takes the even positions.
    private static func interleave(_ x: Int, _ y: Int) -> Int64 { spread(x) | spread(y) << 1 }

    private static func spread(_ number: Int) -> Int64 {
        var bits = Int64(number) & 0xFFFF_FFFF
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    private static func gather(_ bits: Int64) -> Int {
        var bits = bits & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
        return Int((bits | bits >> 16) & 0xFFFF_FFFF)
    }
}
