import Postgres

/// A transaction over cars. Whoever changes who sits in a car, or who wants a seat of it, first holds the car's lock, then
/// those of the passengers whose credit moves, each in the order of ids: so no two wait for each other, and what happens
/// on a car has one order, which is the order of the messages about it.
struct CarTransaction {
    let transaction: PostgresTransaction
    let policy: SeatPolicy
    private var cars: [Int64: CarAddress] = [:]
    private var changedSeats: [Int64: Set<Int64>] = [:]

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
    /// - Throws: `SeatsError.seatNotFound`.
    mutating func lockCar(ofSeat seat: Int64) async throws -> Int64 {
        let locked = try await CarStore().lock(ofSeat: seat, in: transaction)
        guard let car = locked.keys.first else { throw SeatsError.seatNotFound }
        cars.merge(locked) { old, _ in old }
        return car
    }

    /// Locks the car of a seat, and the one that somebody sits in.
    ///
    /// - Returns: where they sit.
    mutating func lockCar(ofSeat seat: Int64, andOf account: Int64) async throws -> Occupancy? {
        guard let car = try await CarStore().car(ofSeat: seat, in: transaction) else { throw SeatsError.seatNotFound }
        while true {
            let held = try await occupancies.occupancy(of: account, in: transaction)
            if try await lock(Set([car, held?.car].compactMap { $0 })) == false { return held }
        }
    }

    /// Locks the car that somebody sits in.
    ///
    /// - Returns: where they sit, and who wishes for that seat.
    mutating func lockSeat(of account: Int64) async throws -> (Occupancy?, [YieldRequest]) {
        cars.merge(try await CarStore().lock(of: account, in: transaction)) { old, _ in old }
        while true {
            let (held, open) = try await transaction.run(
                occupancies.occupancy(of: account),
                requests.pending(onSeatOf: account)
            )
            if try await lock(Set([held?.car].compactMap { $0 })) == false { return (held, open) }
        }
    }

    /// Locks a passenger, the car that they sit in, and the cars of the seats that they wish for.
    ///
    /// - Returns: where they sit, and what they wish for; neither changes before the transaction ends, since whoever takes
    ///   a seat or wishes for one locks the passenger too.
    mutating func lock(around account: Int64) async throws -> (Occupancy?, [YieldRequest]) {
        _ = try await lockCars(around: account)
        try await lock(passengers: [account])
        return try await lockCars(around: account)
    }

    private mutating func lockCars(around account: Int64) async throws -> (Occupancy?, [YieldRequest]) {
        while true {
            let held = try await occupancies.occupancy(of: account, in: transaction)
            let wishes = try await requests.pending(by: account, in: transaction)
            if try await lock(Set(wishes.map(\.car) + [held?.car].compactMap { $0 })) == false { return (held, wishes) }
        }
    }

    /// - Returns: whether one of them was not locked yet, so that what was read before may not hold any more. Should that
    ///   one come before a car that is locked, two transactions may wait for each other; PostgreSQL ends one of them, and
    ///   it is begun again.
    @discardableResult
    mutating func lock(_ wanted: Set<Int64>) async throws -> Bool {
        let missing = wanted.subtracting(cars.keys)
        guard !missing.isEmpty else { return false }
        cars.merge(try await CarStore().lock(missing, in: transaction)) { old, _ in old }
        return true
    }

    /// The train and car of a car that is locked.
    func address(of car: Int64) throws -> CarAddress {
        guard let address = cars[car] else { throw UnlockedCar() }
        return address
    }

    /// Locks passengers, whose credit is about to move.
    func lock(passengers accounts: [Int64]) async throws {
        try await passengers.lock(accounts, in: transaction)
    }

    // MARK: Changes

    /// Changes a seat by some statements, and tells everybody who looks at the car, all in one round trip.
    func change<First, Second>(
        _ seat: Int64,
        of car: Int64,
        by first: Statement<First>,
        _ second: Statement<Second>
    ) async throws -> First {
        try await transaction.run(first, second, live.publish(seats: [seat], of: try address(of: car))).0
    }

    func change<First, Second, Third>(
        _ seat: Int64,
        of car: Int64,
        by first: Statement<First>,
        _ second: Statement<Second>,
        _ third: Statement<Third>
    ) async throws -> First {
        try await transaction.run(first, second, third, live.publish(seats: [seat], of: try address(of: car))).0
    }

    /// Notes that a seat's occupant is another one now, or is shown differently.
    mutating func touch(seat: Int64, of car: Int64) {
        changedSeats[car, default: []].insert(seat)
    }

    /// Tells everybody who looks at the cars what has changed. The last thing before the commit.
    func announce() async throws {
        for (car, seats) in changedSeats.sorted(by: { $0.key < $1.key }) {
            _ = try await transaction.run(live.publish(seats: seats.sorted(), of: address(of: car)))
        }
    }

    /// Frees a seat, and refuses everybody who wanted it.
    mutating func vacate(_ occupancy: Occupancy) async throws {
        let open = try await requests.pending(onSeat: occupancy.seat, in: transaction)
        try await lock(passengers: open.map(\.requester.account) + [occupancy.account])
        for request in open { try await decide(request, .rejected) }
        if try await transaction.run(occupancies.remove(seat: occupancy.seat, account: occupancy.account)) == 1 {
            touch(seat: occupancy.seat, of: occupancy.car)
        }
    }

    /// Ends an open request: the credit in escrow goes where it belongs, and both sides are told.
    ///
    /// - Returns: false when it was not open any more.
    @discardableResult
    mutating func decide(_ request: YieldRequest, _ status: YieldRequest.Status) async throws -> Bool {
        guard try await requests.decide(request.id, status, in: transaction) else { return false }
        var request = request
        request.status = status
        if status == .accepted {
            try await ledger.move(
                .yield(request: request.id),
                request.amount,
                passenger: request.owner.account,
                in: transaction
            )
        } else {
            try await ledger.move(
                .refund(request: request.id),
                request.amount,
                passenger: request.requester.account,
                in: transaction
            )
        }
        if status != .cancelled { try await tellRequester(request) }
        if status == .cancelled || status == .expired { try await tellOwner(request) }
        return true
    }

    /// Tells the owner of a seat that somebody wants it, or does no longer.
    func tellOwner(_ request: YieldRequest) async throws {
        let topic = LiveTopic.owner(seat: request.seat, account: request.owner.account)
        let message = try await live.publish(request.notice, to: topic, in: transaction)
        try await alerts.schedule(.about(request), message: message, after: policy.alertDelay, in: transaction)
    }

    private func tellRequester(_ request: YieldRequest) async throws {
        let topic = LiveTopic.requester(seat: request.seat, account: request.requester.account)
        let message = try await live.publish(request.reply, to: topic, in: transaction)
        try await alerts.schedule(.answering(request), message: message, after: policy.alertDelay, in: transaction)
    }
}

/// A defect: a car was to be changed that is not locked.
struct UnlockedCar: Error {}

extension PostgresClient {
    /// Runs a transaction over cars, and announces what has changed in them.
    func carTransaction<Value>(
        _ policy: SeatPolicy,
        _ body: (inout CarTransaction) async throws -> Value
    ) async throws -> Value {
        try await transaction { transaction in
            var cars = CarTransaction(transaction, policy: policy)
            let value = try await body(&cars)
            try await cars.announce()
            return value
        }
    }
}
