import Contracts

/// The pairs of a seat and a requester whose request some act observes. That of others does not matter.
struct SeatPairs {
    private(set) var all: [(seat: Int, requester: Int)] = []
    /// Whether an owner has tried to give the requester the seat: only then it matters whether a request was pending.
    private(set) var isAcceptObserved: [Bool] = []
    /// Whether there may be requests that no answer tells of.
    private(set) var isUncertain: [Bool] = []
    /// The pairs whose last observation is known, in the order of its end.
    private(set) var lastObservations: [(pair: Int, ended: Int64)] = []

    private struct Key: Hashable {
        var seat: Int
        var requester: Int
    }

    private var numbers: [Key: Int] = [:]

    /// - Parameter place: The numbers of a seat and a requester; nil for those outside of the projection.
    init(_ acts: [SeatAct], place: (SeatID, AccountID) -> (seat: Int, requester: Int)?) {
        var ends: [Int64?] = []
        var uncertain: Set<Key> = []
        for act in acts {
            if case .request(let seat) = act.call, act.attempt.outcome.isUnknown,
                let (seat, requester) = place(seat, act.attempt.account)
            {
                uncertain.insert(Key(seat: seat, requester: requester))
            }
            let subject: (seat: SeatID, requester: AccountID)? =
                switch act.call {
                case .cancel(let seat): (seat, act.attempt.account)
                case .accept(let seat, let other), .reject(let seat, let other): (seat, other)
                default: nil
                }
            guard let subject, let (seat, requester) = place(subject.seat, subject.requester) else { continue }
            let isAccept = if case .accept = act.call { true } else { false }
            guard isAccept || !act.attempt.outcome.isUnknown else { continue }
            let key = Key(seat: seat, requester: requester)
            let ended = act.attempt.outcome.isUnknown ? nil : act.attempt.ended?.microseconds
            if let pair = numbers[key] {
                isAcceptObserved[pair] = isAcceptObserved[pair] || isAccept
                ends[pair] = ends[pair].flatMap { last in ended.map { max(last, $0) } }
            } else {
                numbers[key] = all.count
                all.append((seat, requester))
                isAcceptObserved.append(isAccept)
                ends.append(ended)
            }
        }
        isUncertain = all.map { uncertain.contains(Key(seat: $0.seat, requester: $0.requester)) }
        lastObservations = ends.enumerated().compactMap { pair, ended in ended.map { (pair, $0) } }
            .sorted { $0.1 < $1.1 }
    }

    subscript(seat: Int, requester: Int) -> Int? { numbers[Key(seat: seat, requester: requester)] }
}
