import FoundationEssentials
import Subway
import Testing

@testable import Seats

@Suite struct ArrivalTests {
    private let map: LineMap
    private let now = Date(timeIntervalSince1970: 1_763_700_000)

    init() throws { map = LineMap(try StationData.stations()) }

    @Test(
        arguments: [
            (Arrival.fixture(seconds: 120), 120), (.fixture(seconds: 0, message: "12분 후 (시청)"), 720),
            (.fixture(seconds: 0, message: "12분"), 720),
            // Two stops back from 강남 on the outer track: 서초 and 교대.
            (.fixture(orderKey: "11002성수0", seconds: 0, message: "[2]번째 전역 (서초)"), 150),
            (.fixture(orderKey: "", seconds: 0, message: "곧"), nil),
            (.fixture(orderKey: "11-01성수0", seconds: 0, message: ""), nil),
            (.fixture(seconds: 0, message: "99999999999999999분 후"), 599_940),
            (.fixture(code: 3, seconds: 0), 90), (.fixture(direction: .up, code: 4, seconds: 0), 60),
            (.fixture(code: 5, seconds: 40), 40), (.fixture(code: 0, seconds: 0), 60),
            (.fixture(code: 1, seconds: 0), 0),
            (.fixture(code: 2, seconds: 0), 0), (.fixture(code: 404, seconds: 50), nil),
        ] as [(Arrival, Int?)]
    )
    func secondsLeft_areReadFromArrival(arrival: Arrival, seconds: Int?) {
        #expect(arrival.secondsLeft(to: 32, on: map, now: now) == seconds)
    }

    @Test func secondsLeft_decreaseWithTime() {
        #expect(Arrival.fixture(seconds: 120).secondsLeft(to: 32, on: map, now: now + 50) == 70)
        #expect(Arrival.fixture(seconds: 120).secondsLeft(to: 32, on: map, now: now + 500) == 0)
        #expect(Arrival.fixture(seconds: 120).secondsLeft(to: 32, on: map, now: now - 50) == 120)
    }

    /// 서울역 is the first row of line 1, but trains arrive from stations outside the map.
    @Test func secondsLeft_beyondMap_areEstimated() {
        let arrival = Arrival.fixture(line: .line1, direction: .up, orderKey: "01003청량리0", code: 3, seconds: 0)
        #expect(arrival.secondsLeft(to: 1, on: map, now: now) == 120)
    }

    @Test(
        arguments: [
            // 강남 → 왕십리 goes down by 성수.
            ("2234", "성수", 32, 18, true), ("2234", "성수종착", 32, 18, false), ("2234", "삼성", 32, 18, false),
            ("2234", "왕십리", 32, 18, true), ("2234", "을지로입구", 32, 18, true), ("2234", "신도림", 32, 18, true),
            ("2234", "강남", 32, 18, false), ("2234", "화성", 32, 18, true), ("2234", "삼성 (막차)", 32, 18, false),
            // 성수 → 신설동 by the shuttle, 성수 → 건대입구 not.
            ("1650", "신설동", 21, 58, true), ("2234", "성수", 21, 58, false), ("1650", "신설동", 21, 22, false),
            ("2234", "성수", 21, 22, true), ("1651", "성수", 58, 32, true), ("5670", "까치산", 44, 62, true),
            // The train number alone does not identify a shuttle.
            ("1234", "을지로입구", 32, 18, true), ("5234", "잠실", 32, 30, true),
        ] as [(String, String, StationID, StationID, Bool)]
    )
    func arrival_onLine2_servesRoute(train: String, terminal: String, start: StationID, end: StationID, serves: Bool)
        throws
    {
        let route = try #require(map.route(from: start, to: end))
        let arrival = Arrival.fixture(train: train, direction: route.direction, terminal: terminal)
        #expect(arrival.serves(route, on: map) == serves)
    }

    @Test(
        arguments: [
            (Line.line5, "마천", 157, 171, false), (.line5, "하남검단산", 157, 171, true), (.line5, "마천", 157, 161, true),
            (.line5, "상일동", 157, 171, false), (.line6, "응암순환(상선)", 190, 182, true), (.line6, "신내", 184, 190, true),
            (.line6, "봉화산", 200, 218, false), (.line7, "석남", 236, 260, true), (.line7, "온수", 236, 259, true),
            (.line7, "숭실대입구(살피재)", 236, 259, false),
        ] as [(Line, String, StationID, StationID, Bool)]
    )
    func arrival_onBranchesAndLoops_servesRoute(
        line: Line,
        terminal: String,
        start: StationID,
        end: StationID,
        serves: Bool
    )
        throws
    {
        let route = try #require(map.route(from: start, to: end))
        let arrival = Arrival.fixture(line: line, train: "9", direction: route.direction, terminal: terminal)
        #expect(arrival.serves(route, on: map) == serves)
    }

    @Test(arguments: [
        ("2234", 99, 120, Tracking.Observation.seen(.running, seconds: 120)), ("2236", 99, 120, .notSeen),
        ("2234", 404, 120, .notSeen), ("2234", 1, 0, .seen(.arrived, seconds: 0)),
    ])
    func observation_findsTrainOnBoard(train: String, code: Int, seconds: Int, observation: Tracking.Observation) throws
    {
        let route = try #require(map.route(from: 40, to: 32))
        let board: [Arrival] = [
            .fixture(direction: .up, code: 1), .fixture(line: .line7), .fixture(code: code, seconds: seconds),
        ]
        #expect(Tracking.Observation(of: train, on: route, board: board, map: map, now: now) == observation)
    }

    @Test func secondsToEnd_followTrainDirection() {
        #expect(map.secondsToEnd(of: 12, from: 32, going: .down) == 1650)
        #expect(map.secondsToEnd(of: 12, from: 32, going: .up) == 2250)
        #expect(map.secondsToEnd(of: 32, from: 32, going: .up) == 0)
        #expect(map.secondsToEnd(of: nil, from: 236, going: .down) == 4140 - 1630)
        #expect(map.secondsToEnd(of: nil, from: 260, going: .down) == 0)
        #expect(map.secondsToEnd(of: nil, from: 11, going: .up) == 3810)
    }
}
