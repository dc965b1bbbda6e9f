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

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct CarTests {
    private var world: SeatsWorld { .current }

    @Test func car_isCreatedOnFirstRequest() async throws {
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

    @Test func concurrentRequests_createOneCar() async throws {
        let cars = try await withThrowingTaskGroup(of: [SeatGroupBody].self) { group in
            for _ in 0..<16 { group.addTask { try await world.car() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(cars.allSatisfy { $0 == cars[0] })
        #expect(cars[0].flatMap(\.seatStatus).count == 48)
    }

    @Test(arguments: [
        "", "?trainCode=2234", "?carCode=2429", "?trainCode=&carCode=2429", "?trainCode=2234&carCode=24",
        "?trainCode=2234&carCode=24x9", "?trainCode=2234&carCode=24290", "?trainCode=22.34&carCode=2429",
        "?trainCode=*&carCode=2429", "?trainCode=1234567890123&carCode=2429", "?trainCode=%00&carCode=2429",
    ])
    func invalidCodes_return400(query: String) async throws {
        let answer = try await world.client(1).send(.get, "/trains\(query)")
        #expect(answer.summary == "400 INVALID_PARAMETER")
    }
}
