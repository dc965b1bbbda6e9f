import Contracts
import FoundationEssentials

@testable import Seats

/// What transactions write when they have their locks. The production rules decide; the rest is as in `SeatExchange`,
/// `Seating`, `CarTransaction`, `Journeys` and `Credits`.
struct ExchangeWriting {
    var tables: ExchangeTables
    let defect: ExchangeModel.Defect?

    mutating func perform(_ transaction: ExchangeTransaction) throws {
        switch transaction.work {
        case .occupy(let seat, let account): try occupy(seat, account)
        case .release(let account):
            guard let held = tables.occupancy(of: account), held.isLive else { throw SeatsError.notSeated }
            try vacate(held)
        case .request(let seat, let account, let amount): try request(seat, account, amount)
        case .cancel(let seat, let account):
            guard let request = tables.latest(seat, account) else { throw SeatsError.requestNotFound }
            try request.checkNotAccepted()
            try decide(request, .cancelled, isChecked: defect != .refundsUnchecked)
        case .reject(let seat, let owner, let requester):
            let request = try openOrDecided(seat, owner, requester)
            try request.checkNotAccepted()
            try decide(request, .rejected)
        case .accept(let seat, let owner, let requester): try accept(seat, owner, requester)
        case .start(let account): try start(account)
        case .arrive(let account): try end(account)
        case .unlock(let account): try unlock(account)
        case .expire(let overdue):
            if defect == .expiresUnchecked { return try decide(overdue, .expired, isChecked: false) }
            guard let current = tables.latest(overdue.seat, overdue.requester.account),
                current.isOverdue(as: overdue)
            else { return }
            try decide(current, .expired)
        case .sweep(let overdue):
            if let held = tables.occupancy(on: overdue.seat), held.isExpired(as: overdue) { try vacate(held) }
        }
    }

    // MARK: Seats

    private mutating func occupy(_ seat: SeatID, _ account: AccountID) throws {
        let other = tables.occupancy(on: seat)
        if defect != .checksBeforeLock { try other.checkFree(for: account) }
        if let other { try vacate(other) }
        guard tables.occupancy(of: account) == nil else { throw SeatsError.alreadySeated }
        let hasReward = tables.passenger(account).hasReward
        let standing = RewardStanding(isSighted: true, hasReward: hasReward, rewardsToday: hasReward ? 1 : 0)
        let reward = tables.policy.reward(standing)
        tables.set(lease(of: account, reward: reward), on: seat)
        guard reward > 0 else { return }
        try tables.move(.reward, reward, account)
        tables.change(account) { $0.hasReward = true }
    }

    private func lease(of account: AccountID, reward: Int64) -> ExchangeTables.Lease {
        ExchangeTables.Lease(
            account: account,
            journey: tables.passenger(account).journey,
            since: tables.now,
            reward: reward,
            arrivesAt: tables.now + tables.policy.leaseSeconds
        )
    }

    private mutating func vacate(_ held: Occupancy, keepsReward: Bool = false) throws {
        for request in tables.pending(where: { $0.seat == held.seat }) { try decide(request, .rejected) }
        tables.set(nil, on: held.seat)
        guard !keepsReward else { return }
        tables.takeBack(tables.policy.clawBack(of: held.reward, since: held.since, now: tables.now), held.account)
    }

    // MARK: Requests

    private mutating func request(_ seat: SeatID, _ requester: AccountID, _ amount: Int64) throws {
        let owner = try tables.occupancy(on: seat).owner(for: requester)
        let expiresAt = tables.now + tables.policy.requestSeconds
        switch YieldRequest.Offer(amount, after: tables.latest(seat, requester)) {
        case .unchanged: return
        case .changed(let request, let transfer, let difference):
            try tables.move(transfer, difference, requester)
            tables.change(request.id) { ($0.amount, $0.expiresAt) = (amount, expiresAt) }
        case .new:
            let row = ExchangeTables.Request(
                seat: seat,
                owner: owner.account,
                requester: requester,
                amount: amount,
                expiresAt: expiresAt
            )
            let id = tables.insert(row)
            try tables.move(.escrow(request: id), amount, requester)
        }
        tables.publish(.owner(owner.account, requester: requester, seat, amount))
    }

    private func openOrDecided(_ seat: SeatID, _ owner: AccountID, _ requester: AccountID) throws -> YieldRequest {
        if let request = tables.latest(seat, requester), request.owner.account == owner { return request }
        try tables.occupancy(on: seat).check(isOf: SeatOwner(owner))
        throw SeatsError.requestNotFound
    }

    private mutating func accept(_ seat: SeatID, _ owner: AccountID, _ requester: AccountID) throws {
        let request = try openOrDecided(seat, owner, requester)
        guard try request.isToBeAccepted() else { return }
        let others = tables.pending { $0.seat == seat && $0.requester != requester }
        if let left = tables.occupancy(of: requester), defect != .ignoresOtherSeat {
            try vacate(left, keepsReward: true)
        }
        try decide(request, .accepted)
        guard tables.occupancy(on: seat)?.account == owner else { throw SeatsError.notOccupant }
        tables.set(lease(of: requester, reward: 0), on: seat)
        for other in others { try decide(other, .rejected) }
    }

    private mutating func decide(
        _ request: YieldRequest,
        _ status: YieldRequest.Status,
        isChecked: Bool = true
    ) throws {
        // As `YieldRequestStore.decide`, which changes pending requests only.
        let now = tables.request(Int(request.id.rawValue) - 1)
        guard now.status == .pending || !isChecked else { return }
        let end = request.end(as: status)
        tables.change(request.id) { ($0.status, $0.payments) = (status, $0.payments + 1) }
        try tables.move(end.transfer, request.amount, end.passenger)
        let (owner, requester) = (request.owner.account, request.requester.account)
        if end.notifiesRequester {
            tables.publish(.requester(requester, request.seat, isAccepted: status == .accepted))
        }
        if end.notifiesOwner { tables.publish(.owner(owner, requester: requester, request.seat, nil)) }
    }

    // MARK: Journeys and purchases

    /// All seats are of one train.
    private mutating func start(_ account: AccountID) throws {
        let held = tables.occupancy(of: account)
        if tables.passenger(account).journey != nil {
            if held == nil, tables.pending(where: { $0.requester == account }).isEmpty { return }
            try end(account)
        }
        let journey = tables.startJourney(of: account)
        guard let held = tables.occupancy(of: account) else { return }
        var renewed = tables.leases[Int(held.seat.rawValue) - 1]
        renewed?.journey = journey
        tables.set(renewed, on: held.seat)
    }

    private mutating func end(_ account: AccountID) throws {
        guard let journey = tables.passenger(account).journey else { return }
        tables.change(account) { $0.journey = nil }
        if let held = tables.occupancy(of: account), held.journey == journey { try vacate(held) }
        for request in tables.pending(where: { $0.requester == account }) { try decide(request, .cancelled) }
    }

    private mutating func unlock(_ account: AccountID) throws {
        let passenger = tables.passenger(account)
        guard passenger.journey == nil || !passenger.isUnlocked else { return }
        try tables.move(.unlock, tables.policy.unlockPrice, account)
        if passenger.journey != nil { tables.change(account) { $0.isUnlocked = true } }
    }
}
