import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Seats

/// What operators see of trains and their seats.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct OperatorRoutesTests {
    private var world: SeatsWorld { .current }
    private var console: ServiceClient { ServiceClient(world.client, to: .seats, process: .console) }

    private func cars() async throws -> [OperatorsAPI.TakenCar] {
        try await console.send(.get, OperatorsAPI.Trains.path).json(OperatorsAPI.Trains.self).cars
    }

    private func car(_ train: String = "2234", _ code: String = "2429") async throws -> OperatorsAPI.Car {
        let answer = try await console.send(.get, OperatorsAPI.Car.path(train: train, car: code))
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json()
    }

    @Test(.service(passengers: [1: "조용한 수달", 2: "빛나는 고래", 3: "<b>바다</b>"]))
    func seats_haveTheirSittersAndRequesters() async throws {
        let seats = try await world.seats()
        #expect(try await cars() == [])
        #expect(try await world.occupy(seats[7], 1) == "201")
        #expect(try await world.occupy(seats[8], 3) == "201")
        #expect(try await world.occupy(world.seats(train: "2300", car: "2100")[0], 2) == "201")
        _ = try await world.request(seats[7], by: 2, 0)
        let car = try await car()
        #expect(car.seats.map(\.id) == seats && car.line == "2")
        #expect(car.seats.map(\.type).filter { $0 == "PRIORITY" }.count == 12)
        let taken = car.seats.filter { $0.sitter != nil }
        #expect(taken.map(\.id) == [seats[7], seats[8]])
        #expect(taken.map { $0.sitter?.account } == [1, 3])
        #expect(taken.map { $0.sitter?.nickname } == ["조용한 수달", "<b>바다</b>"])
        #expect(taken.map { $0.sitter?.requesters } == [[2], []])
        #expect(taken.allSatisfy { $0.sitter?.isOverdue == false && $0.sitter?.destination.isEmpty == false })
        #expect(taken.allSatisfy { $0.sitter.map { $0.since > 0 && $0.arrivesAt > $0.since } == true })
        #expect(
            try await cars() == [
                .init(train: "2234", car: "2429", line: "2", seated: 2, requests: 1),
                .init(train: "2300", car: "2100", line: "2", seated: 1, requests: 0),
            ]
        )
    }

    @Test(.service) func emptyCarOfKnownTrain_hasFreeSeats_andMakesNoRows() async throws {
        let car = try await car()
        #expect(car.seats.count == 48 && car.seats.allSatisfy { $0.sitter == nil })
        #expect(try await [world.count("cars"), world.count("watched_cars")] == [0, 0])
    }

    @Test(.service) func unknownTrain_isNotFound_andInvalidCodesAreRefused() async throws {
        #expect(try await console.send(.get, OperatorsAPI.Car.path(train: "FAKE1", car: "2429")).status == .notFound)
        for query in ["", "?train=2234", "?car=2429", "?train=2234&car=24", "?train=%00&car=2429", "?train=*&car=2429"]
        {
            let answer = try await console.send(.get, "/internal/operators/cars\(query)")
            #expect(answer.status == .badRequest, "\(query)")
        }
    }

    /// Without the service, whose timers would free the seat.
    @Test func seatWithExpiredLease_isOverdue_andIsNotCounted() async throws {
        let database = TestDatabase.current.client
        let car = CarAddress(storedTrain: "2234", code: "2429")
        try await database.transaction { try await CarStore().create(car, in: $0) }
        try await database.execute("INSERT INTO passengers (account_id, nickname, image) VALUES (1, 'P', 'IMAGE_1')")
        try await database.execute(
            """
            INSERT INTO occupancies (seat_id, account_id, destination, arrives_at)
            SELECT min(id), 1, 'B', now() - interval '1 second' FROM seats
            """
        )
        let store = OperatorLookupStore()
        let seats = try await store.seats(of: car, in: database)
        #expect(seats.compactMap { $0.sitter?.isOverdue } == [true])
        #expect(try await store.taken(limit: 10, in: database).isEmpty)
    }

    @Test(.service) func cars_areLimited_mostPassengersFirst() async throws {
        let (first, second) = (try await world.seats(car: "2400")[0], try await world.seats(car: "2500")[0])
        for (seat, account) in [(first, 1), (second, 2)] as [(SeatID, AccountID)] {
            #expect(try await world.occupy(seat, account) == "201")
        }
        let taken = try await OperatorLookupStore().taken(limit: 1, in: world.database)
        #expect(taken.count == 1)
    }
}
