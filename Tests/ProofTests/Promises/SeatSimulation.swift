import Contracts
import Proof
import Values

/// Phones at a car that keeps its promises: each act takes effect at one moment between its begin and its answer, and some
/// answers are lost.
struct SeatSimulation {
    private struct Request {
        var owner: AccountID
        var status: String
    }

    private struct Pair: Hashable {
        var seat: SeatID
        var requester: AccountID
    }

    private var occupants: [SeatID: AccountID] = [:]
    private var requests: [Pair: Request] = [:]
    private var random: SplitMix
    private let phones: Int
    private let seats: [SeatID]
    private(set) var acts: [SeatAct] = []

    /// - Parameters:
    ///   - losses: Of 100 answers.
    ///   - stalls: Whether nothing happens in two of ten seconds, after which all that waited happens at once. Half of the
    ///     answers of that time are lost.
    init(seed: UInt64, acts count: Int, phones: Int = 30, seats: Int = 20, losses: Int = 5, stalls: Bool = false) {
        (random, self.phones) = (SplitMix(state: seed), phones)
        self.seats = (1...Int64(seats)).map { SeatID(rawValue: $0) }
        var times: [(effect: Double, phone: Int, begun: Double, ended: Double, isLost: Bool)] = []
        var free = (0..<phones).map { Double($0) / 100 }
        while times.count < count {
            let phone = Int.random(in: 0..<phones, using: &random)
            let begun = free[phone] + .random(in: 0.01...1, using: &random)
            let isStalled = stalls && begun.truncatingRemainder(dividingBy: 10) > 7.9
            let isLost = Int.random(in: 0..<100, using: &random) < (isStalled ? 50 : losses)
            var effect = begun + .random(in: 0.001...(isLost ? 5 : 0.1), using: &random)
            if stalls, effect.truncatingRemainder(dividingBy: 10) > 8 {
                effect = (effect / 10).rounded(.up) * 10 + .random(in: 0...0.1, using: &random)
            }
            let ended = isLost ? begun + 3 : effect + .random(in: 0.001...0.1, using: &random)
            free[phone] = ended
            times.append((effect, phone, begun, ended, isLost))
        }
        for time in times.sorted(by: { $0.effect < $1.effect }) {
            let account = AccountID(rawValue: Int64(time.phone) + 1)
            let call = call(by: account)
            let isNever = time.isLost && Bool.random(using: &random)
            let outcome = isNever ? Outcome.lost : apply(call, by: account)
            var attempt = Attempt(account.rawValue, time.begun, time.ended, time.isLost ? .lost : outcome)
            var done = call
            if case .read = call { done = .read(occupants) }
            attempt.trace = nil
            acts.append(SeatAct(attempt, car: call == .leave ? nil : "2429", done))
        }
    }

    private mutating func call(by account: AccountID) -> SeatCall {
        let seat = seats[Int.random(in: 0..<seats.count, using: &random)]
        let own = occupants.first { $0.value == account }?.key
        let pending = requests.keys.filter { $0.seat == own }.sorted { $0.requester < $1.requester }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5: return .read([:])
        case 5..<10: return .sit(seat)
        case 10..<12: return .leave
        case 12..<15: return .request(seat)
        case 15: return .cancel(seat)
        case 16: return .confirm(seat)
        case 17..<19: return pending.first.map { .accept($0.seat, of: $0.requester) } ?? .sit(seat)
        default: return pending.last.map { .reject($0.seat, of: $0.requester) } ?? .leave
        }
    }

    private mutating func apply(_ call: SeatCall, by account: AccountID) -> Outcome {
        let own = occupants.first { $0.value == account }?.key
        switch call {
        case .read, .end:
            return .done
        case .sit(let seat):
            if own != nil { return .refused("409 USER_ALREADY_RESERVED") }
            if occupants[seat] != nil { return .refused("409 SEAT_ALREADY_RESERVED") }
            occupants[seat] = account
            return .done
        case .leave:
            guard let own else { return .refused("409 USER_NOT_RESERVED") }
            vacate(own)
            return .done
        case .request(let seat):
            guard let owner = occupants[seat] else { return .refused("404 ENTITY_NOT_FOUND") }
            guard owner != account else { return .refused("409 USER_ALREADY_RESERVED") }
            let pair = Pair(seat: seat, requester: account)
            if requests[pair]?.status != "pending" { requests[pair] = Request(owner: owner, status: "pending") }
            return .done
        case .cancel(let seat):
            let pair = Pair(seat: seat, requester: account)
            guard let request = requests[pair] else { return .refused("404 YIELD_REQUEST_NOT_FOUND") }
            if request.status == "accepted" { return .refused("409 YIELD_ACCEPT_FAILED") }
            requests[pair]?.status = "cancelled"
            return .done
        case .confirm(let seat):
            guard let occupant = occupants[seat] else { return .refused("404 ENTITY_NOT_FOUND") }
            return occupant == account ? .done : .refused("403 NOT_OCCUPANT")
        case .accept(let seat, let other), .reject(let seat, let other):
            return decide(call, Pair(seat: seat, requester: other), by: account)
        }
    }

    private mutating func decide(_ call: SeatCall, _ pair: Pair, by account: AccountID) -> Outcome {
        guard let request = requests[pair], request.owner == account else {
            guard let occupant = occupants[pair.seat] else { return .refused("404 ENTITY_NOT_FOUND") }
            return .refused(occupant == account ? "404 YIELD_REQUEST_NOT_FOUND" : "403 NOT_OCCUPANT")
        }
        guard case .accept = call else {
            if request.status == "accepted" { return .refused("409 YIELD_ACCEPT_FAILED") }
            requests[pair]?.status = "rejected"
            return .done
        }
        if request.status == "accepted" { return .done }
        guard request.status == "pending" else { return .refused("409 YIELD_ACCEPT_FAILED") }
        if let left = occupants.first(where: { $0.value == pair.requester })?.key { vacate(left) }
        vacate(pair.seat)
        requests[pair]?.status = "accepted"
        occupants[pair.seat] = pair.requester
        return .done
    }

    private mutating func vacate(_ seat: SeatID) {
        occupants[seat] = nil
        for pair in requests.keys where pair.seat == seat && requests[pair]?.status == "pending" {
            requests[pair]?.status = "rejected"
        }
    }
}
