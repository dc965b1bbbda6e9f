import Contracts

/// What a history says of some seats of one car: the acts on them, and those of their passengers elsewhere as far as
/// these tell something of the seats. What no order explains in a projection, none explains in the whole.
struct SeatProjection {
    let model: SeatModel
    private(set) var calls: [TimedCall<SeatOperation>] = []
    /// The act of each call; nil for the expiry of a request.
    private(set) var sources: [SeatAct?] = []

    private let car: String
    private let seats: [SeatID: Int]
    private let persons: [AccountID: Int]
    private let pairs: SeatPairs
    /// The persons who may sit on another seat.
    private let strays: Set<AccountID>

    /// - Parameters:
    ///   - acts: The history; may have acts of other cars.
    ///   - occupants: At the begin.
    init(_ acts: [SeatAct], of seatIDs: [SeatID], car: String, occupants: [SeatID: AccountID], rules: SeatRules) {
        self.car = car
        seats = Dictionary(uniqueKeysWithValues: seatIDs.sorted().enumerated().map { ($1, $0) })
        let (seats, ordered) = (seats, seatIDs.sorted())
        var accounts: Set<AccountID> = Set(ordered.compactMap { occupants[$0] })
        for act in acts {
            if case .read(let occupants) = act.call {
                if act.car == car { accounts.formUnion(occupants.filter { seats[$0.key] != nil }.values) }
            } else if let seat = act.call.seat, seats[seat] != nil {
                accounts.insert(act.attempt.account)
                if case .accept(_, let other) = act.call { accounts.insert(other) }
            }
        }
        persons = Dictionary(uniqueKeysWithValues: accounts.sorted().enumerated().map { ($1, $0) })
        strays = Set(
            acts.compactMap { act in
                switch act.call {
                case .sit(let seat), .request(let seat):
                    seats[seat] == nil && !act.attempt.outcome.isRefused ? act.attempt.account : nil
                default: nil
                }
            }
        )
        let persons = persons
        pairs = SeatPairs(acts) { seat, requester in
            guard let seat = seats[seat], let requester = persons[requester] else { return nil }
            return (seat, requester)
        }
        model = SeatModel(
            seats: seats.count,
            persons: persons.count,
            pairs: pairs.all,
            isUncertain: pairs.isUncertain,
            occupants: ordered.map { occupants[$0].flatMap { persons[$0] }.map(Int32.init) ?? -1 },
            lastObservations: pairs.lastObservations
        )
        for act in acts { add(act, rules) }
    }

    private mutating func add(_ act: SeatAct, _ rules: SeatRules) {
        guard let operation = operation(of: act) else { return }
        let attempt = act.attempt
        let begun = attempt.begun.microseconds
        switch attempt.outcome {
        case .done, .refused:
            guard let ended = attempt.ended else { return }
            calls.append(TimedCall(operation, begun: begun, ended: ended.microseconds))
        case .unknown:
            guard !operation.isReading else { return }
            let latest = act.call == .end ? nil : rules.lateness.map { attempt.begun.after($0).microseconds }
            calls.append(TimedCall(operation, begun: begun, ended: nil, latest: latest ?? .max))
        }
        sources.append(act)
        if case .requested(let pair) = operation, pairs.isAcceptObserved[pair] {
            let overdue = attempt.begun.after(rules.requestLife).microseconds
            calls.append(TimedCall(.expired(pair: pair), begun: overdue, ended: nil))
            sources.append(nil)
        }
    }

    /// The act in the model; nil when it says nothing of these seats.
    private func operation(of act: SeatAct) -> SeatOperation? {
        if case .read(let occupants) = act.call { return act.car == car ? reading(occupants) : nil }
        let person = persons[act.attempt.account]
        if let seat = act.call.seat {
            guard let index = seats[seat] else { return elsewhere(act, person) }
            guard let person else { return nil }
            return act.attempt.outcome.isRefused
                ? refusal(of: act, seat: index, person) : change(by: act, seat: index, person)
        }
        guard let person else { return nil }
        if act.call == .end { return .freed(person: person) }
        guard let code = act.attempt.outcome.code else {
            return .left(person: person, mayBeElsewhere: strays.contains(act.attempt.account))
        }
        return code == "USER_NOT_RESERVED" ? .hasNone(person: person) : nil
    }

