import TestKit
import Testing
import Values

@testable import Estate

@Suite struct MapTileTests {
    /// Column and row of Seoul's city hall at level 14 by the usual formula of tiled maps.
    @Test func place_liesInStandardMapTile() throws {
        let place = Coordinate(latitude: 37.5665, longitude: 126.978)
        let tile = try #require(MapTile.covering(MapBox(around: place), level: 14).first)
        #expect(tile == MapTile(level: 14, x: 13_970, y: 6344))
        #expect(tile.cells.contains(MapTile.cell(of: place)))
        #expect(MapTile(level: 14, cell: MapTile.cell(of: place)) == tile)
    }

    @Test func tileCells_areThoseOfFourChildren() {
        var random = SplitMix(state: 3)
        for _ in 0..<200 {
            let level = Int.random(in: 0..<MapTile.deepest, using: &random)
            let x = Int.random(in: 0..<1 << level, using: &random)
            let y = Int.random(in: 0..<1 << level, using: &random)
            let cells = MapTile(level: level, x: x, y: y).cells
            let children = [(0, 0), (1, 0), (0, 1), (1, 1)].map {
                MapTile(level: level + 1, x: 2 * x + $0.0, y: 2 * y + $0.1).cells
            }
            #expect(children.first?.lowerBound == cells.lowerBound && children.last?.upperBound == cells.upperBound)
            for (one, next) in zip(children, children.dropFirst()) { #expect(one.upperBound == next.lowerBound) }
        }
    }

    @Test func everyPlace_isCoveredByOneTile() {
        var random = SplitMix(state: 4)
        let corners = [(90.0, 180.0), (-90, -180), (90, -180), (-90, 180), (0, 0)]
        let others = (0..<500).map { _ in
            (Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
        }
        for (latitude, longitude) in corners + others {
            let cell = MapTile.cell(of: Coordinate(latitude: latitude, longitude: longitude))
            #expect(MapTile(level: 0, x: 0, y: 0).cells.contains(cell))
            let box = MapBox(around: Coordinate(latitude: latitude, longitude: longitude))
            #expect(MapTile.covering(box, level: 9).map { $0.cells.contains(cell) } == [true])
        }
    }

    @Test func box_isCoveredByTouchingTiles() throws {
        let box = try #require(MapBox(south: 37.5, west: 126.9, north: 37.6, east: 127.0))
        let tiles = MapTile.covering(box, level: 14)
        #expect(tiles.count == MapTile.count(over: box, level: 14))
        #expect(Set(tiles).count == tiles.count)
        for latitude in stride(from: 37.5, through: 37.6, by: 0.004) {
            for longitude in stride(from: 126.9, through: 127.0, by: 0.004) {
                let cell = MapTile.cell(of: Coordinate(latitude: latitude, longitude: longitude))
                #expect(tiles.count { $0.cells.contains(cell) } == 1)
            }
        }
    }

    @Test func cellsOfTiles_areJoinedRanges() throws {
        let box = try #require(MapBox(south: 37.5, west: 126.9, north: 37.6, east: 127.0))
        let tiles = MapTile.covering(box, level: 14)
        let ranges = MapTile.cells(of: tiles)
        #expect(ranges.count < tiles.count)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        #expect(tiles.allSatisfy { tile in ranges.contains { $0.clamped(to: tile.cells) == tile.cells } })
        #expect(ranges.reduce(0) { $0 + $1.count } == tiles.reduce(0) { $0 + $1.cells.count })
        #expect(MapTile.cells(of: []) == [])
    }

    @Test(arguments: [0.0, 1, 500, 20_000, 1e6, 1e9])
    func box_isCoveredByTheSmallestFewTiles(reach: Double) throws {
        for place in [(37.5665, 126.978), (0, 0), (84.9, -179.9), (-90, 180)] {
            let box = MapBox(around: Coordinate(latitude: place.0, longitude: place.1), reach: reach)
            let tiles = MapTile.covering(box, limit: 64)
            let level = try #require(tiles.first?.level)
            #expect((1...64).contains(tiles.count))
            #expect(level == MapTile.deepest || MapTile.count(over: box, level: level + 1) > 64)
        }
    }

    @Test(arguments: [1.0, 500, 2000, 8000, 100_000, 1e6, 5e6])
    func boxAroundAPlace_hasAllWithinReach(reach: Double) {
        var random = SplitMix(state: 5)
        for latitude in [0.0, 37.5665, -60, 80, 89.98, 89.995] {
            let place = Coordinate(latitude: latitude, longitude: 10)
            let box = MapBox(around: place, reach: reach)
            for _ in 0..<200 {
                let other = place.moved(reach, bearing: .random(in: 0..<360, using: &random))
                #expect(box.touches(MapBox(around: other)), "\(latitude): \(other)")
            }
        }
    }

    @Test func boxAroundAPlace_staysOnTheGlobe() {
        let box = MapBox(around: Coordinate(latitude: 60, longitude: 127), reach: 111_000)
        #expect(box.south == 59 && box.north == 61)
        #expect((124.99..<125).contains(box.west) && (129..<129.01).contains(box.east))
        let pole = MapBox(around: Coordinate(latitude: 89.9, longitude: -179), reach: 111_000)
        #expect(pole.north == 90 && pole.west == -180 && pole.east == 180)
    }
}
