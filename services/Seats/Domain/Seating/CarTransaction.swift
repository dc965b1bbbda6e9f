import Postgres

/// A transaction over cars. Whoever changes who sits in a car, or who wants a seat of it, first holds the car's lock, then
/// those of the passengers whose credit moves, each in the order of ids: so no two wait for each other, and what happens
/// on a car has one order, which is the order of the messages about it.
struct CarTransaction {
    let transaction: PostgresTransaction
    let policy: SeatPolicy
    private let cars: [Int64: CarAddress]
    private var changedSeats: [Int64: Set<Int64>] = [:]

    private let occupancies = OccupancyStore()
    private let requests = YieldRequestStore()
    private let ledger = LedgerStore()
    private let live = LiveStore()
    private let alerts = AlertStore()

    /// Locks the cars.
    init(on cars: Set<Int64>, in transaction: PostgresTransaction, policy: SeatPolicy) async throws {
        self.transaction = transaction
        self.policy = policy
        self.cars = try await CarStore().lock(cars, in: transaction)
    }

    /// The train and car of a car that is locked.
    func address(of car: Int64) throws -> CarAddress {
        guard let address = cars[car] else { throw CarMoved() }
        return address
    }

    /// - Throws: `CarMoved` when one of the cars is not locked: who was where has changed since the cars were chosen.
    func requireLocked(_ cars: some Sequence<Int64>) throws {
        for car in cars where self.cars[car] == nil { throw CarMoved() }
    }

    /// Notes that a seat's occupant is another one now, or is shown differently.
    mutating func touch(seat: Int64, of car: Int64) {
        changedSeats[car, default: []].insert(seat)
    }

    /// Tells everybody who looks at the cars what has changed. The last thing before the commit.
    func announce() async throws {
        for (car, seats) in changedSeats.sorted(by: { $0.key < $1.key }) {
            try await live.publish(seats: seats.sorted(), of: address(of: car), in: transaction)
        }
    }

    /// Frees a seat, and refuses everybody who wanted it.
    mutating func vacate(_ occupancy: Occupancy) async throws {
        try requireLocked([occupancy.car])
        let open = try await requests.pending(onSeat: occupancy.seat, in: transaction)
        try await lock(passengers: open.map(\.requester.account) + [occupancy.account])
        for request in open { try await decide(request, .rejected) }
        if try await occupancies.remove(seat: occupancy.seat, account: occupancy.account, in: transaction) {
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

    /// Locks passengers, whose credit is about to move, in the order of their ids.
    func lock(passengers: [Int64]) async throws {
        try await PassengerStore().lock(passengers, in: transaction)
    }
}

/// Between choosing the cars to lock and locking them, somebody moved to another one; the transaction is to be begun again.
struct CarMoved: Error {}

extension PostgresClient {
    /// Runs a transaction over cars, and announces what has changed in them.
    ///
    /// - Parameters:
    ///   - cars: the cars that it will touch, as things are now.
    ///   - body: run again when somebody turns out to be in another car than expected.
    func carTransaction<Value>(
        _ policy: SeatPolicy,
        on cars: () async throws -> Set<Int64>,
        _ body: (inout CarTransaction) async throws -> Value
    ) async throws -> Value {
        while true {
            try Task.checkCancellation()
            let wanted = try await cars()
            do {
                return try await transaction { transaction in
                    var cars = try await CarTransaction(on: wanted, in: transaction, policy: policy)
                    let value = try await body(&cars)
                    try await cars.announce()
                    return value
                }
            } catch is CarMoved {
                continue
            }
        }
    }
}
