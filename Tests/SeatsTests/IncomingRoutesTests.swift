import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Subway
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct IncomingRoutesTests {
    private var world: ArrivalsWorld { .current }

    private struct TrainBody: Decodable {
        var btrainNo: String
        var ordkey: String
        var barvlDt: String
        var arvlMsg2: String
        var arvlCd: Int
        var bstatnNm: String
    }

    private func path(_ line: String, _ start: String, _ end: String) -> String {
        "/trains/incomings?lineNumber=\(line.encoded)&dep=\(start.encoded)&dest=\(end.encoded)"
    }

    @Test(
        .arrivals,
        arguments: [
            ("1", "서울역", "청량리"), ("2", "강남", "시청"), ("2", "시청", "강남"), ("2", "성수", "신설동"), ("2", "까치산", "강남"),
            ("3", "지축", "오금"), ("4", "총신대입구", "남태령"), ("5", "강동", "마천"), ("6", "새절", "역촌"), ("6", "구산", "새절"),
            ("6", "응암", "신내역"), ("7", "이수", "숭실대입구"), ("7", "온수", "장암"), ("8", "모란", "암사"),
        ]
    )
    func incomingTrains_areListedNearestFirst(line: String, start: String, end: String) async throws {
        let answer = try await world.phone.send(.get, path(line, start, end))
        #expect(answer.status == .ok)
        let trains = try answer.json([TrainBody].self)
        #expect(!trains.isEmpty)
        let seconds = trains.compactMap { Int($0.barvlDt) }
        #expect(seconds.count == trains.count)
        #expect(seconds == seconds.sorted())
        for train in trains {
            let digits = train.ordkey.prefix(5)
            #expect(digits.count == 5 && digits.allSatisfy(\.isNumber))
            #expect(train.ordkey.dropFirst(5).contains { !$0.isNumber })
            #expect(!train.arvlMsg2.isEmpty && !train.bstatnNm.isEmpty)
            #expect([0, 1, 2, 3, 4, 5, 99].contains(train.arvlCd))
        }
    }

    @Test(
        .arrivals,
        arguments: [
            "/trains/incomings", "/trains/incomings?lineNumber=2&dep=%EA%B0%95%EB%82%A8",
            "/trains/incomings?lineNumber=2&dep=%EA%B0%95%EB%82%A8&dest=%EA%B0%95%EB%82%A8",
            "/trains/incomings?lineNumber=42&dep=%EA%B0%95%EB%82%A8&dest=%EC%8B%9C%EC%B2%AD",
            "/trains/incomings?lineNumber=7&dep=%EA%B0%95%EB%82%A8&dest=%EC%8B%9C%EC%B2%AD",
            "/trains/incomings?lineNumber=&dep=&dest=",
            "/trains/incomings?lineNumber=2&dep=zzz&dest=%EC%8B%9C%EC%B2%AD",
        ]
    )
    func stationsWithoutCommonLine_return400(path: String) async throws {
        let answer = try await world.phone.send(.get, path)
        #expect(answer.status == .badRequest)
        #expect(answer.text == "")
    }

    @Test(.arrivals) func trainsEndingBeforeDestination_areOmitted() async throws {
        try await world.place("2901", line: "2", at: "강남", .down, in: 100, to: "삼성")
        try await world.place("2903", line: "2", at: "강남", .down, in: 130, to: "을지로입구")
        try await world.place("2905", line: "2", at: "강남", .up, in: 50, to: "신도림")
        let trains = try await world.phone.send(.get, path("2", "강남", "왕십리")).json([TrainBody].self)
        let numbers = trains.map(\.btrainNo)
        #expect(numbers.contains("2903"))
        #expect(!numbers.contains("2901"))
        #expect(!numbers.contains("2905"))
    }

    @Test(.arrivals { $0.arrivals.freshness = 0 }) func arrivalsOutage_withoutCachedAnswer_returns503() async throws {
        let fault = #"{"provider":"seoul","kind":"http","status":200,"count":1}"#
        try await world.control("faults", fault)
        let away = try await world.phone.send(.get, path("2", "강남", "시청"))
        #expect(away.status == .serviceUnavailable)
        #expect(away.text.contains(#""error":"Service Unavailable""#))
        #expect(away.headers[.retryAfter] != nil)

        #expect(try await world.phone.send(.get, path("2", "강남", "시청")).status == .ok)
        try await world.control("faults", fault)
        #expect(try await world.phone.send(.get, path("2", "강남", "시청")).status == .ok)
    }

    /// After three failures the API is not asked, and questions do not wait for it.
    @Test(.arrivals) func failingAPI_isPaused() async throws {
        func calls() async throws -> Int {
            let calls = try await world.sandbox.execute(uri: "/_control/calls?provider=seoul", method: .get) { $0.text }
            return calls.components(separatedBy: "realtimeStationArrival").count - 1
        }
        let path = path("2", "강남", "시청")
        try await world.control("faults", #"{"provider":"seoul","kind":"http","status":503,"count":3}"#)
        for _ in 0..<3 { #expect(try await world.phone.send(.get, path).status == .serviceUnavailable) }
        try await ArrivalsTests.lengthenPause()
        for _ in 0..<3 { #expect(try await world.phone.send(.get, path).status == .serviceUnavailable) }
        #expect(try await calls() == 3)
        try await TestDatabase.current.client.execute("UPDATE arrival_calls SET retry_at = now()")
        #expect(try await world.phone.send(.get, path).status == .ok)
        #expect(try await world.phone.send(.get, self.path("2", "사당", "시청")).status == .ok)
        #expect(try await calls() == 5)
    }

    @Test(.arrivals) func concurrentRequests_shareOneCall() async throws {
        let path = path("2", "강남", "시청")
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    let status = try await world.phone.send(.get, path).status
                    #expect(status == .ok)
                }
            }
            try await group.waitForAll()
        }
        let calls = try await world.sandbox.execute(uri: "/_control/calls?provider=seoul", method: .get) { $0.text }
        #expect(calls.components(separatedBy: "realtimeStationArrival").count == 2)
    }

    @Test(.arrivals) func incomingTrains_storeTerminals() async throws {
        try await world.place("2907", line: "2", at: "강남", .down, in: 200, to: "을지로입구")
        let before = Date.now
        _ = try await world.phone.send(.get, path("2", "강남", "왕십리"))
        let store = TrainPositionStore(map: LineMap(try StationData.stations()))
        let database = TestDatabase.current.client
        let found = try await store.sighting(of: "2907", in: database)
        let sighting = try #require(found)
        #expect(sighting.terminalName == "을지로입구")
        // 200 s to 강남, 1740 s on to 시청 the same way, less 90.
        let expected = before + 200 + 1650
        #expect(abs(sighting.arrivalAtTerminal.timeIntervalSince(expected)) < 30)
        #expect(try await store.sighting(of: "9999", in: database) == nil)
    }

    @Test(.arrivals) func unauthenticatedRequest_returns401() async throws {
        let answer = try await ServiceClient(world.seats, to: .seats, app: .seatcatcher).send(
            .get,
            path("2", "강남", "시청")
        )
        #expect(answer.status == .unauthorized)
    }
}
