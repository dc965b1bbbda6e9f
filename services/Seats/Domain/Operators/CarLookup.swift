import Contracts
import FoundationEssentials
import Postgres
import Subway

/// What operators see of trains and their seats.
struct CarLookup: Sendable {
    let database: PostgresClient
    let positions: TrainPositionStore
    private let store = OperatorLookupStore()
    private let trains = TrainStore()

    init(database: PostgresClient, positions: TrainPositionStore) {
        (self.database, self.positions) = (database, positions)
    }

    /// The cars with passengers, the one with the most first.
    func taken() async throws -> [OperatorsAPI.TakenCar] {
        try await store.taken(limit: OperatorsAPI.Trains.limit, in: database).map { taken in
            OperatorsAPI.TakenCar(
                train: taken.car.train.text,
                car: taken.car.code,
                line: taken.car.line?.number,
                seated: taken.seated,
                requests: taken.requests
            )
        }
    }

    /// A car with its seats and their occupants.
    ///
    /// - Throws: `SeatsError.trainNotFound` for a car that is not stored, of a train that is not known.
    func car(_ address: CarAddress) async throws -> OperatorsAPI.Car {
        var seats = try await store.seats(of: address, in: database)
        if seats.isEmpty {
            guard try await trains.isKnown(address.train, in: database) else { throw SeatsError.trainNotFound }
            seats = SeatMap(empty: address).seats.map { seat in
                OperatorsAPI.Seat(
                    id: seat.id,
                    section: seat.section,
                    location: seat.location,
                    type: seat.type,
                    sitter: nil
                )
            }
        }
        let position = try await positions.sighting(of: address.train.text, line: address.line, in: database)
        return OperatorsAPI.Car(
            train: address.train.text,
            car: address.code,
            line: address.line?.number,
            terminal: position?.terminalName,
            terminalAt: position?.arrivalAtTerminal.timeIntervalSince1970,
            seats: seats
        )
    }
}
