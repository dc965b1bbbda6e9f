import Values

/// The resolution of a grid over the globe: level k has 2^k rows from pole to pole and twice as many columns. Each
/// level divides the cells of the one before into 16 × 16 (`Migrations/0007_nearby.sql`).
enum GridLevel: Int, Sendable, CaseIterable {
    /// 45 degrees.
    case quarters = 2
    /// About 2.8 degrees.
    case regions = 6
    /// About 0.18 degrees, 20 km.
    case towns = 10
    /// About 0.011 degrees, 1.2 km.
    case blocks = 14

    var rows: Int { 1 << rawValue }
    var columns: Int { 2 << rawValue }
    /// Side of a cell in degrees.
    var side: Double { 180 / Double(rows) }

    /// The next finer level; nil for the finest.
    var finer: GridLevel? { GridLevel(rawValue: rawValue + 4) }
}

/// A cell of a grid.
struct GridCell: Hashable, Sendable {
    var level: GridLevel
    /// Counted from the South Pole.
    var row: Int
    /// Counted eastwards from the 180th meridian.
    var column: Int

    init(_ level: GridLevel, row: Int, column: Int) {
        (self.level, self.row, self.column) = (level, row, column)
    }

    /// The cell with a number, as in the posts' columns.
    init(_ level: GridLevel, number: Int32) {
        self.init(level, row: Int(number) / level.columns, column: Int(number) % level.columns)
    }

    var number: Int32 { Int32(row * level.columns + column) }

    private var latitudes: ClosedRange<Double> {
        (Double(row) * level.side - 90)...(Double(row + 1) * level.side - 90)
    }
    private var longitudes: ClosedRange<Double> {
        (Double(column) * level.side - 180)...(Double(column + 1) * level.side - 180)
    }

    /// The cells of the next finer grid in it; empty for the finest.
    var parts: [GridCell] {
        guard let finer = level.finer else { return [] }
        return (0..<16).flatMap { south in
            (0..<16).map { GridCell(finer, row: row * 16 + south, column: column * 16 + $0) }
        }
    }

    /// Metres from a place to the nearest point of the cell.
    func nearest(to place: Coordinate) -> Double {
        let (longitudes, latitudes) = (longitudes, latitudes)
        if [-360, 0, 360].contains(where: { longitudes.contains(place.longitude + $0) }) {
            let latitude = min(max(place.latitude, latitudes.lowerBound), latitudes.upperBound)
            return place.distance(to: Coordinate(latitude: latitude, longitude: place.longitude))
        }
        // The place is outside the cell's meridians, so the nearest point is on one of them: at an end, or at the
        // nearest point of the meridian.
        return [longitudes.lowerBound, longitudes.upperBound].reduce(.infinity) { least, longitude in
            let summit = place.summit(on: longitude)
            let candidates = [latitudes.lowerBound, latitudes.upperBound] + [summit].filter(latitudes.contains)
            return candidates.reduce(least) { least, latitude in
                min(least, place.distance(to: Coordinate(latitude: latitude, longitude: longitude)))
            }
        }
    }

    /// Metres from a place to the farthest point of the cell, which is the nearest to the place's antipode.
    func farthest(from place: Coordinate) -> Double {
        .pi * Coordinate.radius - nearest(to: place.antipode)
    }
}
