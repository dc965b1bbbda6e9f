import Glibc
import TestKit
import Testing
import Values

@testable import Community

@Suite struct CircleTests {
    private static let places = [
        (37.55, 126.99), (0, 0), (0, 180), (0, -180), (89.9, 10), (-89.99, -170), (90, 0), (-90, 45), (60, 179.99),
        (-33.9, 151.2), (45, -45),
    ].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    private static let radii = [0.0, 1, 500, 5000, 40_000, 600_000, 5_000_000, 12_000_000, 20_000_000]

    private static func cell(of place: Coordinate, _ level: GridLevel) -> GridCell {
        let row = min(level.rows - 1, Int((place.latitude + 90) / level.side))
        return GridCell(level, row: row, column: min(level.columns - 1, Int((place.longitude + 180) / level.side)))
    }

    /// Every place in the circle is in one of its cells, and no place of an inside cell is outside of the circle.
    @Test(arguments: places, radii)
    func cells_coverTheCircle(centre: Coordinate, radius: Double) throws {
        var random = SplitMix(state: 7)
        let circle = Circle(centre: centre, radius: radius)
        for level in GridLevel.allCases where circle.reach(level) <= 20_000 {
            let (inside, rim) = circle.cells(level)
            let (insideSet, rimSet) = (Set(inside), Set(rim))
            #expect(insideSet.count == inside.count && rimSet.count == rim.count && insideSet.isDisjoint(with: rimSet))
            for _ in 0..<300 {
                let share = Double.random(in: 0...1.2, using: &random)
                let bearing = Double.random(in: 0..<360, using: &random)
                let place = centre.moved(min(radius * share, 2e7), bearing: bearing)
                let cell = Self.cell(of: place, level)
                let distance = centre.distance(to: place)
                if distance <= radius { #expect(insideSet.contains(cell) || rimSet.contains(cell), "\(place)") }
                if insideSet.contains(cell) { #expect(distance <= radius + 0.1, "\(place)") }
            }
        }
    }

    @Test func parts_coverTheCell() {
        let cell = GridCell(.towns, row: 726, column: 1746)
        #expect(cell.parts.count == 256 && Set(cell.parts).count == 256)
        #expect(cell.parts.allSatisfy { $0.level == .blocks && $0.row / 16 == 726 && $0.column / 16 == 1746 })
        #expect(GridCell(.blocks, row: 0, column: 0).parts == [])
        for cell in [cell, GridCell(.blocks, row: 16383, column: 32767)] {
            #expect(GridCell(cell.level, number: cell.number) == cell)
        }
    }

    @Test func cellDistances_boundPointDistances() {
        var random = SplitMix(state: 3)
        for _ in 0..<200 {
            let level: GridLevel = [.quarters, .regions, .towns].randomElement(using: &random) ?? .towns
            let cell = GridCell(
                level,
                row: Int.random(in: 0..<level.rows, using: &random),
                column: Int.random(in: 0..<level.columns, using: &random)
            )
            let place = Coordinate(
                latitude: Double.random(in: -90...90, using: &random),
                longitude: Double.random(in: -180...180, using: &random)
            )
            let (nearest, farthest) = (cell.nearest(to: place), cell.farthest(from: place))
            var (least, most) = (Double.infinity, 0.0)
            for south in 0...20 {
                for west in 0...20 {
                    let point = Coordinate(
                        latitude: (Double(cell.row) + Double(south) / 20) * level.side - 90,
                        longitude: (Double(cell.column) + Double(west) / 20) * level.side - 180
                    )
                    let distance = place.distance(to: point)
                    (least, most) = (min(least, distance), max(most, distance))
                    #expect(distance >= nearest - 0.01 && distance <= farthest + 0.01)
                }
            }
            // The bounds are at most one grid step away from the sampled distances.
            let step = level.side / 20 * .pi / 180 * Coordinate.radius
            #expect(least - nearest <= step && farthest - most <= step)
        }
    }
}
