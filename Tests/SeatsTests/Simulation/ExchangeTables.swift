import Contracts
import FoundationEssentials

@testable import Seats

/// A message to sockets, as `live_messages` has it.
struct LiveRow: Sendable, Equatable {
    enum Body: Sendable, Equatable {
        /// The occupant of a seat has changed; for all.
        case seat(SeatID, AccountID?)
        /// An offer for the seat of an owner; nil when the request has ended.
        case owner(AccountID, requester: AccountID, SeatID, Int64?)
        case requester(AccountID, SeatID, isAccepted: Bool)
    }

    var id: Int
    var body: Body

    func isFor(_ account: AccountID) -> Bool {
        switch body {
        case .seat: true
        case .owner(let passenger, _, _, _), .requester(let passenger, _, _): passenger == account
        }
    }
}

/// The committed rows of the seats service.
struct ExchangeTables: Sendable {
    struct Passenger: Sendable {
        var credit: Int64
        var debt: Int64 = 0
        var journey: JourneyID?
        var isUnlocked = false
        var hasReward = false
    }

    struct Lease: Sendable {
        var account: AccountID
        var journey: JourneyID?
        var since: Date
        var reward: Int64
        var arrivesAt: Date
    }

    struct Request: Sendable {
        var seat: SeatID
        var owner: AccountID
        var requester: AccountID
        var amount: Int64
        var status = YieldRequest.Status.pending
        var expiresAt: Date
        /// What the escrow holds, and how often it was given back or paid.
        var escrow: Int64 = 0
        var payments = 0
    }

    static let passengers = 6
    static let seats = 5
    /// Credit of each passenger at the beginning.
    static let grant: Int64 = 500

    private(set) var people = Array(repeating: Passenger(credit: grant), count: passengers)
    private(set) var leases = Array(repeating: Lease?.none, count: seats)
    private(set) var rows: [Request] = []
    private(set) var messages: [LiveRow] = []
    /// The credit that all passengers and requests are to have together: grants and rewards, without what was taken back or spent.
    private(set) var granted = grant * Int64(passengers)
    private var journeys: Int64 = 0
    var now = Date(timeIntervalSince1970: 0)
    let policy: SeatPolicy

    init(policy: SeatPolicy) { self.policy = policy }

    // MARK: Reads

    /// Seats 1 to 3 are in one car, 4 and 5 in another.
    static func car(of seat: SeatID) -> CarID { CarID(rawValue: seat.rawValue <= 3 ? 1 : 2) }

    func passenger(_ account: AccountID) -> Passenger { people[Int(account.rawValue) - 1] }

    func occupancy(on seat: SeatID) -> Occupancy? {
        leases[Int(seat.rawValue) - 1].map { lease in
            Occupancy(
                seat: seat,
                car: Self.car(of: seat),
                account: lease.account,
                journey: lease.journey,
                since: lease.since,
                reward: lease.reward,
                isLive: lease.journey != nil || lease.arrivesAt > now
            )
        }
    }

    func occupancy(of account: AccountID) -> Occupancy? {
        leases.firstIndex { $0?.account == account }.flatMap { occupancy(on: SeatID(rawValue: Int64($0) + 1)) }
    }

    func request(_ index: Int) -> YieldRequest {
        let row = rows[index]
        return YieldRequest(
            id: YieldRequestID(rawValue: Int64(index) + 1),
            seat: row.seat,
            car: Self.car(of: row.seat),
            owner: ProfileSummary(account: row.owner, nickname: "", image: "", tags: []),
            requester: ProfileSummary(account: row.requester, nickname: "", image: "", tags: []),
            amount: row.amount,
            status: row.status,
            isOverdue: row.expiresAt <= now,
            ownersDestination: nil
        )
    }

    func latest(_ seat: SeatID, _ requester: AccountID) -> YieldRequest? {
        rows.lastIndex { $0.seat == seat && $0.requester == requester }.map(request)
    }

    func pending(where isWanted: (Request) -> Bool) -> [YieldRequest] {
        rows.indices.filter { rows[$0].status == .pending && isWanted(rows[$0]) }.map(request)
    }

    // MARK: Writes

    mutating func change(_ account: AccountID, _ body: (inout Passenger) -> Void) {
        body(&people[Int(account.rawValue) - 1])
    }

    mutating func set(_ lease: Lease?, on seat: SeatID) {
        leases[Int(seat.rawValue) - 1] = lease
        publish(.seat(seat, lease?.account))
    }

    mutating func publish(_ body: LiveRow.Body) {
        messages.append(LiveRow(id: messages.count + 1, body: body))
    }

    mutating func startJourney(of account: AccountID) -> JourneyID {
        journeys += 1
        let id = JourneyID(rawValue: journeys)
        change(account) { ($0.journey, $0.isUnlocked) = (id, false) }
        return id
    }

    mutating func insert(_ request: Request) -> YieldRequestID {
        rows.append(request)
        return YieldRequestID(rawValue: Int64(rows.count))
    }

    mutating func change(_ id: YieldRequestID, _ body: (inout Request) -> Void) {
        body(&rows[Int(id.rawValue) - 1])
    }

    /// As `LedgerStore.move`.
    mutating func move(_ transfer: Transfer, _ amount: Int64, _ account: AccountID) throws {
        guard amount > 0 else { return }
        var passenger = passenger(account)
        if transfer.isToPassenger {
            let repaid = min(passenger.debt, amount)
            passenger.debt -= repaid
            passenger.credit += amount - repaid
        } else {
            guard passenger.credit >= amount else { throw SeatsError.insufficientCredit }
            passenger.credit -= amount
        }
        change(account) { $0 = passenger }
        switch transfer {
        case .escrow(let id): change(id) { $0.escrow += amount }
        case .refund(let id), .yield(let id): change(id) { $0.escrow -= amount }
        case .reward: granted += amount
        case .clawBack, .unlock, .forfeit: granted -= amount
        }
    }

    /// As `LedgerStore.takeBackReward`.
    mutating func takeBack(_ amount: Int64, _ account: AccountID) {
        guard amount > 0, passenger(account).hasReward else { return }
        granted -= amount
        change(account) { passenger in
            let taken = min(passenger.credit, amount)
            passenger.credit -= taken
            passenger.debt += amount - taken
            passenger.hasReward = false
        }
    }
}
