import Geography

/// How fine a grid over the globe is: level k has 2^k rows from pole to pole and twice as many columns. Each is sixteen times
/// finer than the one before (`Migrations/0007_nearby.sql`).
enum GridLevel: Int, Sendable, CaseIterable {
    /// Forty-five degrees.
    case quarters = 2
    /// Three degrees.
    case regions = 6
    /// A sixth of a degree: about 17 km.
    case towns = 10
    /// A hundredth of a degree: about a kilometre.
    case blocks = 14

    var rows: Int { 1 << rawValue }
    var columns: Int { 2 << rawValue }
    /// Degrees of a cell's side.
    var side: Double { 180 / Double(rows) }

    /// The next finer one; nil for the finest.
    var finer: GridLevel? { GridLevel(rawValue: rawValue + 4) }
}

/// A cell of a grid.
struct GridCell: Hashable, Sendable {
    var level: GridLevel
    /// From the South Pole.
    var row: Int
    /// From the 180th meridian, eastwards.
    var column: Int

    init(_ level: GridLevel, row: Int, column: Int) {
        (self.level, self.row, self.column) = (level, row, column)
    }

    /// The cell with a number in the columns of posts.
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

    /// Its parts in the next finer grid; none for a cell of the finest.
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
        // From outside its meridians, the nearest point lies on one of these: at an end, or where it comes closest.
        return [longitudes.lowerBound, longitudes.upperBound].reduce(.infinity) { least, longitude in
            let summit = place.summit(on: longitude)
            let candidates = [latitudes.lowerBound, latitudes.upperBound] + [summit].filter(latitudes.contains)
            return candidates.reduce(least) { least, latitude in
                min(least, place.distance(to: Coordinate(latitude: latitude, longitude: longitude)))
            }
        }
    }

    /// Metres from a place to the farthest point of the cell: the nearest to the other side of the globe.
    func farthest(from place: Coordinate) -> Double {
        .pi * Coordinate.radius - nearest(to: place.antipode)
    }
}
