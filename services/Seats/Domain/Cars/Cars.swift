import Contracts
import Postgres
import ServiceKit

/// Reads the seat maps of cars.
struct Cars: Sendable {
    let database: PostgresClient
    let store = CarStore()

    /// The version of a car's seat map, nil when it has none. From then on the passenger's sockets receive the changes of
    /// this car, and of no other one of the train.
    func look(at car: CarAddress, as account: AccountID) async throws -> SeatMap.Version? {
        TraceSubject.car.note(car.description)
        let (version, isWatched) = try await store.version(of: car, watchedBy: account, in: database)
        if isWatched { return version }
        if try await store.watch(car, account: account, in: database) {
            database.announcer.announce(.watched(account: account, car: car))
        }
        // The sockets do not receive what has changed before.
        return try await store.version(of: car, watchedBy: account, in: database).version
    }

    /// The seats of a car with their occupants.
    func seatMap(of car: CarAddress) async throws -> SeatMap {
        try await store.seatMap(of: car, in: database)
    }

    /// The car whose changes a passenger's sockets receive for a train: the last one requested, otherwise the one with
    /// the passenger's seat; nil when there is neither.
    func watched(by account: AccountID, in train: TrainCode) async throws -> CarAddress? {
        try await store.watchedCar(of: account, in: train, database)
    }
}
