import Postgres

/// Cars, to be looked at.
struct Cars: Sendable {
    let database: PostgresClient
    let store = CarStore()
    let live = LiveStore()

    /// The seats of a car with their occupants. A car that nobody has asked for before is made; from now on the passenger's
    /// sockets hear of this car, and of no other one of the train.
    func look(at car: CarAddress, as account: Int64) async throws -> SeatMap {
        if try await store.watch(car, account: account, in: database) {
            try await live.notify(.watched(account: account, car: car), in: database)
        }
        if let map = try await store.seatMap(of: car, in: database) { return map }
        try await database.transaction { try await store.create(car, in: $0) }
        guard let map = try await store.seatMap(of: car, in: database) else { throw SeatsError.seatNotFound }
        return map
    }

    /// The car whose changes a passenger's sockets are told of in a train: the one looked at last, or else the one that
    /// the passenger sits in; nil when neither is known.
    func watched(by account: Int64, in train: TrainCode) async throws -> CarAddress? {
        try await store.watchedCar(of: account, in: train, database)
    }
}
