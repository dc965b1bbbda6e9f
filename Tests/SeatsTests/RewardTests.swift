import Contracts
import HTTPTypes
import Postgres
import TestKit
import Testing

@testable import Seats

/// Credit cannot be made: a reward is paid once for a train and day, and taken back on every way of leaving the seat soon.
@Suite(.database(Migrations.all), .timeLimit(.minutes(2)), .service) struct RewardTests {
    private var world: SeatsWorld { .current }

    private func debt(_ account: AccountID) async throws -> Int64 {
        try await world.database.one("SELECT debt FROM passengers WHERE account_id = \(account)") {
            try $0.decode(Int64.self)
        }
    }

    @Test func newJourneys_doNotCollectRewards() async throws {
        try await world.sight((1...4).map { "99\($0)0" })
        for number in 1...4 {
            _ = try await world.start(1, train: "99\(number)0")
            let seat = try await world.seats(train: "99\(number)0")[0]
            #expect(try await world.occupy(seat, 1) == "201")
            #expect(try await world.credit(1) == 300)
        }
        _ = try await world.start(1, train: "2234")
        #expect(try await world.credit(1) == 0)
        try await world.checkLedger()
    }

    @Test func trainOfYesterday_paysNothing() async throws {
        let seat = try await world.seats()[0]
        try await world.database.execute("UPDATE sightings SET service_date = service_date - 1")
        #expect(try await world.occupy(seat, 1) == "201")
        #expect(try await world.credit(1) == 0)
        #expect(try await world.count("rewards") == 0)
    }

    @Test func dailyRewards_areLimited() async throws {
        let trains = (3001...3010).map(String.init)
        try await world.sight(trains)
        for (number, train) in trains.enumerated() {
            #expect(try await world.occupy(world.seats(train: train)[0], 1) == "201")
            try await world.database.execute("UPDATE occupancies SET since = now() - interval '301 seconds'")
            #expect(try await world.release(1) == "204")
            #expect(try await world.credit(1) == Int64(min(number + 1, 8)) * 300)
        }
        try await world.database.execute("UPDATE rewards SET service_date = service_date - 1")
        _ = try await world.occupy(world.seats()[0], 1)
        #expect(try await world.credit(1) == 2700)
        try await world.checkLedger()
    }

    /// The whole credit is in escrow while the reward is taken back.
    @Test func escrowDuringRelease_leavesDebtThatRefundPays() async throws {
        let seats = try await world.seats()
        _ = try await world.occupy(seats[1], 2)
        for _ in 1...3 {
            #expect(try await world.occupy(seats[0], 1) == "201")
            #expect(try await world.request(seats[1], by: 1, 300) == "200")
            #expect(try await world.release(1) == "204")
            #expect(try await world.credit(1) == 0)
            #expect(try await debt(1) == 300)
            #expect(try await world.yield(seats[1], 1, "creditAmount=300&type=CANCEL") == "200")
            #expect(try await world.credit(1) == 0)
            #expect(try await debt(1) == 0)
            try await world.checkLedger()
        }
    }

    @Test func nextReward_paysDebtFirst() async throws {
        let seats = try await world.seats()
        _ = try await world.occupy(seats[0], 1)
        let unlock = #"{"amount":10,"targetUserId":1}"#
        for _ in 1...3 { _ = try await world.client(1).send(.patch, "/credit?isAddition=0", json: unlock) }
        #expect(try await world.release(1) == "204")
        #expect(try await world.credit(1) == 0)
        #expect(try await debt(1) == 30)
        let other = try await world.seats(train: "2236")[0]
        _ = try await world.occupy(other, 1)
        #expect(try await world.credit(1) == 270)
        #expect(try await debt(1) == 0)
        try await world.checkLedger()
    }
}
