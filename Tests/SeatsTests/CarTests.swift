import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Seats

@Suite struct CarLayoutTests {
    @Test(arguments: [
        ("2429", 48), ("7250", 54), ("2301", 54), ("2305", 54), ("2306", 48), ("7118", 54), ("7117", 48),
        ("7972", 54), ("7973", 48), ("2000", 48),
    ])
    func carLayout_matchesSeries(code: String, seats: Int) {
        let sections = CarLayout(carCode: code).sections
        #expect(sections.map(\.seatCount).reduce(0, +) == seats)
        #expect(sections.map(\.rawValue).first == "PRIORITY_A")
        #expect(sections.map(\.rawValue).last == "PRIORITY_B")
    }

    @Test func normalSection_nameEndsWithSeatCount() {
        for section in SeatSection.allCases where section.seatType == "NORMAL" {
            #expect(section.rawValue.hasSuffix("_\(section.seatCount)"))
        }
    }
}

@Suite struct SeatIDTests {
    @Test func ids_containPlaceInCar() throws {
        var ids: Set<SeatID> = []
        for (train, code) in [("2234", "2429"), ("2234", "7250"), ("K-05aZz", "0000"), ("-", "9999"), ("0", "2000")] {
            let car = try CarAddress(train: train, code: code)
            for (index, seat) in CarLayout(carCode: code).seats(of: car).enumerated() {
                let place = try #require(seat.id.place)
                #expect(place == (car, index))
                ids.insert(seat.id)
            }
        }
        #expect(ids.count == 48 * 4 + 54)
    }