    private func reading(_ occupants: [SeatID: AccountID]) -> SeatOperation {
        var row = [Int32](repeating: -1, count: seats.count)
        for (seat, account) in occupants {
            if let index = seats[seat], let person = persons[account] { row[index] = Int32(person) }
        }
        return .read(row)
    }

    /// What an act on a seat that is not among these tells of them.
    private func elsewhere(_ act: SeatAct, _ person: Int?) -> SeatOperation? {
        switch act.call {
        case .sit, .confirm:
            guard let person else { return nil }
            if act.attempt.outcome.isDone { return .hasNone(person: person) }
            guard act.attempt.outcome.code == "USER_ALREADY_RESERVED", case .sit = act.call else { return nil }
            return strays.contains(act.attempt.account) ? nil : .hasSome(person: person)
        case .accept(_, let other):
            guard let requester = persons[other], !act.attempt.outcome.isRefused else { return nil }
            return .acceptedElsewhere(owner: person, requester: requester)
        default:
            return nil
        }
    }

    /// An act that was done, or may have been.
    private func change(by act: SeatAct, seat: Int, _ person: Int) -> SeatOperation? {
        switch act.call {
        case .sit:
            return .sat(person: person, seat: seat)
        case .confirm:
            return .isOccupant(seat: seat, person: person)
        case .request:
            return pairs[seat, person].map { .requested(pair: $0) } ?? .isTaken(seat: seat, person: person)
        case .cancel:
            guard let pair = pairs[seat, person], isObservable(act, pair) else { return nil }
            return .cancelled(pair: pair)
        case .accept(_, let other):
            return pair(seat, other).map { .accepted(pair: $0, owner: person) }
        case .reject(_, let other):
            guard let pair = pair(seat, other), isObservable(act, pair) else { return nil }
            return .rejected(pair: pair, owner: person)
        case .leave, .read, .end:
            return nil
        }
    }

    /// Whether an act observes that a request has ended.
    private func isObservable(_ act: SeatAct, _ pair: Int) -> Bool {
        act.attempt.outcome.isDone || pairs.isAcceptObserved[pair]
    }

    private func refusal(of act: SeatAct, seat: Int, _ person: Int) -> SeatOperation? {
        switch (act.call, act.attempt.outcome.code) {
        case (.sit, "SEAT_ALREADY_RESERVED"): .isTaken(seat: seat, person: person)
        case (.sit, "USER_ALREADY_RESERVED"):
            strays.contains(act.attempt.account) ? nil : .hasSome(person: person)
        case (.request, "ENTITY_NOT_FOUND"), (.confirm, "ENTITY_NOT_FOUND"): .isFree(seat: seat)
        case (.request, "USER_ALREADY_RESERVED"), (.confirm, "USER_ALREADY_RESERVED"):
            .isOccupant(seat: seat, person: person)
        case (.confirm, "NOT_OCCUPANT"), (.confirm, "YIELD_ACCEPT_FAILED"): .isTaken(seat: seat, person: person)
        case (.cancel, "YIELD_REQUEST_NOT_FOUND"): pairs[seat, person].map { .isUnrequested(pair: $0) }
        case (.cancel, "YIELD_ACCEPT_FAILED"): pairs[seat, person].map { .isAccepted(pair: $0) }
        case (.accept(_, let other), "YIELD_ACCEPT_FAILED"):
            pair(seat, other).map { .isEnded(pair: $0, owner: person) }
        case (.reject(_, let other), "YIELD_ACCEPT_FAILED"):
            pair(seat, other).map { .isAcceptedBy(pair: $0, owner: person) }
        case (.accept(_, let other), let code?), (.reject(_, let other), let code?):
            pair(seat, other).flatMap { pair in
                Self.occupant(code).map { .hasNoRequest(pair: pair, owner: person, occupant: $0) }
            }
        default: nil
        }
    }

    private func pair(_ seat: Int, _ requester: AccountID) -> Int? {
        persons[requester].flatMap { pairs[seat, $0] }
    }

    /// What an owner who has no request to decide learns of the seat.
    private static func occupant(_ code: String) -> SeatOperation.Occupant? {
        switch code {
        case "NOT_OCCUPANT": .other
        case "ENTITY_NOT_FOUND": SeatOperation.Occupant.none
        case "YIELD_REQUEST_NOT_FOUND": .owner
        default: nil
        }
    }
}
