import Contracts
import TestKit
import Testing

@testable import Console

@Suite struct MapAreaTests {
    @Test func text_isReadBack() throws {
        for area in [MapArea.seoul, .seoul.scaled(by: 0.5), .seoul.moved(rows: -1, columns: 1)] {
            let again = try #require(MapArea(area.text))
            #expect(again.text == area.text)
        }
    }

    @Test(arguments: [
        "", "1,2,3", "1,2,3,4,5", "a,b,c,d", "127.2,37.4,126.8,37.7", "126.8,37.7,127.2,37.4", "0,0,0,0", "0,0,41,1",
        "-181,0,-180,1", "0,85,1,86", "nan,nan,nan,nan", "inf,0,inf,1",
    ])
    func invalidArea_isRefused(text: String) {
        #expect(MapArea(text) == nil)
    }

    /// Seoul is about two thirds of a degree wide with its parallels stretched.
    @Test func zoom_fitsTheArea() throws {
        #expect(MapArea.seoul.zoom == 10)
        #expect(MapArea.seoul.scaled(by: 0.5).zoom == 11)
        #expect(try #require(MapArea("0,0,40,40")).zoom == 4)
    }

    /// However often one moves or resizes it.
    @Test func otherAreas_areValid() {
        var area = MapArea.seoul
        for step in 0..<40 {
            area = step < 20 ? area.scaled(by: 2).moved(rows: 1, columns: 1) : area.scaled(by: 0.5)
            #expect(MapArea(area.text) != nil, "\(area.text)")
        }
    }

    @Test func areaOfACluster_hasAMargin_alsoOfOnePlace() {
        for width in [0, 0.02] {
            let cluster = OperatorsAPI.Cluster(
                id: "aaaaaaaaaaaaaaaaaaaaaaa1",
                count: 2,
                latitude: 37.5,
                longitude: 127,
                south: 37.5 - width,
                west: 127 - width,
                north: 37.5 + width,
                east: 127 + width
            )
            let area = MapArea(around: cluster)
            #expect(area.south < cluster.south && area.north > cluster.north)
            #expect(area.west < cluster.west && area.east > cluster.east)
            #expect(MapArea(area.text) != nil)
        }
    }
}
