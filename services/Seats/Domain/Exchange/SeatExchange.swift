import Contracts
import Postgres

/// Yield requests: a request for another passenger's seat with credit in escrow, and its outcome (SeatCatcher contract
/// 4.5).
struct SeatExchange: Sendable {
    let database: PostgresClient
    let leases: Leases
    let policy: SeatPolicy

    private let occupancies = OccupancyStore()
    private let requests = YieldRequestStore()
    private let ledger = LedgerStore()
    private let passengers = PassengerStore()
    private let live = LiveStore()
    private let failed = DeferredRows<YieldRequestID>()

    /// Requests a seat. Repeating a request with the same amount changes nothing; another amount replaces the offer.
    ///
    /// - Throws: `SeatsError.seatNotFound`, `.seatEmpty`, `.ownSeat`, `.amountNegative`, `.insufficientCredit`.
    func request(seat: SeatID, requester: AccountID, amount: Int64) async throws {
        guard amount >= 0 else { throw SeatsError.amountNegative }
        try await database.carTransaction(policy, on: seat) { cars in
            _ = try await cars.lockCar(ofSeat: seat)
            let transaction = cars.transaction
            let owner = try await occupancies.occupancy(on: seat, in: transaction).owner(for: requester)
            try await passengers.admit(requester, in: transaction)
            let last = try await requests.latest(onSeat: seat, by: requester, in: transaction)
            switch YieldRequest.Offer(amount, after: last) {
            case .unchanged: return
            case .changed(let request, let transfer, let difference):
                try await ledger.move(transfer, difference, passenger: requester, in: transaction)
                try await requests.change(
                    request.id,
                    amount: amount,
                    lifetime: policy.requestSeconds,
                    in: transaction
                )
                return try await notifyOwner(ofRequestOn: seat, by: requester, cars)
            case .new: break
            }
            let id = try await requests.insert(
                seat: seat,
                owner: owner,
                requester: SeatRequester(requester),
                amount: amount,
                lifetime: policy.requestSeconds,
                in: transaction
            )
            try await ledger.move(.escrow(request: id), amount, passenger: requester, in: transaction)
            try await live.markAllDelivered(on: .requester(seat: seat, account: requester), in: transaction)
            try await notifyOwner(ofRequestOn: seat, by: requester, cars)
        }
    }

    private func notifyOwner(ofRequestOn seat: SeatID, by requester: AccountID, _ cars: CarTransaction) async throws {
        guard let request = try await requests.latest(onSeat: seat, by: requester, in: cars.transaction) else { return }
        try await cars.notifyOwner(request)
    }

    /// Cancels a request. A request that ended otherwise than by acceptance stays as it is.
    ///
    /// - Throws: `SeatsError.seatNotFound`, `.requestNotFound`, `.requestDecided` when it was accepted.
    func cancel(seat: SeatID, requester: AccountID) async throws {
        try await database.carTransaction(policy, on: seat) { cars in
            _ = try await cars.lockCar(ofSeat: seat)
            guard let request = try await requests.latest(onSeat: seat, by: requester, in: cars.transaction) else {
                throw SeatsError.requestNotFound
            }
            try request.checkNotAccepted()
            try await cars.decide(request, .cancelled)
        }
    }

    /// Rejects a request. A request that ended otherwise than by acceptance stays as it is.
    ///
    /// - Throws: as `accept` does; `.requestDecided` when it was accepted.
    func reject(seat: SeatID, owner: SeatOwner, requester: SeatRequester) async throws {
        try await database.carTransaction(policy, on: seat) { cars in
            _ = try await cars.lockCar(ofSeat: seat)
            let request = try await openOrDecided(seat: seat, owner: owner, requester: requester, cars)
            try request.checkNotAccepted()
            try await cars.decide(request, .rejected)
        }
    }

    /// Accepts a request: in one transaction the owner gets the credit, the requester gets the seat, and the other
    /// requests for it are rejected. A requester with another seat leaves that one and keeps its reward. Accepting it
    /// again changes nothing.
    ///
    /// - Throws: `SeatsError.seatNotFound`, `.passengerNotFound`, `.notOccupant`, `.requestNotFound`, `.requestDecided`
    ///   when it was cancelled, rejected or has expired.
    func accept(seat: SeatID, owner: SeatOwner, requester: SeatRequester) async throws {
        try await database.carTransaction(policy, on: seat) { cars in
            let transaction = cars.transaction
            let seated = try await cars.lockCar(ofSeat: seat, andOf: requester.account)
            let request = try await openOrDecided(seat: seat, owner: owner, requester: requester, cars)
            guard try request.isToBeAccepted() else { return }

            let others = try await requests.pending(onSeat: seat, in: transaction)
            let leftBehind =
                if let seated {
                    try await requests.pending(onSeat: seated.seat, in: transaction)
                } else {
                    [YieldRequest]()
                }
            try await cars.lock(passengers: request.passengers(rejecting: others + leftBehind))

            // Before the passengers are locked, the requester may take another seat concurrently; so the seat is read
            // again.
            if let left = try await cars.lockCar(ofSeat: seat, andOf: requester.account) {
                try await cars.vacate(left, keepsReward: true)
            }
            try await cars.decide(request, .accepted)
            let lease = try await leases.lease(for: requester.account, in: cars.address(of: request.car), transaction)
            guard
                try await occupancies.handOver(
                    seat: seat,
                    from: owner,
                    to: requester,
                    lease: lease,
                    in: transaction
                )
            else { throw SeatsError.notOccupant }
            for other in others where other.id != request.id { try await cars.decide(other, .rejected) }
            cars.touch(seat: seat, of: request.car)
        }
    }

    /// Confirms to the requester that the seat was handed over, which happens when the owner accepts.
    ///
    /// - Throws: `SeatsError.seatNotFound`, `.seatEmpty`, `.notOccupant`, `.requestDecided` while the request is
    ///   pending.
    func confirm(seat: SeatID, requester: AccountID) async throws {
        guard try await CarStore().car(ofSeat: seat, in: database) != nil else { throw SeatsError.missing(seat) }
        let held = try await occupancies.occupancy(on: seat, in: database).live()
        let request = try await requests.latest(onSeat: seat, by: requester, in: database)
        try YieldRequest.confirm(request, of: requester, held)
    }

    /// Ends expired requests.
    ///
    /// - Returns: their number, at most `limit`.
    func expireOverdue(limit: Int) async throws -> Int {
        let overdue = try await requests.overdue(limit: limit, except: failed.current, in: database)
        try await overdue.attemptEach(deferring: failed, by: \.id) { request in
            try await database.carTransaction(policy, on: request.seat) { cars in
                try await cars.lock([request.car])
                guard
                    let current = try await requests.latest(
                        onSeat: request.seat,
                        by: request.requester.account,
                        in: cars.transaction
                    ), current.isOverdue(as: request)
                else { return }
                try await cars.decide(current, .expired)
            }
        }
        return overdue.count
    }

    /// The latest request of a requester for a seat, for its owner to decide.
    private func openOrDecided(
        seat: SeatID,
        owner: SeatOwner,
        requester: SeatRequester,
        _ cars: CarTransaction
    ) async throws -> YieldRequest {
        let transaction = cars.transaction
        if let request = try await requests.latest(onSeat: seat, by: requester.account, in: transaction),
            request.owner.account == owner.account
        {
            return request
        }
        try await occupancies.occupancy(on: seat, in: transaction).check(isOf: owner)
        guard try await passengers.exists(requester.account, in: transaction) else {
            throw SeatsError.passengerNotFound
        }
        throw SeatsError.requestNotFound
    }
}
