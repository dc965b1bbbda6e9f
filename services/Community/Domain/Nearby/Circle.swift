import Glibc
import Values

/// All places within a radius.
struct Circle: Sendable, Equatable {
    var centre: Coordinate
    /// Metres along the Earth's surface.
    var radius: Double

    /// The squared sine of half the central angle of the radius: the upper bound of the haversines of places within.
    var haversine: Double {
        let half = sin(min(radius / Coordinate.radius, .pi) / 2)
        return half * half
    }

    /// The cells of a level that the circle touches: those inside it, and those that it cuts.
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

    /// The cells among some that the circle touches: those inside it, and those that it cuts.
    func touched(_ cells: some Sequence<GridCell>) -> (inside: [GridCell], rim: [GridCell]) {
        var (inside, rim): ([GridCell], [GridCell]) = ([], [])
        for cell in cells where cell.nearest(to: centre) <= radius + Self.margin {
            if cell.farthest(from: centre) <= radius - Self.margin { inside.append(cell) } else { rim.append(cell) }
        }
        return (inside, rim)
    }

    /// The number of cells that `cells(_:)` examines.
    func reach(_ level: GridLevel) -> Int { rows(level).count * columns(level).count }

    /// Metres of tolerance for rounding errors.
    private static let margin = 0.01

    /// Degrees from the centre to the northernmost point.
    private var height: Double { (radius + Self.margin) / Coordinate.radius * 180 / .pi }

    private func rows(_ level: GridLevel) -> ClosedRange<Int> {
        let lower = max(0, Int(((centre.latitude - height + 90) / level.side).rounded(.down)))
        let upper = min(level.rows - 1, Int(((centre.latitude + height + 90) / level.side).rounded(.down)))
        return min(lower, level.rows - 1)...max(upper, 0)
    }

    /// Columns below zero and beyond the last are beyond the 180th meridian.
    private func columns(_ level: GridLevel) -> ClosedRange<Int> {
        let all = 0...(level.columns - 1)
        // A circle around a pole touches every meridian.
        guard abs(centre.latitude) + height < 90 else { return all }
        let width = asin(min(1, sin(height * .pi / 180) / cos(centre.latitude * .pi / 180))) * 180 / .pi
        let lower = Int(((centre.longitude - width + 180) / level.side).rounded(.down))
        let upper = Int(((centre.longitude + width + 180) / level.side).rounded(.down))
        return upper - lower < level.columns - 1 ? lower...upper : all
    }
}

extension Coordinate {
    /// The opposite point of the globe.
    var antipode: Coordinate {
        Coordinate(latitude: -latitude, longitude: longitude > 0 ? longitude - 180 : longitude + 180)
    }

    /// The latitude of the point nearest to the coordinate on a meridian; beyond a pole for a meridian of the other
    /// hemisphere.
    func summit(on meridian: Double) -> Double {
        let (phi, turn) = (latitude * .pi / 180, (meridian - longitude) * .pi / 180)
        return atan2(sin(phi), cos(phi) * cos(turn)) * 180 / .pi
    }
}
