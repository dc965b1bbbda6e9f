import FoundationEssentials
import Subway
import Testing

@testable import Sandbox

/// Arrivals at stations at given times.
@Suite struct TimetableTests {
    private let stations: [Station]
    private let board: ArrivalBoard

    init() throws {
        stations = try StationData.stations()
        board = ArrivalBoard(stations, placed: PlacedTrains())
    }

    private func time(_ seconds: Int) -> Date { Date(timeIntervalSince1970: 1_763_700_000 + Double(seconds)) }

    @Test(arguments: [0, 77, 3333])
    func everyStation_hasTrainInEachDirection(second: Int) {
        for station in stations where LineMap.stop(station.id) == station.id {
            let rows = board.rows(of: station.arrivalsName, at: time(second)).filter {
                $0.subwayId == station.line.arrivalsID
            }
            for hop in board.map.hops(from: station.id) {
                let towards = board.map.name(hop.to) + "방면"
                let name = station.line.arrivalsName(of: hop.direction)
                let found = rows.contains { $0.updnLine == name && $0.trainLineNm.hasSuffix(towards) }
                #expect(found, "\(station.name) → \(towards)")
            }
            #expect(rows.allSatisfy { $0.btrainNo.count == 4 && !$0.bstatnNm.isEmpty })
        }
    }

    /// Observes every train of a line at a station for 25 minutes, every five seconds.
    @Test(arguments: [("강남", "1002"), ("온수", "1007"), ("서울", "1004"), ("역촌", "1006"), ("마천", "1005")])
    func train_approachesAndDisappears(station: String, line: String) {
        var last: [String: (left: Int, code: String)] = [:]
        var codes: [String: [String]] = [:]
        for second in stride(from: 0, to: 1500, by: 5) {
            for row in board.rows(of: station, at: time(second)) where row.subwayId == line {
                let before = last[row.btrainNo]
                if let before { #expect(second - before.left == 5, "\(row.btrainNo) was away") }
                if before?.code != row.arvlCd { codes[row.btrainNo, default: []].append(row.arvlCd) }
                last[row.btrainNo] = (second, row.arvlCd)
                if row.barvlDt == "0", row.arvlCd == "99" { #expect(row.arvlMsg2.contains("분 후")) }
            }
        }
        let order = ["99", "4", "5", "3", "0", "1", "2"]
        #expect(codes.count >= 4)
        for (train, seen) in codes { #expect(seen == order.filter(seen.contains), "\(train): \(seen)") }
        #expect(codes.values.contains(order))
    }

    @Test func train_keepsItsNumberAlongTheLine() throws {
        let first = try #require(
            board.rows(of: "구로디지털단지", at: time(0)).first { $0.updnLine == "외선" && Int($0.barvlDt) ?? 0 > 0 }
        )
        // The train needs 90 s to 신대방 and 120 s more to 신림.
        let later = board.rows(of: "신림", at: time((Int(first.barvlDt) ?? 0) + 210))
        #expect(later.contains { $0.btrainNo == first.btrainNo && $0.arvlCd == "1" })
    }

    @Test func trainNumbers_areUniqueAtOneTime() {
        for line in Set(stations.map(\.line)) {
            var places: [String: Set<StationID>] = [:]
            for station in stations where station.line == line && LineMap.stop(station.id) == station.id {
                for row in board.rows(of: station.arrivalsName, at: time(0))
                where row.subwayId == line.arrivalsID && row.arvlCd == "1" {
                    places[row.btrainNo, default: []].insert(station.id)
                }
            }
            #expect(places.values.allSatisfy { $0.count == 1 }, "\(line)")
        }
    }
}
