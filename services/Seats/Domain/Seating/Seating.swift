import FoundationEssentials
import Postgres

/// Taking a seat and leaving it.
struct Seating: Sendable {
    let database: PostgresClient
    let leases: Leases
    let policy: SeatPolicy

    private let cars = CarStore()
    private let occupancies = OccupancyStore()
    private let ledger = LedgerStore()
    private let passengers = PassengerStore()

    init(database: PostgresClient, leases: Leases, policy: SeatPolicy) {
        self.database = database
        self.leases = leases
        self.policy = policy
    }

    /// Takes a free seat, and is paid for telling so.
    ///
    /// - Throws: `SeatsError.seatNotFound`, `.seatTaken`, `.alreadySeated`, `.passengerGone`.
    func occupy(seat: Int64, account: Int64) async throws {
        guard let car = try await cars.car(ofSeat: seat, in: database) else { throw SeatsError.seatNotFound }
        guard try await passengers.ensure(account, in: database) else { throw SeatsError.passengerGone }
        if let held = try await occupancies.occupancy(of: account, in: database) {
            guard !held.isLive else { throw SeatsError.alreadySeated }
            try await sweep(held)
        }
        // Without a lock: most who lose a race for a seat lose it here, at no cost to others.
        if let other = try await occupancies.occupancy(on: seat, in: database), other.isLive {
            throw SeatsError.seatTaken
        }
        try await database.carTransaction(policy, on: { [car] }) { cars in
            if let other = try await occupancies.occupancy(on: seat, in: cars.transaction) {
                guard !other.isLive else { throw SeatsError.seatTaken }
                try await cars.vacate(other)
            }
            let address = try cars.address(of: car)
            let lease = try await leases.lease(for: account, in: address, cars.transaction)
            let isPaid = try await ledger.claimReward(account: account, train: address.train, in: cars.transaction)
            let reward = isPaid ? policy.reward : 0
            guard
                try await occupancies.insert(
                    account: account,
                    seat: seat,
                    lease: lease,
                    reward: reward,
                    in: cars.transaction
                )
            else { throw SeatsError.alreadySeated }
            try await ledger.move(.reward, reward, passenger: account, in: cars.transaction)
            cars.touch(seat: seat, of: car)
        }
    }

    /// Leaves the seat. Who leaves soon gives back what was paid, as far as it is still there.
    ///
    /// - Throws: `SeatsError.notSeated`.
    func release(account: Int64) async throws {
        try await database.carTransaction(policy, on: { try await seatedCar(of: account) }) { cars in
            guard let held = try await occupancies.occupancy(of: account, in: cars.transaction), held.isLive else {
                throw SeatsError.notSeated
            }
            try await cars.vacate(held)
            guard held.reward > 0, Date.now.timeIntervalSince(held.since) < policy.clawBackSeconds else { return }
            let credit = try await passengers.credit(account: account, in: cars.transaction) ?? 0
            let amount = min(held.reward, credit)
            try await ledger.move(.clawBack, amount, passenger: account, in: cars.transaction)
            let train = try cars.address(of: held.car).train
            try await ledger.returnReward(account: account, train: train, in: cars.transaction)
        }
    }

    /// Frees a seat whose time is over.
    func sweep(_ overdue: Occupancy) async throws {
        try await database.carTransaction(policy, on: { [overdue.car] }) { cars in
            guard let held = try await occupancies.occupancy(on: overdue.seat, in: cars.transaction),
                held.account == overdue.account, !held.isLive
            else { return }
            try await cars.vacate(held)
        }
    }

    /// Frees every seat whose time is over.
    ///
    /// - Returns: how many there were, at most `limit`.
    func sweepOverdue(limit: Int) async throws -> Int {
        let overdue = try await occupancies.overdue(limit: limit, in: database)
        for occupancy in overdue { try await sweep(occupancy) }
        return overdue.count
    }

    private func seatedCar(of account: Int64) async throws -> Set<Int64> {
        guard let held = try await occupancies.occupancy(of: account, in: database), held.isLive else {
            throw SeatsError.notSeated
        }
        return [held.car]
    }
}
