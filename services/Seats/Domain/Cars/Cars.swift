import Contracts
import Postgres
import ServiceKit

/// Reads the seat maps of cars.
struct Cars: Sendable {
    let database: PostgresClient
    let store = CarStore()

    /// Sends the changes of a car to the passenger's sockets, and of no other one of the train.
    func watch(_ car: CarAddress, as account: AccountID) async throws {
        TraceSubject.car.note(car.description)
        if try await store.watch(car, account: account, in: database) {
            database.announcer.announce(.watched(account: account, car: car))
        }
    }

    /// The seats of a car with their occupants.
    func seatMap(of car: CarAddress) async throws -> SeatMap {
        try await store.seatMap(of: car, in: database)
    }

    /// The version of a car's seat map now; nil when it has none.
    func version(of car: CarAddress) async throws -> SeatMap.Version? {
        try await store.version(of: car, in: database)
    }

    /// The car whose changes a passenger's sockets receive for a train: the last one requested, otherwise the one with
    /// the passenger's seat; nil when there is neither.
    func watched(by account: AccountID, in train: TrainCode) async throws -> CarAddress? {
        try await store.watchedCar(of: account, in: train, database)
    }
}
