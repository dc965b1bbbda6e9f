import Contracts
import FoundationEssentials
import Postgres
import Values

/// Occupying and releasing seats.
struct Seating: Sendable {
    let database: PostgresClient
    let leases: Leases
    let policy: SeatPolicy

    private let occupancies = OccupancyStore()
    private let ledger = LedgerStore()
    private let passengers = PassengerStore()
    private let failed = DeferredRows<SeatID>()

    /// Occupies a free seat, and pays the reward.
    ///
    /// - Throws: `SeatsError.seatNotFound`, `.trainNotFound`, `.seatTaken`, `.alreadySeated`; `PassengerError.withdrawn`.
    func occupy(seat: SeatID, account: AccountID) async throws {
        try await refuseWithoutLock(seat: seat, account: account)
        try await database.carTransaction(policy, on: seat) { cars in
            let transaction = cars.transaction
            let car = try await cars.lockCar(toOccupy: seat)
            let address = try cars.address(of: car)
            // The standing is read after the passenger's lock. All passengers of the seat are locked at once, so in order.
            let (other, presence, journey, sighting, standing) = try await transaction.run(
                occupancies.occupancy(on: seat),
                passengers.presence(of: account, taking: seat),
                leases.journey(of: account),
                leases.sighting(of: address),
                ledger.rewardStanding(of: account, in: address.train)
            )
            if !Sabotage.seatCheckedBeforeLock.isBuiltIn { try other.checkFree(for: account) }
            if let other { try await cars.vacate(other) }
            if !presence.contains(where: { $0 == (account, true) }) {
                try await passengers.admit(account, in: transaction)
            }
            let seated = try await cars.change(
                seat,
                of: car,
                by: occupancies.insert(
                    account: account,
                    seat: seat,
                    lease: leases.lease(in: address, journey: journey, sighting: sighting)
                ),
                ledger.payReward(policy.reward(standing), account: account, train: address.train)
            )
            guard seated == 1 else { throw SeatsError.alreadySeated }
        }
    }

    /// Rejects most concurrent requests for a seat before they wait for the car's lock.
    private func refuseWithoutLock(seat: SeatID, account: AccountID) async throws {
        let (own, other) = try await occupancies.occupancies(of: account, andOn: seat, in: database)
        try own.checkFree(for: account)
        try other.checkFree(for: account)
        if let own { try await sweep(own) }
    }

    /// Releases the seat. An early release takes the reward back, and what the credit does not suffice for is owed.
    ///
    /// - Throws: `SeatsError.notSeated`.
    func release(account: AccountID) async throws {
        try await database.carTransaction(policy) { cars in
            let (held, open) = try await cars.lockSeat(of: account)
            guard let held, held.isLive else { throw SeatsError.notSeated }
            guard open.isEmpty else { return try await cars.vacate(held) }
            _ = try await cars.change(
                held.seat,
                of: held.car,
                by: passengers.presence(of: [account]),
                occupancies.remove(seat: held.seat, account: account),
                cars.takeBack(of: held)
            )
        }
    }

    /// Frees the seats with expired leases.
    ///
    /// - Returns: their number, at most `limit`.
    func sweepOverdue(limit: Int) async throws -> Int {
        let overdue = try await occupancies.overdue(limit: limit, except: failed.current, in: database)
        try await overdue.attemptEach(deferring: failed, by: \.seat) { try await sweep($0) }
        return overdue.count
    }

    private func sweep(_ overdue: Occupancy) async throws {
        try await database.carTransaction(policy, on: overdue.seat) { cars in
            try await cars.lock([overdue.car])
            let held = try await occupancies.occupancy(on: overdue.seat, in: cars.transaction)
            if let held, held.isExpired(as: overdue) { try await cars.vacate(held) }
        }
    }
}
