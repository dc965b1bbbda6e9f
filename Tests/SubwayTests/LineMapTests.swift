import Testing

@testable import Subway

@Suite struct LineMapTests {
    private let stations: [Station]
    private let map: LineMap

    init() throws {
        stations = try StationData.stations()
        map = LineMap(stations)
    }

    private func lines() -> [[Station]] { Dictionary(grouping: stations, by: \.line).values.map { $0 } }

    /// Whether a stop can be left in one direction only.
    private func isInLoop(_ id: StationID) -> Bool { (180...184).contains(id) }

    @Test func route_existsBetweenStopsOfLine() throws {
        for line in lines() {
            for start in line {
                for end in line where LineMap.stop(start.id) != LineMap.stop(end.id) {
                    let route = try #require(map.route(from: start.id, to: end.id), "\(start.name) → \(end.name)")
                    let ids = route.stations
                    guard ids.first == LineMap.stop(start.id), ids.last == LineMap.stop(end.id),
                        Set(ids).count == ids.count,
                        zip(route.hops, route.hops.dropFirst()).allSatisfy({ $0.to == $1.from }),
                        route.seconds > 0
                    else {
                        Issue.record("\(start.name) → \(end.name): \(ids)")
                        continue
                    }
                }
            }
        }
    }

    @Test func reverseRoute_takesTheSameTime() throws {
        // Half a circle apart; the second branch leaves from 44.
        let faces: Set<[StationID]> = [[14, 36], [20, 41], [24, 44], [25, 45]]
        for line in lines() {
            for start in line where !isInLoop(start.id) {
                for end in line where end.id > start.id && !isInLoop(end.id) {
                    guard let there = map.route(from: start.id, to: end.id) else { continue }
                    let back = try #require(map.route(from: end.id, to: start.id))
                    if faces.contains([start.id, (59...62).contains(end.id) ? 44 : end.id]) {
                        #expect(back.seconds == there.seconds)
                        #expect(there.hops.allSatisfy { $0.direction == .up })
                        #expect(back.hops.last?.direction == .up)
                        continue
                    }
                    guard back.seconds == there.seconds, back.stations == there.stations.reversed(),
                        back.hops.map(\.direction) == there.hops.map(\.direction.opposite).reversed()
                    else {
                        Issue.record("\(start.name) ⇄ \(end.name)")
                        continue
                    }
                }
            }
        }
    }

    /// On a line without circle, branch and loop the time equals the difference of the data's totals.
    @Test(arguments: [Line.line1, .line3, .line4, .line7, .line8])
    func route_onPlainLine_matchesTotals(line: Line) throws {
        let stops = stations.filter { $0.line == line }
        for start in stops {
            for end in stops where end.id != start.id {
                let route = try #require(map.route(from: start.id, to: end.id))
                guard route.seconds == abs(end.totalSeconds - start.totalSeconds),
                    route.direction == (end.id > start.id ? line.listed : line.listed.opposite)
                else {
                    Issue.record("\(start.name) → \(end.name)")
                    continue
                }
            }
        }
    }

    @Test(arguments: [
        // A full circle takes 3900 s; 강남 lies 1740 s from 시청 the one way and 2160 s the other.
        Known("강남", "시청", .line2, seconds: 1740, direction: .down, via: "성수"),
        Known("시청", "강남", .line2, seconds: 1740, direction: .up, via: "성수"),
        Known("신림", "시청", .line2, seconds: 1380, direction: .up, via: "신도림"),
        // Across the first station of the circle.
        Known("을지로입구", "충정로", .line2, seconds: 180, direction: .down, via: "시청"),
        Known("홍대입구", "왕십리", .line2, seconds: 930, direction: .up, via: "시청"),
        // Into, out of and along the branches.
        Known("강남", "신설동", .line2, seconds: 1440, direction: .down, via: "성수"),
        Known("신설동", "성수", .line2, seconds: 450, direction: .down, via: "용답"),
        Known("성수", "용답", .line2, seconds: 180, direction: .up, via: "용답"),
        Known("신도림", "까치산", .line2, seconds: 570, direction: .up, via: "양천구청"),
        Known("까치산", "문래", .line2, seconds: 690, direction: .down, via: "신도림"),
        Known("신설동", "까치산", .line2, seconds: 2700, direction: .down, via: "성수"),
        Known("방화", "마천", .line5, seconds: 4000, direction: .down, via: "강동"),
        Known("마천", "하남검단산", .line5, seconds: 1670, direction: .up, via: "강동"),
        Known("길동", "둔촌동", .line5, seconds: 200, direction: .up, via: "강동"),
        // Round the loop, from it and into it.
        Known("응암", "역촌", .line6, seconds: 100, direction: .up, via: "역촌"),
        Known("역촌", "응암", .line6, seconds: 490, direction: .up, via: "구산"),
        Known("불광", "역촌", .line6, seconds: 510, direction: .up, via: "응암"),
        Known("새절", "역촌", .line6, seconds: 180, direction: .up, via: "응암"),
        Known("구산", "새절", .line6, seconds: 200, direction: .up, via: "응암"),
        Known("서울역", "청량리", .line1, seconds: 840, direction: .up, via: "종각"),
        Known("온수", "장암", .line7, seconds: 4140, direction: .up, via: "군자"),
    ])
    func route_isTheFastest(known: Known) throws {
        let start = try #require(map.station(named: known.from, on: known.line))
        let end = try #require(map.station(named: known.to, on: known.line))
        let via = try #require(map.station(named: known.via, on: known.line))
        let route = try #require(map.route(from: start.id, to: end.id))
        #expect(route.seconds == known.seconds)
        #expect(route.direction == known.direction)
        #expect(route.stations.contains(via.id))
        #expect(route.seconds(to: start.id) == 0)
        #expect(route.seconds(to: end.id) == known.seconds)
    }

