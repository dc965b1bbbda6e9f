/// One run of the search, depth first, with the stack in an array: histories are longer than a thread's stack is deep.
struct LinearizationSearch<Model: SequentialModel> {
    /// How far a history has been explained.
    private struct Configuration {
        var state: Model.State
        /// The number of answered calls, in the order of their ends, that are all explained.
        var count = 0
        /// Explained calls after them, ascending.
        var ahead: [Int32] = []
        /// Open calls that have taken effect, ascending.
        var used: [Int32] = []
        /// The call that was put last, with the state before it; nil when readings were explained after it.
        var last: (move: Move, before: Model.State, count: Int)?
    }

    /// A call: its index among the answered ones, or the open ones.
    private struct Move {
        var index: Int32
        var isOpen: Bool

        /// Of two calls whose order does not matter, the one to be put first.
        static func precedes(_ one: Move, _ other: Move) -> Bool {
            one.isOpen == other.isOpen ? one.index < other.index : other.isOpen
        }
    }

    private struct Visit: Hashable {
        var count: Int
        var fingerprint: Fingerprint
    }

    private let history: Linearization<Model>
    private(set) var steps: Int
    /// Configurations to explore, the most promising last.
    private var stack: [Configuration] = []
    /// The open calls that were used in visited configurations.
    private var visited: [Visit: [[Int32]]] = [:]
    private var deepest = 0

    init(_ history: Linearization<Model>, steps: Int) {
        (self.history, self.steps) = (history, steps)
    }

    mutating func run() -> Linearization<Model>.Verdict {
        stack = [Configuration(state: history.model.initial)]
        while var configuration = stack.popLast() {
            explainReadings(&configuration)
            deepest = max(deepest, configuration.count)
            if configuration.count == history.answered.count { return .explained }
            guard steps > 0 else { return .undecided }
            if isNew(configuration) { branch(configuration) }
        }
        return .contradiction(history.answered[deepest].ended ?? 0)
    }

    /// Explains the readings that the state allows: they can stand nowhere better. Then moves to the first call that is
    /// not explained.
    private mutating func explainReadings(_ configuration: inout Configuration) {
        while true {
            while configuration.ahead.first == Int32(configuration.count) {
                configuration.ahead.removeFirst()
                configuration.count += 1
            }
            guard configuration.count < history.answered.count, steps > 0 else { return }
            let first = configuration.count
            for index in history.overlapping[first] + [Int32(first)] where !configuration.ahead.contains(index) {
                let call = history.answered[Int(index)].call
                guard history.model.isReading(call) else { continue }
                steps -= 1
                if !history.model.states(after: call, in: configuration.state).isEmpty {
                    Self.insert(index, &configuration.ahead)
                    configuration.last = nil
                }
            }
            if configuration.ahead.first != Int32(first) { break }
        }
        history.model.reduce(&configuration.state, before: history.answered[configuration.count].ended ?? 0)
    }

    /// Whether no configuration was visited that can be continued in at least the same ways.
    private mutating func isNew(_ configuration: Configuration) -> Bool {
        var fingerprint = history.model.fingerprint(of: configuration.state)
        for index in configuration.ahead { fingerprint.toggle(Int(index), at: -1) }
        let visit = Visit(count: configuration.count, fingerprint: fingerprint)
        let known = visited[visit] ?? []
        if known.contains(where: { Self.isSubset($0, of: configuration.used) }) { return false }
        visited[visit, default: []].append(configuration.used)
        return true
    }

    /// Puts the configurations with one more call on the stack: the call that ends first is tried first, then those
    /// that overlap with it in the order of their ends, then open calls.
    private mutating func branch(_ configuration: Configuration) {
        let first = configuration.count
        var next: [Configuration] = []
        for index in [Int32(first)] + history.overlapping[first] where !configuration.ahead.contains(index) {
            let call = history.answered[Int(index)]
            if !history.model.isReading(call.call) {
                add(call, Move(index: index, isOpen: false), to: configuration, &next)
            }
        }
        let (end, floor) = (history.answered[first].ended ?? 0, history.floors[first])
        for (index, call) in history.open.enumerated() {
            guard call.begun <= end else { break }
            guard call.latest >= floor, !configuration.used.contains(Int32(index)) else { continue }
            let twin = history.twins[index]
            if twin >= 0, history.open[twin].latest >= floor, !configuration.used.contains(Int32(twin)) { continue }
            add(call, Move(index: Int32(index), isOpen: true), to: configuration, &next)
        }
        stack += next.reversed()
    }

    private mutating func add(
        _ call: TimedCall<Model.Call>,
        _ move: Move,
        to configuration: Configuration,
        _ next: inout [Configuration]
    ) {
        steps -= 1
        for state in history.model.states(after: call.call, in: configuration.state) {
            let fingerprint = history.model.fingerprint(of: state)
            if move.isOpen, fingerprint == history.model.fingerprint(of: configuration.state) { continue }
            var after = configuration
            after.state = state
            after.last = (move, configuration.state, configuration.count)
            if move.isOpen { Self.insert(move.index, &after.used) } else { Self.insert(move.index, &after.ahead) }
            if !isCovered(call, move, after: configuration.last, fingerprint, to: after) { next.append(after) }
        }
    }

    /// Whether another order of the last two calls, or the last call without an open one before it, leads to the same
    /// state: that is explored anyway.
    private mutating func isCovered(
        _ call: TimedCall<Model.Call>,
        _ move: Move,
        after last: (move: Move, before: Model.State, count: Int)?,
        _ fingerprint: Fingerprint,
        to configuration: Configuration
    ) -> Bool {
        guard let last, call.begun <= history.answered[last.count].ended ?? 0 else { return false }
        let isFirst = Move.precedes(move, last.move)
        guard isFirst || last.move.isOpen else { return false }
        let index = Int(last.move.index)
        let other = last.move.isOpen ? history.open[index] : history.answered[index]
        var count = configuration.count
        while configuration.ahead.contains(Int32(count)) { count += 1 }
        let isInTime = count == history.answered.count || other.latest >= history.floors[count]
        steps -= 1
        return history.model.states(after: call.call, in: last.before).contains { state in
            if last.move.isOpen, history.model.fingerprint(of: state) == fingerprint { return true }
            guard isFirst, isInTime else { return false }
            return history.model.states(after: other.call, in: state).contains {
                history.model.fingerprint(of: $0) == fingerprint
            }
        }
    }

    private static func insert(_ index: Int32, _ list: inout [Int32]) {
        list.insert(index, at: list.lastIndex { $0 < index }.map { $0 + 1 } ?? 0)
    }

    private static func isSubset(_ one: [Int32], of other: [Int32]) -> Bool {
        var place = 0
        for index in one {
            while place < other.count, other[place] < index { place += 1 }
            guard place < other.count, other[place] == index else { return false }
        }
        return true
    }
}
