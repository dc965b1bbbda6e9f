import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceDatabase
import TestKit
import Testing

@testable import Seats

/// Repeated POSTs with an `Idempotency-Key`.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct IdempotencyTests {
    private var world: SeatsWorld { .current }

    private func post(_ path: String, _ body: String?, key: String, by account: AccountID = 1) async throws
        -> TestResponse
    {
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        return try await world.client(account).send(.post, path, json: body, headers: [name: key])
    }

    private static let journey = #"{"startStationId":32,"endStationId":40,"trainCode":"2234"}"#
    private static let path = #"{"startStationId":32,"endStationId":40}"#

    @Test func repeatedPost_getsSameResponse_andHasOneEffect() async throws {
        let seats = try await world.seats()
        try await world.pay(1, 500)
        _ = try await world.occupy(seats[1], 2)
        let calls: [(path: String, body: String?)] = [
            ("/path-histories", Self.path), ("/path-histories/start-journey", Self.journey),
            ("/user/seats?seatId=\(seats[0])", nil),
            ("/user/seats/\(seats[1])/yield?type=REQUEST&creditAmount=100", nil),
            ("/reports", #"{"reportedUserId":2,"reason":"자리"}"#),
            ("/favorites", #"{"name":"집","startStationId":32,"endStationId":40}"#),
        ]
        for (number, call) in calls.enumerated() {
            let first = try await post(call.path, call.body, key: "k\(number)")
            #expect(first.status.kind == .successful, "\(call.path) \(first.text)")
            let again = try await post(call.path, call.body, key: "k\(number)")
            #expect((again.status, again.text) == (first.status, first.text), "\(call.path)")
        }
        #expect(try await world.count("journeys") == 2)
        #expect(try await world.occupants() == [seats[0]: 1, seats[1]: 2])
        #expect(try await world.credit(1) == 700)
        try await world.checkLedger()
    }

    /// Seats' calls have their parameters in the query.
    @Test func keyOfAnotherRequest_isRefused() async throws {
        let seats = try await world.seats()
        #expect(try await post("/user/seats?seatId=\(seats[0])", nil, key: "k").status == .created)
        #expect(try await post("/user/seats?seatId=\(seats[1])", nil, key: "k").status == .conflict)
        #expect(try await post("/path-histories/start-journey", Self.journey, key: "k").status == .conflict)
        #expect(try await post("/path-histories/start-journey", Self.journey, key: "j").status == .created)
        let other = Self.journey.replacing("2234", with: "2236")
        #expect(try await post("/path-histories/start-journey", other, key: "j").status == .conflict)
        // A key belongs to an account.
        #expect(try await post("/user/seats?seatId=\(seats[1])", nil, key: "k", by: 2).status == .created)
    }

    @Test func concurrentPosts_withOneKey_haveOneEffect() async throws {
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await post("/path-histories", Self.path, key: "same").text } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
        #expect(try await world.count("journeys") == 1)
    }

    @Test func refusedRequest_canBeRepeated() async throws {
        let seat = try await world.seats()[0]
        _ = try await world.occupy(seat, 2)
        #expect(try await post("/user/seats?seatId=\(seat)", nil, key: "k").status == .conflict)
        _ = try await world.release(2)
        #expect(try await post("/user/seats?seatId=\(seat)", nil, key: "k").status == .created)
    }

    @Test func withdrawal_deletesResponses() async throws {
        _ = try await post("/path-histories", Self.path, key: "k")
        #expect(try await world.count("requests") == 1)
        try await world.withdraw(1)
        #expect(try await world.count("requests") == 0)
    }
}
