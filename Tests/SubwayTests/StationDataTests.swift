import FoundationEssentials
import Testing

@testable import Subway

@Suite struct StationDataTests {
    /// A row of the public data set, as Seoul Metro publishes it.
    private struct SourceRow: Decodable {
        var line: String
        var name: String
        var runningTime: String
        var km: Double
        var totalKm: Double

        enum CodingKeys: String, CodingKey {
            case line = "sbwy_rout_ln"
            case name = "sbwy_stns_nm"
            case runningTime = "hm"
            case km = "dist_km"
            case totalKm = "acml_dist"
        }
    }

    private func source() throws -> [SourceRow] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/seoul_subway_info.json")
        return try JSONDecoder().decode([String: Rows].self, from: Data(contentsOf: file))["DATA"]?.rows ?? []
    }

    /// The data set's rows; its other member holds labels.
    private struct Rows: Decodable {
        var rows: [SourceRow] = []

        init(from decoder: any Decoder) throws { rows = (try? [SourceRow](from: decoder)) ?? [] }
    }

    @Test func stations_matchPublicDataSet() throws {
        let stations = try StationData.stations()
        let source = try source()
        #expect(stations.count == 278)
        #expect(source.count == 278)
        var total: [Line: Int] = [:]
        for (index, (station, row)) in zip(stations, source).enumerated() {
            #expect(station.id.rawValue == Int64(index + 1))
            #expect(station.line.number == row.line)
            #expect(station.name == row.name)
            #expect(station.runningTime == row.runningTime)
            #expect(station.distanceKm == row.km)
            #expect(station.totalKm == row.totalKm)
            total[station.line, default: 0] += station.runningSeconds
            #expect(station.totalSeconds == total[station.line])
        }
    }

    @Test func line2_hasCircleAndBranches() throws {
        let line2 = try StationData.stations().filter { $0.line == .line2 }
        #expect(line2.count == 52)
        #expect(line2.filter { $0.name == "시청" }.map(\.id) == [11, 54])
        #expect(line2.first { $0.id == 54 }?.totalSeconds == 3900)
    }

    @Test(arguments: [
        "id\n1,2,강남,1:00,1.0,1.0", "id\n1,10,강남,1:00,1.0,1.0,60", "id\nx,2,강남,1:00,1.0,1.0,60", "id\n1,2,,1:00,1,1,60",
        "id\n1,2,강남,100,1.0,1.0,60",
    ])
    func unreadableRow_throws(csv: String) {
        #expect(throws: StationData.Unreadable.self) { try StationData.stations(csv: Array(csv.utf8)) }
    }
}
