import Contracts
import FoundationEssentials
import Postgres
import ServiceKit

/// A transaction over cars. A change of a car's occupants or yield requests locks the car first, then the passengers
/// whose credit moves, each in the order of ids. This prevents deadlocks, and serializes the changes of a car in the
/// order of its messages.
struct CarTransaction {
    let transaction: PostgresTransaction
    let policy: SeatPolicy
    private var cars: [CarID: CarAddress] = [:]
    private var changedSeats: [CarID: Set<SeatID>] = [:]

    private let occupancies = OccupancyStore()
    private let requests = YieldRequestStore()
    private let ledger = LedgerStore()
    private let live = LiveStore()
    private let alerts = AlertStore()
    private let passengers = PassengerStore()

    init(_ transaction: PostgresTransaction, policy: SeatPolicy) {
        self.transaction = transaction
        self.policy = policy
    }

    // MARK: Locks

    /// Locks the car of a seat.
    ///
    /// - Returns: the car's id.
    /// - Throws: `SeatsError.seatNotFound`; `.seatEmpty` for a seat of a car that has had no occupants.
    mutating func lockCar(ofSeat seat: SeatID) async throws -> CarID {
        guard let car = note(try await transaction.run(CarStore().lock(ofSeat: seat))) else {
            throw SeatsError.missing(seat)
        }
        return car
    }

    /// Notes that cars are locked.
    ///
    /// - Returns: the first of them.
    @discardableResult
    mutating func note(_ locked: [(id: CarID, address: CarAddress)]) -> CarID? {
        for (id, address) in locked {
            cars[id] = address
            TraceSubject.car.note(address.description)
        }
        return locked.first?.id
    }

    /// Creates the car of a seat for its first passenger.
    ///
    /// - Throws: `SeatsError.trainNotFound` for a train that the arrivals do not know.
    func create(_ address: CarAddress) async throws {
        guard try await TrainStore().isKnown(address.train, in: transaction) else { throw SeatsError.trainNotFound }
        try await CarStore().create(address, in: transaction)
    }

    /// Locks the car of a seat, and the car with a passenger's seat.
    ///
    /// - Returns: the passenger's seat.
    mutating func lockCar(ofSeat seat: SeatID, andOf account: AccountID) async throws -> Occupancy? {
        guard let car = try await CarStore().car(ofSeat: seat, in: transaction) else { throw SeatsError.missing(seat) }
        while true {
            let held = try await occupancies.occupancy(of: account, in: transaction)
            if try await lock(Set([car, held?.car].compactMap { $0 })) == false { return held }
        }
    }

    /// Locks the car with a passenger's seat.
    ///
    /// - Returns: the seat, and the pending requests for it.
    mutating func lockSeat(of account: AccountID) async throws -> (Occupancy?, [YieldRequest]) {
        while true {
            // What is read after the lock shows whether it is the right car's.
            let (locked, held, open) = try await transaction.run(
                CarStore().lock(of: account),
                occupancies.occupancy(of: account),
                requests.pending(onSeatOf: account)
            )
            note(locked)
            if try await lock(Set([held?.car].compactMap { $0 })) == false { return (held, open) }
        }
    }

    /// Locks a passenger, the car with the passenger's seat, and the cars of the passenger's yield requests.
    ///
    /// - Returns: the passenger's seat and pending requests; neither changes before the transaction ends, since taking
    ///   or requesting a seat also locks the passenger.
    mutating func lock(around account: AccountID) async throws -> (Occupancy?, [YieldRequest]) {
        _ = try await lockCars(around: account)
        try await lock(passengers: [account])
        return try await lockCars(around: account)
    }

    private mutating func lockCars(around account: AccountID) async throws -> (Occupancy?, [YieldRequest]) {
        while true {
            let held = try await occupancies.occupancy(of: account, in: transaction)
            let pending = try await requests.pending(by: account, in: transaction)
            if try await lock(Set(pending.map(\.car) + [held?.car].compactMap { $0 })) == false {
                return (held, pending)
            }
        }
    }

    /// - Returns: whether one of the cars was not locked yet, so that values read before may be outdated. If that car
    ///   precedes a locked one, two transactions may deadlock; PostgreSQL aborts one of them, and it is retried.
    @discardableResult
    mutating func lock(_ wanted: Set<CarID>) async throws -> Bool {
        let missing = wanted.subtracting(cars.keys)
        guard !missing.isEmpty else { return false }
        note(try await transaction.run(CarStore().lock(missing)))
        return true
    }