    struct Known: Sendable, CustomTestStringConvertible {
        var from: String
        var to: String
        var line: Line
        var seconds: Int
        var direction: Direction
        var via: String

        init(_ from: String, _ to: String, _ line: Line, seconds: Int, direction: Direction, via: String) {
            self.from = from
            self.to = to
            self.line = line
            self.seconds = seconds
            self.direction = direction
            self.via = via
        }

        var testDescription: String { "\(from) → \(to)" }
    }

    @Test func route_acceptsEitherIdOfStop() throws {
        #expect(map.route(from: 32, to: 54) == map.route(from: 32, to: 11))
        #expect(map.route(from: 32, to: 54)?.seconds(to: 54) == 1740)
        #expect(map.route(from: 32, to: 54)?.seconds(to: 33) == nil)
        #expect(map.route(from: 185, to: 190) == map.route(from: 179, to: 190))
        #expect(map.station(named: "시청", on: .line2)?.id == 11)
        #expect(map.station(named: "응암", on: .line6)?.id == 179)
        #expect(map.station(named: "시청", on: .line1)?.id == 2)
    }

    @Test(
        arguments: [
            (32, 32), (11, 54), (54, 11), (179, 185), (185, 179), (2, 11), (1, 114), (0, 11), (11, 0), (279, 280),
            (-1, 1),
            (StationID(rawValue: .max), StationID(rawValue: .min)),
        ] as [(StationID, StationID)]
    )
    func route_betweenUnconnectedStops_isNil(start: StationID, end: StationID) {
        #expect(map.route(from: start, to: end) == nil)
    }

    @Test func hopsInto_findPrecedingStops() {
        #expect(map.hops(into: 32, going: .up).map(\.from) == [31])
        #expect(map.hops(into: 32, going: .down).map(\.from) == [33])
        #expect(map.hops(into: 11, going: .up).map(\.from) == [53])
        #expect(map.hops(into: 54, going: .down).map(\.from) == [12])
        #expect(map.hops(into: 21, going: .down).map(\.from) == [22, 55])
        #expect(map.hops(into: 161, going: .up).map(\.from) == [162, 172])
        #expect(map.hops(into: 179, going: .up).map(\.from) == [184, 186])
        #expect(map.hops(into: 181, going: .down).isEmpty)
        #expect(map.hops(into: 219, going: .down).isEmpty)
        #expect(map.hops(from: 0).isEmpty)
    }

    @Test func hops_keepDirectionOfTrain() throws {
        let inner = try #require(map.hops(from: 32, to: 31, going: .up))
        #expect(inner.count == 42)
        #expect(inner.reduce(0) { $0 + $1.seconds } == 3900 - 60)
        #expect(map.hops(from: 32, to: 31, going: .down)?.count == 1)
        #expect(map.hops(from: 21, to: 54, going: .up)?.first?.to == 22)
        #expect(map.hops(from: 21, to: 58, going: .up)?.map(\.to) == [55, 56, 57, 58])
        #expect(map.hops(from: 21, to: 21, going: .down)?.count == 43)
        #expect(map.hops(from: 190, to: 184, going: .up)?.count == 10)
        #expect(map.hops(from: 184, to: 190, going: .up) == nil)
        #expect(map.hops(from: 219, to: 260, going: .up) == nil)
        #expect(map.hops(from: 1, to: 11, going: .up) == nil)
    }

    @Test func station_isFoundByArrivalsName() {
        #expect(map.station(named: "총신대입구(이수)", on: .line7)?.id == 246)
        #expect(map.station(named: "총신대입구(이수)", on: .line4)?.id == 120)
        #expect(map.station(named: "이수", on: .line4) == nil)
        #expect(map.station(104)?.arrivalsName == "미아사거리")
        #expect(map.station(named: "미아사거리", on: .line4)?.id == 104)
        #expect(map.station(1)?.arrivalsName == "서울")
        #expect(map.station(32)?.arrivalsName == "강남")
    }

    /// Every stop but the ends has two ways out, and junctions three.
    @Test func map_isConnected() {
        #expect(stations.map(\.id).filter(map.isInLoop) == Array(180...184))
        let ways = Dictionary(grouping: stations.map(\.id).filter { LineMap.stop($0) == $0 }) {
            map.hops(from: $0).count
        }
        #expect(ways[3]?.sorted() == [21, 44, 161])
        let ends: [StationID] = [1, 10, 58, 62, 63, 96, 97, 122, 123, 171, 178, 218, 219, 260, 261, 278]
        #expect(ways[1]?.sorted() == (ends + Array(180...184)).sorted())
        #expect(ways[0] == nil)
        #expect(LineMap([]).route(from: 1, to: 2) == nil)
    }
}
