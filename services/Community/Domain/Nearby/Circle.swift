import Geography
import Glibc

/// All places that are so near to one.
struct Circle: Sendable, Equatable {
    var centre: Coordinate
    /// Metres along the globe.
    var radius: Double

    /// The square of the sine of half the angle under which the radius is seen from the globe's centre: what haversines of
    /// places within are not above.
    var haversine: Double {
        let half = sin(min(radius / Coordinate.radius, .pi) / 2)
        return half * half
    }

    /// The cells of a level that it touches, those of them that it contains apart.
    func cells(_ level: GridLevel) -> (inside: [GridCell], rim: [GridCell]) {
        let columns = columns(level)
        return touched(
            rows(level).lazy.flatMap { row in
                columns.lazy.map { column in
                    GridCell(level, row: row, column: (column + level.columns) % level.columns)
                }
            }
        )
    }

    /// Those of some cells that it touches, those of them that it contains apart.
    func touched(_ cells: some Sequence<GridCell>) -> (inside: [GridCell], rim: [GridCell]) {
        var (inside, rim): ([GridCell], [GridCell]) = ([], [])
        for cell in cells where cell.nearest(to: centre) <= radius + Self.margin {
            if cell.farthest(from: centre) <= radius - Self.margin { inside.append(cell) } else { rim.append(cell) }
        }
        return (inside, rim)
    }

    /// How many cells of a level are looked at to find those that it touches.
    func reach(_ level: GridLevel) -> Int { rows(level).count * columns(level).count }

    /// Metres by which the arithmetic may be wrong.
    private static let margin = 0.01

    /// Degrees from the centre to the northernmost point.
    private var height: Double { (radius + Self.margin) / Coordinate.radius * 180 / .pi }

    private func rows(_ level: GridLevel) -> ClosedRange<Int> {
        let lower = max(0, Int(((centre.latitude - height + 90) / level.side).rounded(.down)))
        let upper = min(level.rows - 1, Int(((centre.latitude + height + 90) / level.side).rounded(.down)))
        return min(lower, level.rows - 1)...max(upper, 0)
    }

    /// Columns below zero and beyond the last are those on the other side of the 180th meridian.
    private func columns(_ level: GridLevel) -> ClosedRange<Int> {
        let all = 0...(level.columns - 1)
        // With a pole inside, it touches every meridian.
        guard abs(centre.latitude) + height < 90 else { return all }
        let width = asin(min(1, sin(height * .pi / 180) / cos(centre.latitude * .pi / 180))) * 180 / .pi
        let lower = Int(((centre.longitude - width + 180) / level.side).rounded(.down))
        let upper = Int(((centre.longitude + width + 180) / level.side).rounded(.down))
        return upper - lower < level.columns - 1 ? lower...upper : all
    }
}

extension Coordinate {
    /// The other side of the globe.
    var antipode: Coordinate {
        Coordinate(latitude: -latitude, longitude: longitude > 0 ? longitude - 180 : longitude + 180)
    }

    /// The latitude at which a meridian comes closest; beyond a pole for one on the other side of the globe.
    func summit(on meridian: Double) -> Double {
        let (phi, turn) = (latitude * .pi / 180, (meridian - longitude) * .pi / 180)
        return atan2(sin(phi), cos(phi) * cos(turn)) * 180 / .pi
    }
}
