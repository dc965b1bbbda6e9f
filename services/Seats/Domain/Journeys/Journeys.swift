import Contracts
import FoundationEssentials
import Postgres
import Subway

/// Saved paths and journeys.
struct Journeys: Sendable {
    let database: PostgresClient
    let catalogue: StationCatalogue
    let map: LineMap
    let aliases: TrainAliases
    let leases: Leases
    let policy: SeatPolicy

    private let store = JourneyStore()
    private let occupancies = OccupancyStore()
    private let requests = YieldRequestStore()
    private let passengers = PassengerStore()

    /// Saves a path.
    ///
    /// - Throws: `SeatsError.stationNotFound`, `.lineMismatch`, `.sameStation`.
    func keep(from start: StationID, to end: StationID, account: AccountID) async throws -> Journey {
        let arrival = Date.now + Double(try seconds(from: start, to: end))
        return try await store.insert(
            account: account,
            start: start,
            end: end,
            train: nil,
            expectedArrival: arrival,
            nextCheck: arrival,
            in: database
        )
    }

    /// Starts a journey. The previous one ends, and with it its seat and its yield requests; a seat in the same train
    /// is kept. The train is named by its code or its alias. A repeated call before any seat was taken or requested returns the same journey.
    ///
    /// - Throws: `SeatsError.stationNotFound`, `.lineMismatch`, `.sameStation`, `.trainCodeInvalid`;
    ///   `PassengerError.withdrawn`.
    func start(from start: StationID, to end: StationID, train: String, account: AccountID) async throws -> Journey {
        let train = try await aliases.train(parsing: train)
        let seconds = try seconds(from: start, to: end)
        return try await database.carTransaction(policy) { cars in
            let transaction = cars.transaction
            let (held, pending) = try await cars.lock(around: account)
            try await passengers.admit(account, in: transaction)
            if let old = try await store.active(of: account, in: transaction) {
                let isSame = old.isToday && (old.start, old.end, old.train) == (start, end, train)
                if isSame, held == nil, pending.isEmpty { return old }
                try await self.end(old, .replaced, &cars)
            }
            if let held, try cars.address(of: held.car).train != train { try await cars.vacate(held) }
            let now = Date.now
            let arrival = now + Double(seconds)
            let journey = try await store.insert(
                account: account,
                start: start,
                end: end,
                train: train,
                expectedArrival: arrival,
                nextCheck: Tracking.nextCheck(expectedArrival: arrival, now: now, isFirst: true),
                in: transaction
            )
            if let held = try await occupancies.occupancy(of: account, in: transaction) {
                try await occupancies.renew(seat: held.seat, lease: leases.lease(on: journey), in: transaction)
                cars.touch(seat: held.seat, of: held.car)
            }
            return journey
        }
    }

    /// Ends an active journey: frees its seat, cancels the passenger's yield requests, and notifies the passenger.
    func end(_ journey: Journey, _ status: Journey.Status) async throws {
        try await database.carTransaction(policy) { cars in
            _ = try await cars.lock(around: journey.account)
            try await end(journey, status, &cars)
        }
    }

    /// Ends the active journey of a passenger, if there is one.
    func endActive(of account: AccountID, _ status: Journey.Status, _ cars: inout CarTransaction) async throws {
        guard let journey = try await store.active(of: account, in: cars.transaction) else { return }
        try await end(journey, status, &cars)
    }

    /// Deletes all paths of a passenger without an active journey.
    func forget(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        try await store.deleteAll(of: account, in: transaction)
    }

    private func end(_ journey: Journey, _ status: Journey.Status, _ cars: inout CarTransaction) async throws {
        let transaction = cars.transaction
        guard let ended = try await store.end(journey.id, status, in: transaction) else { return }
        let held = try await occupancies.occupancy(of: journey.account, in: transaction)
        if let held, held.journey == journey.id {
            try await cars.vacate(held)
            if status == .arrived {
                let alert = Alert(account: journey.account, kind: .arrivalHandled, arguments: [])
                try await AlertStore().schedule(alert, message: nil, after: 0, in: transaction)
            }
        }
        for request in try await requests.pending(by: journey.account, in: transaction) {
            try await cars.decide(request, .cancelled)
        }
        if status == .arrived { try await RidingStatusStore().delete(account: journey.account, in: transaction) }
        try await LiveStore().publish(ended.state, to: .path(journey.id), in: transaction)
    }

    /// Stores the result of a check and publishes it to the passenger; a changed arrival time is also published to the
    /// car.
    func update(_ journey: Journey, _ tracking: Tracking, nextCheck: Date, isChanged: Bool) async throws {
        try await database.carTransaction(policy) { cars in
            let transaction = cars.transaction
            let (held, _) = try await cars.lock(around: journey.account)
            guard
                let current = try await store.update(journey.id, tracking, nextCheck: nextCheck, in: transaction)
            else { return }
            if isChanged, let held, held.journey == journey.id {
                try await occupancies.renew(seat: held.seat, lease: leases.lease(on: current), in: transaction)
                cars.touch(seat: held.seat, of: held.car)
            }
            try await LiveStore().publish(current.state, to: .path(journey.id), in: transaction)
        }
    }

    // MARK: Paths

    func page(of account: AccountID, before cursor: JourneyID?, limit: Int) async throws -> (
        items: [Journey], isLast: Bool
    ) {
        let found = try await store.page(of: account, before: cursor, limit: limit + 1, in: database)
        return (Array(found.prefix(limit)), found.count <= limit)
    }

    /// - Throws: `SeatsError.pathNotFound`, `.pathForbidden`.
    func path(_ id: JourneyID, account: AccountID) async throws -> Journey {
        guard let journey = try await store.journey(id: id, in: database) else { throw SeatsError.pathNotFound }
        guard journey.account == account else { throw SeatsError.pathForbidden }
        return journey
    }

    /// Deletes a path. An active journey ends first.
    func delete(_ id: JourneyID, account: AccountID) async throws {
        let journey = try await path(id, account: account)
        try await end(journey, .replaced)
        try await store.delete(id, in: database)
    }

    /// The running time between two stations in seconds.
    private func seconds(from start: StationID, to end: StationID) throws -> Int {
        guard let first = catalogue.station(id: start), let last = catalogue.station(id: end) else {
            throw SeatsError.stationNotFound
        }
        guard first.line == last.line else { throw SeatsError.lineMismatch }
        guard let route = map.route(from: start, to: end) else { throw SeatsError.sameStation }
        return route.seconds
    }
}