    /// The train and code of a locked car.
    func address(of car: CarID) throws -> CarAddress {
        guard let address = cars[car] else { throw UnlockedCar() }
        return address
    }

    /// Locks the passengers of a credit transfer.
    func lock(passengers accounts: [AccountID]) async throws {
        _ = try await transaction.run(passengers.lock(accounts))
    }

    // MARK: Changes

    /// Changes a seat by several statements and publishes the change to the car's topic, together with COMMIT.
    func change(_ seat: SeatID, of car: CarID, by statements: [Statement<Int>]) throws {
        let address = try address(of: car)
        try transaction.enqueue(statements)
        try transaction.enqueue(live.insert(seats: [seat], of: address), to: .car(address))
    }

    /// Marks a seat with a changed occupant, or changed details of its occupant.
    mutating func touch(seat: SeatID, of car: CarID) {
        changedSeats[car, default: []].insert(seat)
    }

    /// Publishes the marked seats to the topics of their cars. Must be called last before the commit.
    func announce() throws {
        for (car, seats) in changedSeats.sorted(by: { $0.key < $1.key }) {
            let address = try address(of: car)
            try transaction.enqueue(live.insert(seats: seats.sorted(), of: address), to: .car(address))
        }
    }

    /// Frees a seat, and rejects the pending requests for it. A reward for a seat that is left soon is taken back.
    ///
    /// - Parameter keepsReward: for a passenger who was given another seat.
    mutating func vacate(_ occupancy: Occupancy, keepsReward: Bool = false) async throws {
        let open = try await requests.pending(onSeat: occupancy.seat, in: transaction)
        try await lock(passengers: open.map(\.requester.account) + [occupancy.account])
        for request in open { try await decide(request, .rejected) }
        if try await transaction.run(occupancies.remove(seat: occupancy.seat, account: occupancy.account)) == 1 {
            touch(seat: occupancy.seat, of: occupancy.car)
            if !keepsReward { _ = try await transaction.run(takeBack(of: occupancy)) }
        }
    }

    /// Takes back the reward of a seat that is left within `SeatPolicy.clawBackSeconds`.
    func takeBack(of occupancy: Occupancy) throws -> Statement<Int> {
        ledger.takeBackReward(
            policy.clawBack(of: occupancy.reward, since: occupancy.since, now: .now),
            account: occupancy.account,
            train: try address(of: occupancy.car).train
        )
    }

    /// Ends a pending request: transfers the escrow, and notifies both sides.
    ///
    /// - Returns: false when the request was not pending.
    @discardableResult
    mutating func decide(_ request: YieldRequest, _ status: YieldRequest.Status) async throws -> Bool {
        guard try await requests.decide(request.id, status, in: transaction) else { return false }
        let end = request.end(as: status)
        try await ledger.move(end.transfer, request.amount, passenger: end.passenger, in: transaction)
        var request = request
        request.status = status
        if end.notifiesRequester { try await notifyRequester(request) }
        if end.notifiesOwner { try await notifyOwner(request) }
        return true
    }

    /// Notifies the owner of a seat about a new, changed or ended request.
    func notifyOwner(_ request: YieldRequest) async throws {
        let topic = LiveTopic.owner(seat: request.seat, account: request.owner.account)
        let message = try await live.publish(request.notice, to: topic, in: transaction)
        try await alerts.schedule(.about(request), message: message, after: policy.alertDelay, in: transaction)
    }

    private func notifyRequester(_ request: YieldRequest) async throws {
        let topic = LiveTopic.requester(seat: request.seat, account: request.requester.account)
        let message = try await live.publish(request.reply, to: topic, in: transaction)
        try await alerts.schedule(.answering(request), message: message, after: policy.alertDelay, in: transaction)
    }
}

/// A programming error: a car was changed without its lock.
struct UnlockedCar: Error {}

extension PostgresClient {
    /// Runs a transaction over cars, and publishes the changed seats.
    ///
    /// - Parameter seat: the seat whose car it locks; those that wait for one car leave connections for others.
    func carTransaction<Value>(
        _ policy: SeatPolicy,
        on seat: SeatID? = nil,
        _ body: (inout CarTransaction) async throws -> Value
    ) async throws -> Value {
        // The ids of a car's seats differ in the last six bits.
        try await transaction(key: seat.map { "car \($0.rawValue >> 6)" }) { transaction in
            var cars = CarTransaction(transaction, policy: policy)
            let value = try await body(&cars)
            try cars.announce()
            return value
        }
    }
}
