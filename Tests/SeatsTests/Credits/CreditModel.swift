import FoundationEssentials

@testable import Seats

/// Seats, requests, journeys and credit of a few passengers as plain values: what the rules of SeatCatcher contract 4.4 to
/// 4.6 allow, without a database. Passengers, seats and trains are indices.
struct CreditModel {
    struct Passenger: Equatable {
        var credit: Int64 = 0
        var debt: Int64 = 0
        var journey: Journey?

        mutating func receive(_ amount: Int64) {
            let repaid = min(debt, amount)
            debt -= repaid
            credit += amount - repaid
        }

        /// - Returns: false for an amount above the credit.
        mutating func spend(_ amount: Int64) -> Bool {
            guard amount <= credit else { return false }
            credit -= amount
            return true
        }

        mutating func giveBack(_ amount: Int64) {
            let taken = min(credit, amount)
            credit -= taken
            debt += amount - taken
        }
    }

    struct Journey: Equatable {
        var id: Int
        var train: Int
        var isUnlocked = false
    }

    struct Occupancy: Equatable {
        var passenger: Int
        var since: Date
        var day: Int
        var reward: Int64
        var journey: Int?
    }

    struct Request: Equatable {
        var seat: Int
        var requester: Int
        var amount: Int64
        var expiresAt: Date
    }

    struct Claim: Hashable {
        var passenger: Int
        var train: Int
        var day: Int
    }

    /// A time that a passenger has sat on a seat.
    struct Stay {
        var claim: Claim
        var seconds: TimeInterval
        var isYielded: Bool
    }

    let policy: SeatPolicy
    /// The train of each seat.
    let trains: [Int]
    /// The trains that the arrivals announce; the others are fakes.
    let sighted: Set<Int>
    private(set) var now = Date(timeIntervalSince1970: 0)
    private(set) var day = 0
    private(set) var passengers: [Passenger]
    private(set) var occupancies: [Occupancy?]
    private(set) var requests: [Request] = []
    /// The rewards that were paid and not taken back.
    private(set) var claims: Set<Claim> = []
    private(set) var stays: [Stay] = []
    private(set) var spent: Int64 = 0
    private var journeys = 0

    init(passengers: Int, trains: [Int], sighted: Set<Int>, policy: SeatPolicy) {
        self.passengers = Array(repeating: Passenger(), count: passengers)
        self.occupancies = Array(repeating: nil, count: trains.count)
        self.trains = trains
        self.sighted = sighted
        self.policy = policy
    }

    func seat(of passenger: Int) -> Int? { occupancies.firstIndex { $0?.passenger == passenger } }

    // MARK: Seats

    mutating func sit(_ passenger: Int, on seat: Int) {
        guard occupancies[seat] == nil, self.seat(of: passenger) == nil, sighted.contains(trains[seat]) else { return }
        let claim = Claim(passenger: passenger, train: trains[seat], day: day)
        let reward = policy.reward(
            RewardStanding(
                isSighted: sighted.contains(trains[seat]),
                hasReward: claims.contains(claim),
                rewardsToday: claims.count { $0.passenger == passenger && $0.day == day }
            )
        )
        occupy(seat, passenger, reward: reward)
        guard reward > 0 else { return }
        claims.insert(claim)
        passengers[passenger].receive(reward)
    }

    private mutating func occupy(_ seat: Int, _ passenger: Int, reward: Int64) {
        let journey = passengers[passenger].journey
        occupancies[seat] = Occupancy(
            passenger: passenger,
            since: now,
            day: day,
            reward: reward,
            journey: journey?.train == trains[seat] ? journey?.id : nil
        )
    }

    mutating func leave(_ passenger: Int) {
        if let seat = seat(of: passenger) { vacate(seat) }
    }

    private mutating func vacate(_ seat: Int, keepsReward: Bool = false) {
        guard let left = occupancies[seat] else { return }
        for request in requests where request.seat == seat { refund(request) }
        occupancies[seat] = nil
        let claim = record(left, on: seat, isYielded: keepsReward)
        guard !keepsReward else { return }
        let amount = policy.clawBack(of: left.reward, since: left.since, now: now)
        guard amount > 0, claims.remove(claim) != nil else { return }
        passengers[left.passenger].giveBack(amount)
    }

    @discardableResult
    private mutating func record(_ left: Occupancy, on seat: Int, isYielded: Bool) -> Claim {
        let claim = Claim(passenger: left.passenger, train: trains[seat], day: left.day)
        stays.append(Stay(claim: claim, seconds: now.timeIntervalSince(left.since), isYielded: isYielded))
        return claim
    }

