import Contracts
import Proof
import Testing
import Values

/// The search for an order against one that tries all of them, for small random histories of two models.
struct EveryOrderTests {
    @Test(arguments: 0..<8) func register_isDecidedAsByEveryOrder(seed: UInt64) {
        var random = SplitMix(state: seed)
        let values = ["a", "b", "c"]
        var contradictions = 0
        for _ in 0..<250 {
            let calls = (0..<Int.random(in: 3...7, using: &random)).map { _ in
                let value = Int.random(in: 0..<3, using: &random)
                let isRead = Int.random(in: 0..<10, using: &random) < 6
                return timed(isRead ? RegisterModel.Call.read(values[value]) : .write(values[value]), isRead, &random)
            }
            contradictions += compare(RegisterModel("a"), calls)
        }
        #expect((50..<225).contains(contradictions), "both verdicts occur often")
    }

    /// A counter with two places for calls that commute, and increments that may fail.
    @Test(arguments: 0..<8) func counters_areDecidedAsByEveryOrder(seed: UInt64) {
        var random = SplitMix(state: seed)
        var contradictions = 0
        for _ in 0..<250 {
            let calls = (0..<Int.random(in: 3...7, using: &random)).map { _ in
                let (place, value) = (Int.random(in: 0..<2, using: &random), Int.random(in: 0..<3, using: &random))
                let kind = Int.random(in: 0..<10, using: &random)
                let call: CountersModel.Call =
                    kind < 4
                    ? .read(place, value)
                    : kind < 5 ? .readBoth(value, value / 2) : kind < 8 ? .add(place) : .move(place)
                return timed(call, kind < 5, &random)
            }
            contradictions += compare(CountersModel(), calls)
        }
        #expect((50..<225).contains(contradictions), "both verdicts occur often")
    }

    private func timed<Call: Hashable>(_ call: Call, _ isRead: Bool, _ random: inout SplitMix) -> TimedCall<Call> {
        let begun = Int64.random(in: 0..<20, using: &random)
        let length = Int64.random(in: 0..<10, using: &random)
        guard !isRead, Int.random(in: 0..<3, using: &random) == 0 else {
            return TimedCall(call, begun: begun, ended: begun + length)
        }
        return TimedCall(call, begun: begun, ended: nil, latest: Bool.random(using: &random) ? .max : begun + length)
    }

    /// - Returns: 1 for a contradiction.
    private func compare<Model: SequentialModel>(_ model: Model, _ calls: [TimedCall<Model.Call>]) -> Int {
        var steps = 1_000_000
        let verdict = Linearization(model, calls).verdict(steps: &steps)
        let isExplained = isExplained(model, calls, in: model.initial)
        #expect((verdict == .explained) == isExplained, "\(calls)")
        #expect(verdict != .undecided)
        return isExplained ? 0 : 1
    }

    /// Whether the rest of a history can be put in an order: each call in turn comes next.
    private func isExplained<Model: SequentialModel>(
        _ model: Model,
        _ rest: [TimedCall<Model.Call>],
        in state: Model.State
    ) -> Bool {
        guard rest.contains(where: { $0.ended != nil }) else { return true }
        let end = rest.compactMap(\.ended).min() ?? .max
        return rest.indices.contains { index in
            let call = rest[index]
            guard call.begun <= end else { return false }
            var others = rest
            others.remove(at: index)
            // An open call is over once a call is put that began after its latest time.
            others.removeAll { call.ended != nil && $0.ended == nil && $0.latest < call.begun }
            return model.states(after: call.call, in: state).contains { isExplained(model, others, in: $0) }
        }
    }
}

/// Two numbers up to 2.
private struct CountersModel: SequentialModel {
    enum Call: Hashable {
        case add(Int)
        /// Moves one from the other place to this one.
        case move(Int)
        case read(Int, Int)
        case readBoth(Int, Int)
    }

    var initial: [Int] { [0, 0] }

    func states(after call: Call, in state: [Int]) -> [[Int]] {
        var after = state
        switch call {
        case .add(let place):
            guard state[place] < 2 else { return [] }
            after[place] += 1
        case .move(let place):
            guard state[1 - place] > 0 else { return [state] }
            after[place] += 1
            after[1 - place] -= 1
        case .read(let place, let value):
            return state[place] == value ? [state] : []
        case .readBoth(let first, let second):
            return state == [first, second] ? [state] : []
        }
        return [after]
    }

    func isReading(_ call: Call) -> Bool {
        switch call {
        case .add, .move: false
        case .read, .readBoth: true
        }
    }

    func fingerprint(of state: [Int]) -> Fingerprint {
        var fingerprint = Fingerprint()
        for (place, value) in state.enumerated() { fingerprint.toggle(value, at: place) }
        return fingerprint
    }
}
