/// Seats as their passengers know them: a seat has one occupant, a passenger one seat, and a request for a seat is decided
/// once (SeatCatcher contract 4.5). Credit is not part of it.
struct SeatModel: SequentialModel {
    let seatCount: Int
    let personCount: Int
    /// The seat and the requester of each pair.
    let pairs: [(seat: Int, requester: Int)]
    /// Whether a pair may have had requests without an answer. No reading shows when they took effect, and trying all
    /// times would take too long: so decisions about the pair are then taken for right also without a known request.
    let isUncertain: [Bool]
    /// The occupants at the begin; -1 for none.
    let occupants: [Int32]
    /// The pairs in the order of the ends of the last acts that observe them.
    var lastObservations: [(pair: Int, ended: Int64)]

    private let pairsOfSeat: [[Int]]

    init(
        seats: Int,
        persons: Int,
        pairs: [(seat: Int, requester: Int)],
        isUncertain: [Bool],
        occupants: [Int32],
        lastObservations: [(pair: Int, ended: Int64)]
    ) {
        (seatCount, personCount, self.pairs) = (seats, persons, pairs)
        (self.isUncertain, self.occupants, self.lastObservations) = (isUncertain, occupants, lastObservations)
        pairsOfSeat = (0..<seats).map { seat in pairs.indices.filter { pairs[$0].seat == seat } }
    }

    var initial: SeatState {
        var state = SeatState(seats: seatCount, persons: personCount, pairs: pairs.count)
        for (seat, person) in occupants.enumerated() where person >= 0 { state.seat(Int(person), on: seat) }
        return state
    }

    func fingerprint(of state: SeatState) -> Fingerprint { state.fingerprint }

    func isReading(_ call: SeatOperation) -> Bool { call.isReading }

    func isHidden(_ call: SeatOperation) -> Bool { call.isHidden }

    func distance(to call: SeatOperation, from state: SeatState) -> Int {
        switch call {
        case .read(let occupants):
            return zip(state.occupants, occupants).reduce(0) { sum, seat in
                sum + (seat.0 == seat.1 ? 0 : seat.0 >= 0 && seat.1 >= 0 ? 2 : 1)
            }
        case .sat(let person, let seat):
            return (state.occupant(of: seat) == nil ? 0 : 1) + (state.seat(of: person) == nil ? 0 : 1)
        case .isOccupant(let seat, let person):
            guard let occupant = state.occupant(of: seat) else { return 1 }
            return occupant == person ? 0 : 2
        case .accepted(let pair, let owner):
            if !states(after: call, in: state).isEmpty { return 0 }
            return state.occupant(of: pairs[pair].seat) == owner ? 1 : 2
        default:
            return states(after: call, in: state).isEmpty ? 1 : 0
        }
    }

    func reduce(_ state: inout SeatState, before moment: Int64) {
        while state.forgotten < lastObservations.count, lastObservations[state.forgotten].ended < moment {
            state.set(.forgotten, of: lastObservations[state.forgotten].pair)
            state.forgotten += 1
        }
    }

    func states(after call: SeatOperation, in state: SeatState) -> [SeatState] {
        if call.isReading { return allows(call, in: state) ? [state] : [] }
        var after = state
        switch call {
        case .sat(let person, let seat):
            guard state.occupant(of: seat) == nil, state.seat(of: person) == nil else { return [] }
            after.seat(person, on: seat)
        case .left(let person, let mayBeElsewhere):
            guard let seat = state.seat(of: person) else { return mayBeElsewhere ? [state] : [] }
            vacate(seat, &after)
        case .requested(let pair):
            let (seat, requester) = pairs[pair]
            guard let owner = state.occupant(of: seat), owner != requester else { return [] }
            if case .pending = state.request(pair) { return [state] }
            after.set(.pending(owner: owner), of: pair)
        case .cancelled(let pair):
            switch state.request(pair) {
            case .none, .accepted: return isUncertain[pair] ? [state] : []
            case .pending(let owner): after.set(.ended(owner: owner), of: pair)
            case .ended, .forgotten: break
            }
        case .rejected(let pair, let owner):
            switch state.request(pair) {
            case .pending(owner): after.set(.ended(owner: owner), of: pair)
            case .ended(owner), .forgotten: break
            default: return isUncertain[pair] ? [state] : []
            }
        case .accepted(let pair, let owner):
            switch state.request(pair) {
            case .accepted(owner): break
            case .pending(owner): handOver(pair, &after)
            default: return []
            }
        case .acceptedElsewhere(let owner, let requester):
            let ownersSeat = owner.flatMap { state.seat(of: $0) }
            guard ownersSeat == nil, let seat = state.seat(of: requester) else { return [state] }
            vacate(seat, &after)
            return [state, after]
        case .freed(let person):
            if let seat = state.seat(of: person) { vacate(seat, &after) }
        case .expired(let pair):
            if case .pending(let owner) = state.request(pair) { after.set(.ended(owner: owner), of: pair) }
        default:
            break
        }
        return [after]
    }

    private func handOver(_ pair: Int, _ state: inout SeatState) {
        let (seat, requester) = pairs[pair]
        if let left = state.seat(of: requester) { vacate(left, &state) }
        guard let owner = state.occupant(of: seat) else { return }
        vacate(seat, &state)
        state.set(.accepted(owner: owner), of: pair)
        state.seat(requester, on: seat)
    }

    /// Frees a seat, and rejects the pending requests for it.
    private func vacate(_ seat: Int, _ state: inout SeatState) {
        for pair in pairsOfSeat[seat] {
            if case .pending(let owner) = state.request(pair) { state.set(.ended(owner: owner), of: pair) }
        }
        state.empty(seat)
    }

    private func allows(_ reading: SeatOperation, in state: SeatState) -> Bool {
        switch reading {
        case .read(let occupants): state.occupants.elementsEqual(occupants)
        case .isFree(let seat): state.occupant(of: seat) == nil
        case .isTaken(let seat, let person): state.occupant(of: seat).map { $0 != person } ?? false
        case .isOccupant(let seat, let person): state.occupant(of: seat) == person
        case .hasNone(let person): state.seat(of: person) == nil
        case .hasSome(let person): state.seat(of: person) != nil
        case .isUnrequested(let pair): state.request(pair) == .none
        case .isAccepted(let pair): if case .accepted = state.request(pair) { true } else { false }
        case .isAcceptedBy(let pair, let owner): state.request(pair) == .accepted(owner: owner)
        case .isEnded(let pair, let owner):
            state.request(pair) == .ended(owner: owner)
                || isUncertain[pair] && state.request(pair) != .pending(owner: owner)
        case .hasNoRequest(let pair, let owner, let occupant):
            occupant == (state.occupant(of: pairs[pair].seat).map { $0 == owner ? .owner : .other } ?? .none)
                && !isOf(owner, state.request(pair))
        default: true
        }
    }

    private func isOf(_ owner: Int, _ request: SeatState.Request) -> Bool {
        switch request {
        case .pending(let other), .accepted(let other), .ended(let other): owner == other
        case .none, .forgotten: false
        }
    }
}