    // MARK: Journeys

    mutating func start(_ passenger: Int, train: Int) {
        let held = seat(of: passenger)
        if let old = passengers[passenger].journey {
            let isIdle = held == nil && !requests.contains { $0.requester == passenger }
            if old.train == train, isIdle { return }
            end(passenger)
        }
        if let held, trains[held] != train, occupancies[held]?.passenger == passenger { vacate(held) }
        journeys += 1
        passengers[passenger].journey = Journey(id: journeys, train: train)
        if let held = seat(of: passenger) { occupancies[held]?.journey = journeys }
    }

    mutating func end(_ passenger: Int) {
        guard let journey = passengers[passenger].journey else { return }
        passengers[passenger].journey = nil
        if let held = seat(of: passenger), occupancies[held]?.journey == journey.id { vacate(held) }
        for request in requests where request.requester == passenger { refund(request) }
    }

    mutating func unlock(_ passenger: Int) {
        guard passengers[passenger].journey?.isUnlocked != true else { return }
        guard passengers[passenger].spend(policy.unlockPrice) else { return }
        passengers[passenger].journey?.isUnlocked = true
        spent += policy.unlockPrice
    }

    // MARK: Requests

    mutating func request(_ seat: Int, by passenger: Int, _ amount: Int64) {
        guard let owner = occupancies[seat], owner.passenger != passenger else { return }
        let old = requests.firstIndex { $0.seat == seat && $0.requester == passenger }
        let more = amount - (old.map { requests[$0].amount } ?? 0)
        if old != nil, more == 0 { return }
        if more > 0 {
            guard passengers[passenger].spend(more) else { return }
        } else {
            passengers[passenger].receive(-more)
        }
        if let old { requests.remove(at: old) }
        let expiry = now + policy.requestSeconds
        requests.append(Request(seat: seat, requester: passenger, amount: amount, expiresAt: expiry))
    }

    mutating func cancel(_ seat: Int, by passenger: Int) {
        if let request = pending(seat, passenger) { refund(request) }
    }

    mutating func reject(_ seat: Int, by owner: Int, of requester: Int) {
        guard occupancies[seat]?.passenger == owner, let request = pending(seat, requester) else { return }
        refund(request)
    }

    mutating func accept(_ seat: Int, by owner: Int, of requester: Int) {
        guard let left = occupancies[seat], left.passenger == owner, let request = pending(seat, requester) else {
            return
        }
        if let held = self.seat(of: requester) { vacate(held, keepsReward: true) }
        requests.removeAll { $0 == request }
        passengers[owner].receive(request.amount)
        record(left, on: seat, isYielded: true)
        occupy(seat, requester, reward: 0)
        for other in requests where other.seat == seat { refund(other) }
    }

    private func pending(_ seat: Int, _ requester: Int) -> Request? {
        requests.first { $0.seat == seat && $0.requester == requester }
    }

    private mutating func refund(_ request: Request) {
        guard let index = requests.firstIndex(of: request) else { return }
        requests.remove(at: index)
        passengers[request.requester].receive(request.amount)
    }

    // MARK: Time

    mutating func pass(seconds: TimeInterval) {
        now += seconds
        for request in requests where request.expiresAt <= now { refund(request) }
    }

    /// The service day ends, and with it every journey and every occupancy.
    mutating func endDay() {
        for passenger in passengers.indices { end(passenger) }
        for seat in occupancies.indices { vacate(seat) }
        day += 1
    }

    // MARK: What may be

    /// The credit of all passengers and requests, without what is owed, and what was spent.
    var granted: Int64 {
        passengers.reduce(0) { $0 + $1.credit - $1.debt } + requests.reduce(0) { $0 + $1.amount } + spent
    }

    /// The credit that all stays justify: one reward for a passenger, an announced train and a day, with a stay that goes on,
    /// has lasted long enough or ended by yielding; at most `SeatPolicy.dailyRewards` for a passenger and day.
    var justified: Int64 {
        var earned: Set<Claim> = []
        for stay in stays where stay.isYielded || stay.seconds >= policy.clawBackSeconds { earned.insert(stay.claim) }
        for (seat, occupancy) in occupancies.enumerated() {
            guard let occupancy else { continue }
            earned.insert(Claim(passenger: occupancy.passenger, train: trains[seat], day: occupancy.day))
        }
        let byDay = Dictionary(grouping: earned.filter { sighted.contains($0.train) }) { [$0.passenger, $0.day] }
        return byDay.values.reduce(0) { $0 + Int64(min($1.count, policy.dailyRewards)) * policy.reward }
    }
}
