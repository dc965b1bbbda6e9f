import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Seats

/// Passenger 1 has the first seat; 2, 3 and 4 have 1,000 credits each. In the end the ledger must balance.
private struct ExchangeWorld: Fixture {
    static let people: [AccountID: String] = [1: "앉은 수달", 2: "선 고래", 3: "선 여우", 4: "먼 곰"]

    let world: SeatsWorld
    let seat: SeatID

    static func test(_ body: @escaping @Sendable (ExchangeWorld) async throws -> Void) async throws {
        try await SeatsWorld.test(passengers: people) { (world) async throws in
            let seat = try await world.seats()[0]
            for account in people.keys where account != 1 { try await world.pay(account, 1000) }
            #expect(try await world.occupy(seat, 1) == "201")
            try await body(ExchangeWorld(world: world, seat: seat))
            try await world.checkLedger()
        }
    }
}

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .fixture(ExchangeWorld.test)) struct SeatExchangeTests {
    private var world: SeatsWorld { ExchangeWorld.current.world }
    private var seat: SeatID { ExchangeWorld.current.seat }

    @Test func acceptance_movesSeatAndCredit() async throws {
        #expect(try await world.request(seat, by: 2, 300) == "200")
        #expect(try await world.credit(2) == 700)
        #expect(try await world.notices(seat, to: 1) == [300])
        #expect(try await world.confirm(seat, 2) == "409 YIELD_ACCEPT_FAILED")

        #expect(try await world.yield(seat, 1, "oppositeUserId=2&type=ACCEPT") == "200")
        #expect(try await world.occupants() == [seat: 2])
        #expect(try await world.credit(1) == 600)
        #expect(try await world.replies(seat, to: 2) == [true])

        #expect(try await world.confirm(seat, 2) == "200")
        #expect(try await world.confirm(seat, 2) == "200")
        #expect(try await world.yield(seat, 1, "oppositeUserId=2&type=ACCEPT") == "200")
        #expect(try await world.credit(1) == 600)
        #expect(try await world.credit(2) == 700)
        #expect(try await world.release(1) == "409 USER_NOT_RESERVED")
    }

    @Test func transferredSeat_hasNoClawBack() async throws {
        _ = try await world.request(seat, by: 2, 300)
        _ = try await world.yield(seat, 1, "oppositeUserId=2&type=ACCEPT")
        #expect(try await world.release(2) == "204")
        #expect(try await world.credit(2) == 700)
    }

    @Test func rejectedOrCancelledRequest_isRefunded() async throws {
        _ = try await world.request(seat, by: 2, 300)
        #expect(try await world.yield(seat, 1, "creditAmount=999999&oppositeUserId=2&type=REJECT") == "200")
        #expect(try await world.credit(2) == 1000)
        #expect(try await world.replies(seat, to: 2) == [false])
        #expect(try await world.yield(seat, 1, "creditAmount=300&oppositeUserId=2&type=REJECT") == "200")
        #expect(try await world.yield(seat, 1, "oppositeUserId=2&type=ACCEPT") == "409 YIELD_ACCEPT_FAILED")

        _ = try await world.request(seat, by: 2, 250)
        #expect(try await world.yield(seat, 2, "creditAmount=999999&type=CANCEL") == "200")
        #expect(try await world.yield(seat, 2, "creditAmount=999999&type=CANCEL") == "200")
        #expect(try await world.credit(2) == 1000)
        #expect(try await world.notices(seat, to: 1) == [300, 250, nil])
        #expect(try await world.credit(1) == 300)
    }

    @Test func repeatedRequest_replacesAmount() async throws {
        for _ in 0..<3 { #expect(try await world.request(seat, by: 2, 300) == "200") }
        #expect(try await world.credit(2) == 700)
        #expect(try await world.notices(seat, to: 1) == [300])
        #expect(try await world.request(seat, by: 2, 500) == "200")
        #expect(try await world.credit(2) == 500)
        #expect(try await world.request(seat, by: 2, 100) == "200")
        #expect(try await world.credit(2) == 900)
        #expect(try await world.notices(seat, to: 1) == [300, 500, 100])
        #expect(try await world.request(seat, by: 2, 0) == "200")
        #expect(try await world.credit(2) == 1000)
    }

    @Test func acceptance_refundsOtherRequests() async throws {
        for account in [2, 3, 4] as [AccountID] {
            _ = try await world.request(seat, by: account, 100 * account.rawValue)
        }
        #expect(try await world.yield(seat, 1, "oppositeUserId=3&type=ACCEPT") == "200")
        #expect(try await world.credit(2) == 1000)
        #expect(try await world.credit(3) == 700)
        #expect(try await world.credit(4) == 1000)
        #expect(try await world.replies(seat, to: 2) == [false])
        #expect(try await world.replies(seat, to: 4) == [false])
        #expect(try await world.confirm(seat, 2) == "403 NOT_OCCUPANT")
    }

    @Test func acceptance_releasesPreviousSeatAndKeepsReward() async throws {
        let other = try await world.seats(car: "7250")[3]
        #expect(try await world.occupy(other, 2) == "201")
        #expect(try await world.request(other, by: 3, 50) == "200")
        #expect(try await world.request(seat, by: 2, 300) == "200")
        #expect(try await world.yield(seat, 1, "oppositeUserId=2&type=ACCEPT") == "200")
        #expect(try await world.occupants() == [seat: 2])
        #expect(try await world.occupants(car: "7250").isEmpty)
        #expect(try await world.credit(2) == 1000)
        #expect(try await world.credit(3) == 1000)
        #expect(try await world.replies(other, to: 3) == [false])
    }

    @Test func releaseByOwner_rejectsRequests() async throws {
        _ = try await world.request(seat, by: 2, 300)
        #expect(try await world.release(1) == "204")
        #expect(try await world.credit(2) == 1000)
        #expect(try await world.replies(seat, to: 2) == [false])
        #expect(try await world.yield(seat, 2, "creditAmount=300&type=CANCEL") == "200")
        #expect(try await world.credit(2) == 1000)
        #expect(try await world.yield(seat, 1, "oppositeUserId=2&type=ACCEPT") == "409 YIELD_ACCEPT_FAILED")
        #expect(try await world.confirm(seat, 2) == "404 ENTITY_NOT_FOUND")
    }

    @Test func decisionByOtherPassenger_isRefused() async throws {
        _ = try await world.request(seat, by: 2, 300)
        #expect(try await world.yield(seat, 3, "oppositeUserId=2&type=ACCEPT") == "403 NOT_OCCUPANT")
        #expect(try await world.yield(seat, 3, "creditAmount=1&oppositeUserId=2&type=REJECT") == "403 NOT_OCCUPANT")
        #expect(try await world.yield(seat, 2, "oppositeUserId=2&type=ACCEPT") == "403 NOT_OCCUPANT")
        #expect(try await world.yield(seat, 1, "oppositeUserId=3&type=ACCEPT") == "404 YIELD_REQUEST_NOT_FOUND")
        #expect(try await world.yield(seat, 1, "oppositeUserId=777&type=ACCEPT") == "404 USER_NOT_FOUND")
        #expect(try await world.confirm(seat, 3) == "403 NOT_OCCUPANT")
        #expect(try await world.yield(seat, 3, "creditAmount=1&type=CANCEL") == "404 YIELD_REQUEST_NOT_FOUND")
        #expect(try await world.occupants() == [seat: 1])
        #expect(try await world.credit(2) == 700)
    }

    @Test func invalidAmountOrType_isRefused() async throws {
        #expect(try await world.request(seat, by: 2, -1) == "400 INVALID_PARAMETER")
        #expect(try await world.request(seat, by: 2, 1001) == "400 INSUFFICIENT_CREDIT")
        #expect(try await world.request(seat, by: 2, .max) == "400 INSUFFICIENT_CREDIT")
        #expect(try await world.yield(seat, 2, "creditAmount=9223372036854775808&type=REQUEST") == "400 BAD_REQUEST")
        #expect(try await world.yield(seat, 2, "creditAmount=1.5&type=REQUEST") == "400 BAD_REQUEST")
        #expect(try await world.yield(seat, 2, "type=REQUEST") == "400 BAD_REQUEST")
        #expect(try await world.yield(seat, 1, "type=ACCEPT") == "400 BAD_REQUEST")
        for type in ["", "NONE", "request", "STEAL"] {
            #expect(try await world.yield(seat, 2, "creditAmount=1&type=\(type)") == "400 BAD_REQUEST")
        }
        #expect(try await world.request(seat, by: 1, 10) == "409 USER_ALREADY_RESERVED")
        #expect(try await world.request(SeatID(rawValue: seat.rawValue + 1), by: 2, 10) == "404 ENTITY_NOT_FOUND")
        #expect(try await world.request(987_654, by: 2, 10) == "404 SEAT_NOT_FOUND")
        #expect(try await world.client(2).send(.post, "/user/seats/x/yield?type=CANCEL").summary == "400 BAD_REQUEST")
        #expect(try await world.credit(2) == 1000)
    }

    @Test func expiredRequest_isRefunded() async throws {
        _ = try await world.request(seat, by: 2, 300)
        try await world.database.execute("UPDATE yield_requests SET expires_at = now() - interval '1 second'")
        #expect(try await world.yield(seat, 1, "oppositeUserId=2&type=ACCEPT") == "409 YIELD_ACCEPT_FAILED")
        let exchange = try SeatsDomain.current.exchange
        _ = try await exchange.expireOverdue(limit: 10)
        #expect(try await exchange.expireOverdue(limit: 10) == 0)
        #expect(try await world.credit(2) == 1000)
        #expect(try await world.replies(seat, to: 2) == [false])
        #expect(try await world.notices(seat, to: 1) == [300, nil])
    }

    @Test func failedExpiry_doesNotBlockOtherRequests() async throws {
        for account in [2, 3] as [AccountID] { _ = try await world.request(seat, by: account, 100) }
        try await world.database.execute(
            "ALTER TABLE yield_requests ADD CONSTRAINT stuck CHECK (requester_id <> 2 OR status <> 'EXPIRED')"
        )
        try await world.database.execute(
            """
            UPDATE yield_requests SET expires_at = now() - interval '1 second'
                - CASE WHEN requester_id = 2 THEN interval '1 hour' ELSE interval '0' END
            """
        )
        let exchange = try SeatsDomain.current.exchange
        await #expect(throws: PostgresError.self) { try await exchange.expireOverdue(limit: 10) }
        #expect(try await world.credit(3) == 1000)
        #expect(try await world.credit(2) == 900)
    }

    @Test func concurrentRequests_cannotOverspendCredit() async throws {
        let seats = try await world.seats(car: "7250")
        let owners = Array(AccountID(100)..<116)
        for (owner, seat) in zip(owners, seats) {
            try await world.register(owner, "주인 \(owner)")
            _ = try await world.occupy(seat, owner)
        }
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for seat in seats.prefix(16) { group.addTask { try await world.request(seat, by: 2, 1000) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0 == "200" }.count == 1)
        #expect(answers.filter { $0 == "400 INSUFFICIENT_CREDIT" }.count == 15)
        #expect(try await world.credit(2) == 0)
    }

    @Test func concurrentAcceptAndCancel_haveOneWinner() async throws {
        var sitting: AccountID = 1
        for round in 0..<12 {
            let owner = sitting
            let requester: AccountID = owner == 1 ? 2 : 1
            let before = try await (world.credit(owner), world.credit(requester))
            #expect(try await world.request(seat, by: requester, 10) == "200")
            async let accepted = world.yield(seat, owner, "oppositeUserId=\(requester)&type=ACCEPT")
            async let cancelled = world.yield(seat, requester, "creditAmount=10&type=CANCEL")
            let answers = try await [accepted, cancelled]
            let isAccepted = answers == ["200", "409 YIELD_ACCEPT_FAILED"]
            #expect(isAccepted || answers == ["409 YIELD_ACCEPT_FAILED", "200"], "round \(round): \(answers)")
            let after = try await (world.credit(owner), world.credit(requester))
            #expect(after == (isAccepted ? (before.0 + 10, before.1 - 10) : before))
            #expect(try await world.occupants() == [seat: isAccepted ? requester : owner])
            if isAccepted { sitting = requester }
        }
    }

    @Test func mutualAcceptances_doNotDeadlock() async throws {
        let other = try await world.seats(car: "7250")[0]
        #expect(try await world.occupy(other, 2) == "201")
        _ = try await world.request(seat, by: 2, 5)
        _ = try await world.request(other, by: 1, 5)
        async let one = world.yield(seat, 1, "oppositeUserId=2&type=ACCEPT")
        async let two = world.yield(other, 2, "oppositeUserId=1&type=ACCEPT")
        let answers = try await [one, two]
        #expect(answers.contains("200"))
        let here = try await world.occupants()
        let there = try await world.occupants(car: "7250")
        #expect(here.count + there.count <= 2 && here.count + there.count >= 1)
    }
}
