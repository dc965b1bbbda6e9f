import FoundationEssentials
import Postgres

/// Taking a seat and leaving it.
struct Seating: Sendable {
    let database: PostgresClient
    let leases: Leases
    let policy: SeatPolicy

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
    /// - Throws: `SeatsError.seatNotFound`, `.seatTaken`, `.alreadySeated`; `PassengerError.withdrawn`.
    func occupy(seat: Int64, account: Int64) async throws {
        try await refuseWithoutLock(seat: seat, account: account)
        try await database.carTransaction(policy) { cars in
            let transaction = cars.transaction
            let car = try await cars.lockCar(ofSeat: seat)
            if let other = try await occupancies.occupancy(on: seat, in: transaction) {
                guard !other.isLive else { throw other.account == account ? SeatsError.alreadySeated : .seatTaken }
                try await cars.vacate(other)
            }
            try await passengers.admit(account, in: transaction)
            let address = try cars.address(of: car)
            let lease = try await leases.lease(for: account, in: address, transaction)
            let reward = try await ledger.payReward(
                policy.reward,
                account: account,
                train: address.train,
                in: transaction
            )
            guard
                try await occupancies.insert(
                    account: account,
                    seat: seat,
                    lease: lease,
                    reward: reward,
                    in: transaction
                )
            else { throw SeatsError.alreadySeated }
            cars.touch(seat: seat, of: car)
        }
    }

    /// Most who lose a race for a seat lose it here, and keep nobody waiting.
    private func refuseWithoutLock(seat: Int64, account: Int64) async throws {
        let (own, other) = try await occupancies.occupancies(of: account, andOn: seat, in: database)
        if let own, own.isLive { throw SeatsError.alreadySeated }
        if let other, other.isLive { throw SeatsError.seatTaken }
        if let own { try await sweep(own) }
    }

    /// Leaves the seat. Who leaves soon gives back what was paid, as far as it is still there.
    ///
    /// - Throws: `SeatsError.notSeated`.
    func release(account: Int64) async throws {
        try await database.carTransaction(policy) { cars in
            guard let held = try await cars.lockCar(of: account), held.isLive else { throw SeatsError.notSeated }
            try await cars.vacate(held)
            guard held.reward > 0, Date.now.timeIntervalSince(held.since) < policy.clawBackSeconds else { return }
            try await ledger.takeBackReward(
                held.reward,
                account: account,
                train: cars.address(of: held.car).train,
                in: cars.transaction
            )
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

    private func sweep(_ overdue: Occupancy) async throws {
        try await database.carTransaction(policy) { cars in
            try await cars.lock([overdue.car])
            guard let held = try await occupancies.occupancy(on: overdue.seat, in: cars.transaction),
                held.account == overdue.account, !held.isLive
            else { return }
            try await cars.vacate(held)
        }
    }
}