    @Test func otherNumbers_containNoPlace() throws {
        let car = try CarAddress(train: "2234", code: "2429")
        let highest = SeatID(47, of: car).rawValue
        for number in [highest + 1, -highest, 0, 1, 123_456, .max, 1 << 62, highest | 16_383 << 6] {
            #expect(SeatID(rawValue: number).place == nil, "\(number)")
        }
    }
}

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct CarTests {
    private var world: SeatsWorld { .current }

    @Test func car_hasFiveSectionsOfFreeSeats() async throws {
        let groups = try await world.car()
        #expect(
            groups.map(\.seatGroupType) == ["PRIORITY_A", "NORMAL_A_12", "NORMAL_B_12", "NORMAL_C_12", "PRIORITY_B"]
        )
        for group in groups {
            #expect((group.trainCode, group.carCode) == ("2234", "2429"))
            #expect(group.seatStatus.map(\.seatLocation) == Array(0..<group.seatStatus.count))
            let type = group.seatGroupType.hasPrefix("PRIORITY") ? "PRIORITY" : "NORMAL"
            #expect(group.seatStatus.allSatisfy { $0.seatType == type && $0.occupant == nil })
        }
        #expect(try await world.car() == groups)
        #expect(Set(try await world.seats(car: "2329")).isDisjoint(with: try await world.seats()))
    }

    @Test func requests_createNoRows() async throws {
        for number in 0..<50 { _ = try await world.car(train: "F\(number)") }
        _ = try await world.car()
        #expect(try await [world.count("cars"), world.count("seats"), world.count("watched_cars")] == [0, 0, 1])
    }

    @Test func firstOccupant_createsCarWithShownSeats() async throws {
        let seats = try await world.seats()
        #expect(try await world.request(seats[3], by: 2, 0) == "404 ENTITY_NOT_FOUND")
        #expect(try await world.confirm(seats[3], 2) == "404 ENTITY_NOT_FOUND")
        #expect(try await world.occupy(seats[3], 1) == "201")
        #expect(try await world.seats() == seats)
        #expect(try await world.occupants() == [seats[3]: 1])
        #expect(try await [world.count("cars"), world.count("seats")] == [1, 48])
    }

    @Test func concurrentFirstOccupants_createOneCar() async throws {
        let seats = try await world.seats()
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for account in AccountID(1)...16 {
                group.addTask { try await world.occupy(seats[Int(account.rawValue)], account) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers == ["201"])
        #expect(try await world.occupants().count == 16)
        #expect(try await [world.count("cars"), world.count("seats")] == [1, 48])
    }

    @Test func seatOfUnannouncedTrain_isRefused() async throws {
        let fake = try await world.seats(train: "FAKE1")[0]
        #expect(try await world.occupy(fake, 1) == "404 TRAIN_NOT_FOUND")
        let seat = try await world.seats()[0]
        try await world.database.execute("UPDATE trains SET sighted_at = now() - interval '31 days'")
        #expect(try await world.occupy(seat, 1) == "404 TRAIN_NOT_FOUND")
        #expect(try await world.count("cars") == 0)
    }

    /// Six cars: of an announced train, with an occupant, made lately, and two of a train that is no longer announced.
    @Test func unusedCars_arePrunedInBatches() async throws {
        for (account, train) in zip(AccountID(1)..., ["2234", "2236", "2300", "2300", "2236"]) {
            let code = "240\(account)"
            #expect(try await world.occupy(world.seats(train: train, car: code)[0], account) == "201")
        }
        try await world.pay(1, 100)
        let wanted = try await world.seats(train: "2300", car: "2404")[0]
        _ = try await world.request(wanted, by: 1, 0)
        for account in [1, 3, 4, 5] as [AccountID] { #expect(try await world.release(account) == "204") }
        try await world.database.execute(
            "UPDATE cars SET made_at = now() - interval '31 days' WHERE car_code <> '2405'"
        )
        try await world.database.execute(
            "UPDATE trains SET sighted_at = now() - interval '31 days' WHERE code <> '2234'"
        )
        func prune(_ limit: Int) async throws -> Int {
            try await world.database.transaction { try await CarStore().pruneUnused(limit: limit, in: $0) }
        }
        #expect(try await prune(1) == 1)
        #expect(try await prune(10) == 1)
        #expect(try await prune(10) == 0)
        let left = try await world.database.all("SELECT car_code FROM cars ORDER BY car_code") {
            try $0.decode(String.self)
        }
        #expect(left == ["2401", "2402", "2405"])
        #expect(try await world.count("seats") == 3 * 54)
        #expect(try await world.count("yield_requests") == 0)
        #expect(try await TrainStore().prune(limit: 1, in: world.database) == 1)
        #expect(try await TrainStore().prune(limit: 10, in: world.database) == 1)
        #expect(try await world.count("trains") == 1)
    }

    @Test func occupant_duringPruning_getsCarAnew() async throws {
        let seat = try await world.seats()[0]
        #expect(try await world.occupy(seat, 2) == "201")
        #expect(try await world.release(2) == "204")
        try await world.database.execute("UPDATE cars SET made_at = now() - interval '31 days'")
        try await world.database.execute("UPDATE trains SET sighted_at = now() - interval '31 days'")
        let world = world
        let occupied = try await world.database.transaction { transaction in
            #expect(try await CarStore().pruneUnused(limit: 10, in: transaction) == 1)
            let occupied = Task { try await world.occupy(seat, 1) }
            try await transaction.waitUntilBlocking()
            try await transaction.execute("UPDATE trains SET sighted_at = now()")
            return occupied
        }
        #expect(try await occupied.value == "201")
        #expect(try await world.occupants() == [seat: 1])
    }

    /// The messages by which a kept seat map would be known are deleted after an hour.
    @Test func seatMap_withoutMessages_isReadAnew() async throws {
        let seats = try await world.seats()
        #expect(try await world.occupy(seats[0], 1) == "201")
        #expect(try await world.occupants() == [seats[0]: 1])
        try await world.database.execute("DELETE FROM live_messages")
        #expect(try await world.occupants() == [seats[0]: 1])
        try await world.database.execute("DELETE FROM occupancies")
        #expect(try await world.occupants() == [:])
    }

    @Test func seatMap_thatThePhoneHas_isNotSentAgain() async throws {
        let seats = try await world.seats()
        func map(known tag: String? = nil) async throws -> TestResponse {
            var headers: HTTPFields = [:]
            headers[.ifNoneMatch] = tag
            return try await world.client(2).send(.get, "/trains?carCode=2429&trainCode=2234", headers: headers)
        }
        let tag = try #require(try await map().headers[.eTag])
        #expect(try await map(known: tag).status == .notModified)
        #expect(try await world.occupy(seats[0], 1) == "201")
        let changed = try await map(known: tag)
        #expect(changed.status == .ok && changed.headers[.eTag] != tag)
    }

    @Test(arguments: [
        "", "?trainCode=2234", "?carCode=2429", "?trainCode=&carCode=2429", "?trainCode=2234&carCode=24",
        "?trainCode=2234&carCode=24x9", "?trainCode=2234&carCode=24290", "?trainCode=22.34&carCode=2429",
        "?trainCode=*&carCode=2429", "?trainCode=12345678&carCode=2429", "?trainCode=%00&carCode=2429",
    ])
    func invalidCodes_return400(query: String) async throws {
        let answer = try await world.client(1).send(.get, "/trains\(query)")
        #expect(answer.summary == "400 INVALID_PARAMETER")
    }
}
