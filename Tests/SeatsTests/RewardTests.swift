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

    /// Random sequences of two passengers, who do whatever could make credit: what they have, hold in escrow and owe never
    /// exceeds a reward for each train on which one of them sits, or sat for five minutes.
    @Test func randomSequences_makeNoCredit() async throws {
        var random = SplitMix(state: 22)
        let trains = SeatsWorld.trains
        var seats: [SeatID] = []
        for train in trains { seats += try await world.seats(train: train).prefix(2) }
        for _ in 0..<400 {
            let account = AccountID(rawValue: Int64.random(in: 1...2, using: &random))
            let seat = seats.randomElement(using: &random) ?? seats[0]
            let train = trains.randomElement(using: &random) ?? trains[0]
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: _ = try await world.occupy(seat, account)
            case 2: _ = try await world.release(account)
            case 3: _ = try await world.start(account, train: train)
            case 4: _ = try await world.request(seat, by: account, Int64.random(in: 1...300, using: &random))
            case 5: _ = try await world.yield(seat, account, "creditAmount=1&type=CANCEL")
            case 6:
                let other = account == 1 ? 2 : 1
                _ = try await world.yield(seat, account, "creditAmount=1&oppositeUserId=\(other)&type=ACCEPT")
            default:
                let other = account == 1 ? 2 : 1
                _ = try await world.yield(seat, account, "creditAmount=1&oppositeUserId=\(other)&type=REJECT")
            }
            try await checkSum()
        }
        try await world.checkLedger()
    }

    private func checkSum() async throws {
        let (made, allowed) = try await world.database.one(
            """
            SELECT (SELECT coalesce(sum(credit - debt), 0)::bigint FROM passengers)
                    + (SELECT coalesce(sum(amount), 0)::bigint FROM yield_requests WHERE status = 'PENDING'),
                (SELECT count(*) * 300 FROM rewards WHERE clawed_back_at IS NULL)
            """
        ) { try $0.decode(Int64.self, Int64.self) }
        #expect(made == allowed)
    }
}
