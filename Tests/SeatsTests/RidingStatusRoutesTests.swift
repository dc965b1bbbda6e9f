import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct RidingStatusRoutesTests {
    private var world: SeatsWorld { .current }

    private struct StatusBody: Codable, Equatable {
        var trainCode: String?
        var carCode: String?
        var seatSection: String?
        var seatIdRequested: Int64?
    }

    private static let full = #"{"trainCode":"2234","carCode":"2429","seatSection":"NORMAL_A","seatIdRequested":101}"#

    @Test(.service) func missingRidingStatus_returns404() async throws {
        for path in ["/user/status", "/user/status/"] {
            let missing = try await world.client(1).send(.get, path)
            #expect(missing.summary == "404 USER_STATUS_NOT_FOUND")
            #expect(missing.title == "User Status Not Found")
        }
        #expect(try await world.client(1).send(.patch, "/user/status", json: Self.full).status == .notFound)
        #expect(try await world.client(1).send(.get, "/user/status").status == .notFound)
    }

    @Test(.service) func ridingStatus_isReplacedAndUpdated() async throws {
        let phone = world.client(1)
        let saved = try await phone.send(.post, "/user/status", json: Self.full)
        #expect(saved.status == .created)
        #expect(saved.text == "")
        let shown = try await phone.send(.get, "/user/status")
        #expect(
            try shown.json(StatusBody.self)
                == StatusBody(trainCode: "2234", carCode: "2429", seatSection: "NORMAL_A", seatIdRequested: 101)
        )

        let change = #"{"trainCode":null,"seatSection":"PRIORITY_B","extra":[1]}"#
        let changed = try await phone.send(.patch, "/user/status/", json: change)
        #expect(changed.status == .ok)
        #expect(changed.text == "")
        #expect(
            try await phone.send(.get, "/user/status").json(StatusBody.self)
                == StatusBody(trainCode: "2234", carCode: "2429", seatSection: "PRIORITY_B", seatIdRequested: 101)
        )

        #expect(try await phone.send(.post, "/user/status", json: "{}").status == .created)
        let empty = try await phone.send(.get, "/user/status")
        #expect(try empty.keys() == ["trainCode", "carCode", "seatSection", "seatIdRequested"])
        #expect(try empty.json(StatusBody.self) == StatusBody())
    }

    @Test(.service) func ridingStatus_isLimitedToOwner() async throws {
        _ = try await world.client(1).send(.post, "/user/status", json: Self.full)
        #expect(try await world.client(2).send(.get, "/user/status").status == .notFound)
        #expect(try await world.client(2).send(.post, "/user/status", json: #"{"carCode":"7250"}"#).status == .created)
        let mine = try await world.client(1).send(.get, "/user/status").json(StatusBody.self)
        #expect(mine.carCode == "2429")
    }

    /// The registration event may arrive after the passenger's first request.
    @Test(.service(passengers: [:])) func ridingStatus_isStoredBeforeRegistrationEvent() async throws {
        #expect(try await world.client(9).send(.post, "/user/status", json: Self.full).status == .created)
        try await world.register(9, "느린 수달")
        let name = try await TestDatabase.current.client.one(
            "SELECT nickname FROM passengers WHERE account_id = 9"
        ) { try $0.decode(String.self) }
        #expect(name == "느린 수달")
    }

    @Test(.service(passengers: [:])) func concurrentRidingStatuses_succeed() async throws {
        let answers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { try await world.client(9).send(.post, "/user/status", json: Self.full).status.code }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: 201, count: 8))
    }

    @Test(
        .service,
        arguments: [
            "", "{", "[]", "null", #"{"trainCode":5}"#, #"{"trainCode":""}"#, #"{"carCode":"  "}"#,
            #"{"trainCode":"a\u0000b"}"#, #"{"seatSection":"a\nb"}"#,
            #"{"trainCode":"\#(String(repeating: "1", count: 33))"}"#,
            #"{"seatSection":"a\#(String(repeating: "\u{301}", count: 5000))"}"#, #"{"seatIdRequested":0}"#,
            #"{"seatIdRequested":-1}"#, #"{"seatIdRequested":1.5}"#, #"{"seatIdRequested":"1"}"#,
            #"{"seatIdRequested":9223372036854775808}"#, #"{"seatIdRequested":1e400}"#,
        ]
    )
    func invalidRidingStatus_isRefused(body: String) async throws {
        _ = try await world.client(1).send(.post, "/user/status", json: Self.full)
        for method in [HTTPRequest.Method.post, .patch] {
            let answer = try await world.client(1).send(method, "/user/status", json: body)
            #expect(["400 BAD_REQUEST", "400 VALIDATION_ERROR"].contains(answer.summary), "\(answer.text)")
        }
        #expect(try await world.client(1).send(.get, "/user/status").json(StatusBody.self).seatIdRequested == 101)
    }

    @Test(.service) func maximumValues_areAccepted() async throws {
        let body = #"{"seatIdRequested":9223372036854775807,"trainCode":"\#(String(repeating: "가", count: 32))"}"#
        let answer = try await world.client(1).send(.post, "/user/status", json: body)
        #expect(answer.status == .created)
    }
}
