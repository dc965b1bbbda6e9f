import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct SeatingTests {
    private var world: SeatsWorld { .current }

    @Test(.service) func seat_isOccupiedOnceAndRewarded() async throws {
        let seat = try await world.seats()[0]
        _ = try await world.start(1)
        #expect(try await world.occupy(seat, 1) == "201")
        #expect(try await world.credit(1) == 300)
        #expect(try await world.occupy(seat, 2) == "409 SEAT_ALREADY_RESERVED")
        #expect(try await world.occupy(seat, 1) == "409 USER_ALREADY_RESERVED")
        #expect(try await world.occupy(SeatID(rawValue: seat.rawValue + 1), 1) == "409 USER_ALREADY_RESERVED")

        let occupant = try #require(try await world.car()[0].seatStatus[0].occupant)
        #expect(occupant.userId == 1)
        #expect(occupant.nickname == "조용한 수달")
        #expect(occupant.profileImageNum == "IMAGE_1")
        #expect(occupant.getOffStationName == "신림")
        #expect(occupant.expectedArrivalTime.count == "2025-06-11T15:50:13.843180".count)

        #expect(try await world.release(1) == "204")
        #expect(try await world.occupants().isEmpty)
        #expect(try await world.credit(1) == 0)
        #expect(try await world.release(1) == "409 USER_NOT_RESERVED")
        try await world.checkLedger()
    }

    @Test(.service) func moveWithinFiveMinutes_keepsReward() async throws {
        let seats = try await world.seats()
        _ = try await world.occupy(seats[0], 1)
        _ = try await world.release(1)
        #expect(try await world.occupy(seats[5], 1) == "201")
        #expect(try await world.credit(1) == 300)
    }

    @Test(.service) func reward_isPaidOncePerTrainAndDay() async throws {
        let seats = try await world.seats()
        _ = try await world.occupy(seats[0], 1)
        try await world.database.execute("UPDATE occupancies SET since = now() - interval '301 seconds'")
        #expect(try await world.release(1) == "204")
        #expect(try await world.credit(1) == 300)
        _ = try await world.occupy(seats[1], 1)
        #expect(try await world.credit(1) == 300)
        _ = try await world.release(1)
        #expect(try await world.credit(1) == 300)
        try await world.checkLedger()
    }

    /// Passengers who wait for one car leave connections for those of other trains.
    @Test(.service) func lockedCar_doesNotDelayOthers() async throws {
        let seats = try await world.seats()
        #expect(try await world.occupy(seats[0], 1) == "201")
        let waiting = try await world.database.transaction { transaction in
            try await transaction.execute("SELECT FROM cars FOR UPDATE")
            let waiting = (2...9).map { account in
                Task { try await world.occupy(seats[account], AccountID(rawValue: Int64(account))) }
            }
            try await transaction.waitUntilBlocking()
            _ = try await world.start(20)
            return waiting
        }
        for occupation in waiting { #expect(try await occupation.value == "201") }
    }

    /// Passengers are locked in the order of their ids also when the lease of the seat has ended, so that transactions on
    /// two cars do not wait for each other.
    @Test(.service(passengers: [1: "가", 2: "나", 3: "다"])) func expiredSeat_locksPassengersInOrder() async throws {
        let seat = try await world.seats()[0]
        #expect(try await world.occupy(seat, 2) == "201")
        #expect(try await world.request(seat, by: 1, 0) == "200")
        try await world.database.execute("UPDATE occupancies SET arrives_at = now() - interval '1 second'")
        let occupation = try await world.database.transaction { transaction in
            try await transaction.execute("SELECT FROM passengers WHERE account_id = 1 FOR NO KEY UPDATE")
            let occupation = Task { try await world.occupy(seat, 3) }
            try await transaction.waitUntilBlocking()
            let free = try await transaction.all(
                "SELECT account_id FROM passengers WHERE account_id = 3 FOR NO KEY UPDATE SKIP LOCKED"
            ) { try $0.decode(AccountID.self) }
            #expect(free == [3])
            return occupation
        }
        #expect(try await occupation.value == "201")
        try await world.checkLedger()
    }

    @Test(.service) func release_withSpentReward_succeeds() async throws {
        let seat = try await world.seats()[0]
        _ = try await world.occupy(seat, 1)
        let unlock = #"{"amount":10,"targetUserId":1}"#
        #expect(try await world.client(1).send(.patch, "/credit?isAddition=0", json: unlock).status == .ok)
        #expect(try await world.release(1) == "204")
        #expect(try await world.credit(1) == 0)
        try await world.checkLedger()
    }

    @Test func concurrentPassengers_oneOccupiesSeat() async throws {
        let people = Dictionary(uniqueKeysWithValues: (1...24).map { (AccountID(rawValue: Int64($0)), "승객 \($0)") })
        try await SeatsWorld.test(passengers: people) { (world) async throws in
            let seat = try await world.seats()[0]
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for account in people.keys {
                    group.addTask {
                        var answer = try await world.occupy(seat, account)
                        // Who has waited too long for the car, as on a busy machine, is asked to try again.
                        while answer.hasPrefix("503") {
                            try await Task.sleep(for: .milliseconds(100))
                            answer = try await world.occupy(seat, account)
                        }
                        return answer
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0 == "201" }.count == 1)
            #expect(answers.filter { $0 == "409 SEAT_ALREADY_RESERVED" }.count == 23)
            #expect(try await world.occupants().count == 1)
            try await world.checkLedger()
        }
    }

    @Test(.service) func concurrentSeats_passengerOccupiesOne() async throws {
        let seats = try await world.seats()
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for seat in seats.prefix(16) { group.addTask { try await world.occupy(seat, 1) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0 == "201" }.count == 1)
        #expect(answers.filter { $0 == "409 USER_ALREADY_RESERVED" }.count == 15)
        #expect(try await world.credit(1) == 300)
    }

    @Test(.service) func occupancy_endsWithServiceDay() async throws {
        let seats = try await world.seats()
        _ = try await world.start(1)
        _ = try await world.occupy(seats[0], 1)
        try await world.database.execute("UPDATE occupancies SET service_date = service_date - 1")
        #expect(try await world.occupants().isEmpty)
        #expect(try await world.release(1) == "409 USER_NOT_RESERVED")
        #expect(try await world.occupy(seats[0], 2) == "201")
        #expect(try await world.occupy(seats[1], 1) == "201")
        #expect(try await world.occupants() == [seats[0]: 2, seats[1]: 1])
    }

    @Test(.service) func occupancyWithoutJourney_expires() async throws {
        let seats = try await world.seats()
        _ = try await world.occupy(seats[0], 1)
        try await world.database.execute("UPDATE occupancies SET arrives_at = now() + interval '300 milliseconds'")
        #expect(try await world.occupants() == [seats[0]: 1])
        while try await world.occupants().isEmpty == false { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try await world.occupy(seats[0], 2) == "201")
    }

    @Test(.service) func invalidSeatID_isRefused() async throws {
        let phone = world.client(1)
        for query in ["", "?seatId=", "?seatId=x", "?seatId=-1", "?seatId=0", "?seatId=99999999999999999999"] {
            #expect(try await phone.send(.post, "/user/seats\(query)").summary == "400 BAD_REQUEST")
            #expect(try await phone.send(.patch, "/user/seats\(query)").summary == "400 BAD_REQUEST")
        }
        #expect(try await world.occupy(123_456, 1) == "404 SEAT_NOT_FOUND")
        #expect(try await world.confirm(123_456, 1) == "404 SEAT_NOT_FOUND")
    }

    @Test(.service) func withdrawnPassenger_cannotOccupySeat() async throws {
        let seat = try await world.seats()[0]
        try await world.withdraw(1)
        #expect(try await world.occupy(seat, 1).hasPrefix("401"))
    }
}
