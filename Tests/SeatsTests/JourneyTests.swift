import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Subway
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct JourneyTests {
    private var world: SeatsWorld { .current }

    private struct Item: Decodable {
        var id: JourneyID
        var startStationId: Int64
        var startStationName: String
        var startline: String
        var endStationId: Int64
        var endStationName: String
        var endline: String
        var expectedArrivalTime: String
        var createdDate: String
    }

    private struct Page: Decodable {
        var pathHistoryInfoList: [Item]
        var nextCursor: Int64
        var last: Bool
    }

    private func state(_ id: JourneyID) async throws -> PathState? {
        try await world.messages(.path(id)).last.map {
            try JSONDecoder().decode(PathState.self, from: Data($0.body.utf8))
        }
    }

    @Test func newJourney_expectsArrivalByRunningTime() async throws {
        let before = Date.now
        let journey = try await world.start(1, from: 32, to: 40)
        let expected = try LineMapSeconds.between(32, 40)
        let arrivals = [before, Date.now].map { WallTime(($0 + Double(expected)).microseconds).minute }
        #expect(arrivals.contains(journey.expectedArrivalTime))
        #expect(!journey.arrived)
        #expect(journey.nextScheduleTime.count == "2025-06-01 14:30".count)
    }

    @Test func newJourney_endsPreviousAndReleasesSeat() async throws {
        let seats = try await world.seats()
        let first = try await world.start(1)
        _ = try await world.occupy(seats[0], 1)
        _ = try await world.occupy(seats[1], 2)
        _ = try await world.request(seats[1], by: 1, 100)
        _ = try await world.request(seats[0], by: 2, 100)
        let second = try await world.start(1, to: 41, train: "2236")
        #expect(second.pathHistoryId != first.pathHistoryId)
        #expect(try await world.occupants() == [seats[1]: 2])
        // The reward for the seat that was left at once is taken back.
        #expect(try await world.credit(1) == 0)
        #expect(try await world.credit(2) == 300)
        #expect(try await world.replies(seats[0], to: 2) == [false])
        #expect(try await world.notices(seats[1], to: 2) == [100, nil])
        #expect(try await state(first.pathHistoryId)?.hasArrived == true)
        let active = try await world.database.all("SELECT id FROM journeys WHERE status = 'ACTIVE'") {
            try $0.decode(JourneyID.self)
        }
        #expect(active == [second.pathHistoryId])
        try await world.checkLedger()
    }

    @Test func repeatedStart_createsOneJourney() async throws {
        let ids = try await withThrowingTaskGroup(of: JourneyID.self) { group in
            for _ in 0..<8 { group.addTask { try await world.start(1).pathHistoryId } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test func newJourney_releasesSeatOfOtherTrain() async throws {
        let seat = try await world.seats(train: "2300")[0]
        _ = try await world.start(1, train: "2234")
        _ = try await world.occupy(seat, 1)
        #expect(try await world.occupants(train: "2300") == [seat: 1])
        _ = try await world.start(1, train: "2236")
        #expect(try await world.occupants(train: "2300").isEmpty)
        #expect(try await world.release(1) == "409 USER_NOT_RESERVED")
    }

    @Test func newJourney_keepsSeatOfSameTrain() async throws {
        let seat = try await world.seats()[0]
        _ = try await world.occupy(seat, 1)
        _ = try await world.start(1)
        #expect(try await world.occupants() == [seat: 1])
        #expect(try await world.car()[0].seatStatus[0].occupant?.getOffStationName == "신림")
    }

    @Test func arrival_releasesSeatAndCancelsRequests() async throws {
        let seats = try await world.seats()
        let journey = try await world.start(1)
        _ = try await world.occupy(seats[0], 1)
        _ = try await world.occupy(seats[1], 2)
        _ = try await world.request(seats[1], by: 1, 200)
        let journeys = try SeatsDomain.current.journeys
        let kept = try await journeys.path(journey.pathHistoryId, account: 1)
        try await journeys.end(kept, .arrived)
        try await journeys.end(kept, .arrived)
        #expect(try await world.occupants() == [seats[1]: 2])
        #expect(try await world.credit(1) == 0)
        let state = try #require(try await state(journey.pathHistoryId))
        #expect(state.hasArrived)
        #expect(try await world.messages(.path(journey.pathHistoryId)).count == 1)
        let alerts = try await world.database.all("SELECT kind FROM alerts WHERE account_id = 1") {
            try $0.decode(String.self)
        }
        #expect(alerts.filter { $0 == "ARRIVAL_HANDLED" }.count <= 1)
        try await world.checkLedger()
    }

    @Test func endOfOldJourney_keepsSeatOfNewJourney() async throws {
        let seats = try await world.seats()
        let journeys = try SeatsDomain.current.journeys
        let first = try await journeys.path(try await world.start(1).pathHistoryId, account: 1)
        _ = try await world.start(1, to: 41)
        _ = try await world.occupy(seats[0], 1)
        try await journeys.end(first, .arrived)
        #expect(try await world.occupants() == [seats[0]: 1])
    }

    @Test func laterArrival_isShownOnSeat() async throws {
        let seat = try await world.seats()[0]
        let journeys = try SeatsDomain.current.journeys
        let journey = try await journeys.path(try await world.start(1).pathHistoryId, account: 1)
        _ = try await world.occupy(seat, 1)
        var tracking = journey.tracking
        tracking.expectedArrival += 600
        try await journeys.update(journey, tracking, nextCheck: .now + 60, isChanged: true)
        let shown = try await world.car()[0].seatStatus[0].occupant?.expectedArrivalTime
        #expect(shown == WallTime(tracking.expectedArrival.microseconds).full)
        #expect(try await state(journey.id)?.expectedArrival == tracking.expectedArrival.microseconds)
        #expect(try await world.messages(.car(CarAddress(train: "2234", code: "2429"))).count == 2)
    }

    @Test func journeys_arePagedNewestFirst() async throws {
        let phone = world.client(1)
        for end in 33...37 {
            let body = #"{"startStationId":32,"endStationId":\#(end)}"#
            #expect(try await phone.send(.post, "/path-histories/", json: body).status == .ok)
        }
        let first = try await phone.send(.get, "/path-histories/?size=3").json(Page.self)
        #expect(first.pathHistoryInfoList.map(\.endStationId) == [37, 36, 35])
        #expect(!first.last)
        #expect(first.nextCursor == first.pathHistoryInfoList.last?.id.rawValue)
        let item = try #require(first.pathHistoryInfoList.first)
        #expect((item.startStationName, item.startline) == ("강남", "LINE_2"))
        #expect((item.expectedArrivalTime.count, item.createdDate.count) == (5, 5))
        let rest = try await phone.send(.get, "/path-histories?size=3&cursor=\(first.nextCursor)").json(Page.self)
        #expect(rest.pathHistoryInfoList.map(\.endStationId) == [34, 33])
        #expect((rest.nextCursor, rest.last) == (-1, true))
        #expect(try await world.client(2).send(.get, "/path-histories/").json(Page.self).pathHistoryInfoList.isEmpty)
        #expect(try await phone.send(.get, "/path-histories?size=0").summary == "400 BAD_REQUEST")
        #expect(try await phone.send(.get, "/path-histories?size=1000000").summary == "400 BAD_REQUEST")
    }

    @Test func journey_isLimitedToOwner() async throws {
        let id = try await world.start(1).pathHistoryId
        let other = world.client(2)
        for method in [HTTPRequest.Method.get, .patch, .delete] {
            #expect(try await other.send(method, "/path-histories/\(id)").summary == "403 PATH_HISTORY_FORBIDDEN")
            #expect(try await other.send(method, "/path-histories/99999").summary == "404 PATH_HISTORY_NOT_FOUND")
            #expect(try await other.send(method, "/path-histories/x").summary == "400 BAD_REQUEST")
        }
        #expect(try await world.client(1).send(.get, "/path-histories/\(id)").json(Item.self).id == id)
        #expect(try await world.client(1).send(.patch, "/path-histories/\(id)", json: "{}").status == .ok)
        #expect(try await world.client(1).send(.delete, "/path-histories/\(id)").status == .ok)
        #expect(try await state(id)?.hasArrived == true)
        #expect(try await world.client(1).send(.get, "/path-histories/\(id)").status == .notFound)
    }

    @Test(arguments: [
        (#"{}"#, "400 VALIDATION_ERROR"), (#"{"startStationId":32,"endStationId":40}"#, "400 VALIDATION_ERROR"),
        (#"{"startStationId":32,"endStationId":40,"trainCode":""}"#, "400 INVALID_PARAMETER"),
        (#"{"startStationId":32,"endStationId":40,"trainCode":"2.3"}"#, "400 INVALID_PARAMETER"),
        (#"{"startStationId":32,"endStationId":9999,"trainCode":"2234"}"#, "404 SUBWAY_STATION_NOT_FOUND"),
        (#"{"startStationId":32,"endStationId":230,"trainCode":"2234"}"#, "400 SUBWAY_LINE_MISMATCH"),
        (#"{"startStationId":32,"endStationId":32,"trainCode":"2234"}"#, "400"), ("[", "400 BAD_REQUEST"),
    ])
    func invalidJourney_isRefused(body: String, summary: String) async throws {
        let answer = try await world.client(1).send(.post, "/path-histories/start-journey", json: body)
        #expect(answer.summary == summary)
    }

    @Test func concurrentOccupyAndStart_areSerialized() async throws {
        let seat = try await world.seats()[0]
        let old = try await world.start(1, to: 36).pathHistoryId
        let world = world
        let (occupied, started) = try await world.database.transaction { transaction in
            _ = try await transaction.run(PassengerStore().lock([1]))
            let occupied = Task { try await world.occupy(seat, 1) }
            try await transaction.waitUntilBlocking()
            let started = Task { try await world.start(1) }
            try await transaction.waitUntilBlocking(2)
            return (occupied, started)
        }
        #expect(try await occupied.value == "201")
        #expect(try await started.value.pathHistoryId > old)
        // The seat belonged to the journey that ended, so it is released.
        #expect(try await world.occupants().isEmpty)
        try await world.checkLedger()
    }
}
