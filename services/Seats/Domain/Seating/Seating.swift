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
            let (car, found) = try await lock(seat: seat, account: account, &cars)
            let address = try cars.address(of: car)
            if !Sabotage.seatCheckedBeforeLock.isBuiltIn { try found.other.checkFree(for: account) }
            if found.own != nil { throw SeatsError.alreadySeated }
            if let other = found.other { try await cars.vacate(other) }
            if !found.presence.contains(where: { $0 == (account, true) }) {
                try await passengers.admit(account, in: cars.transaction)
            }
            try cars.change(
                seat,
                of: car,
                by: [
                    occupancies.insert(
                        account: account,
                        seat: seat,
                        lease: leases.lease(in: address, journey: found.journey, sighting: found.sighting)
                    ),
                    ledger.payReward(policy.reward(found.standing), account: account, train: address.train),
                ]
            )
        }
    }

    /// What decides whether and until when a passenger gets a seat.
    private struct Findings {
        /// Whether each locked passenger is not withdrawn.
        var presence: [(AccountID, Bool)]
        var own: Occupancy?
        var other: Occupancy?
        var journey: Journey?
        var sighting: TrainPosition?
        var standing: RewardStanding
    }

    /// Locks the car of a seat, which it creates for the first passenger, and the passengers.
    private func lock(
        seat: SeatID,
        account: AccountID,
        _ cars: inout CarTransaction
    ) async throws -> (CarID, Findings) {
        let stored = try await seat.place == nil ? CarStore().address(ofSeat: seat, in: cars.transaction) : nil
        guard let address = seat.place?.car ?? stored else { throw SeatsError.seatNotFound }
        if let locked = try await find(seat: seat, account: account, in: address, &cars) { return locked }
        try await cars.create(address)
        guard let locked = try await find(seat: seat, account: account, in: address, &cars) else {
            throw SeatsError.seatNotFound
        }
        return locked
    }

    /// Locks the car of a seat, then the passengers, and reads the rest after that; all passengers of the seat are locked at
    /// once, so in order.
    ///
    /// - Returns: nil for a car that is not stored.
    private func find(
        seat: SeatID,
        account: AccountID,
        in address: CarAddress,
        _ cars: inout CarTransaction
    ) async throws -> (CarID, Findings)? {
        let (locked, presence, held, journey, sighting, standing) = try await cars.transaction.run(
            CarStore().lock(ofSeat: seat),
            passengers.presence(of: account, taking: seat),
            occupancies.occupancies(of: account, andOn: seat),
            leases.journey(of: account),
            leases.sighting(of: address),
            ledger.rewardStanding(of: account, in: address.train)
        )
        guard let car = cars.note(locked) else { return nil }
        let findings = Findings(
            presence: presence,
            own: held.first { $0.account == account },
            other: held.first { $0.account != account },
            journey: journey,
            sighting: sighting,
            standing: standing
        )
        return (car, findings)
    }

    /// Rejects most concurrent requests for a seat before they wait for the car's lock.
    private func refuseWithoutLock(seat: SeatID, account: AccountID) async throws {
        let held = try await database.run(occupancies.occupancies(of: account, andOn: seat))
        for occupancy in held { try Optional(occupancy).checkFree(for: account) }
        if let own = held.first(where: { $0.account == account }) { try await sweep(own) }
    }

    /// Releases the seat. An early release takes the reward back, and what the credit does not suffice for is owed.
    ///
    /// - Throws: `SeatsError.notSeated`.
    func release(account: AccountID) async throws {
        try await database.carTransaction(policy) { cars in
            let (held, open) = try await cars.lockSeat(of: account)
            guard let held, held.isLive else { throw SeatsError.notSeated }
            guard open.isEmpty else { return try await cars.vacate(held) }
            try cars.change(
                held.seat,
                of: held.car,
                by: [
                    passengers.lock([account]),
                    occupancies.remove(seat: held.seat, account: account),
                    cars.takeBack(of: held),
                ]
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
