/// One run of the search, depth first, with the stack in an array: histories are longer than a thread's stack is deep.
///
/// Of orders that lead to the same state only one is explored. A call is put before the one that ends first, or before
/// readings, only if these need it; of two such calls that commute the first in the order of the history comes first.
struct LinearizationSearch<Model: SequentialModel> {
    /// Which calls are tried before the one that ends first.
    enum Guide {
        /// Those that bring an answered call nearer, and up to two answered or hidden ones that do not.
        case near
        /// Those that bring an answered call nearer, and up to two others.
        case wide
        case all
    }

    private let history: Linearization<Model>
    private let guide: Guide
    /// Whether a call was not tried.
    private(set) var hasOmitted = false
    private var model: Model { history.model }
    private(set) var steps: Int
    /// Configurations to explore, the most promising last.
    private var stack: [Configuration] = []
    /// The open calls that were used in visited configurations.
    private var visited: [Visit: [[Int32]]] = [:]
    private var deepest = 0

    /// How far a history has been explained.
    private struct Configuration {
        var state: Model.State
        /// The number of answered calls, in the order of their ends, that are all explained.
        var count = 0
        /// Explained calls after them, ascending.
        var ahead: [Int32] = []
        /// Open calls that have taken effect, ascending.
        var used: [Int32] = []
        /// The calls that were put before the one that ends first, or before readings, in their order.
        var block: [Move] = []
        /// The state before them.
        var base: Model.State
        /// How many of them have brought no answered call nearer.
        var detours = 0
    }

    /// A call that changes the state: its index among the answered ones, or the open ones.
    private struct Move: Equatable {
        var index: Int32
        var isOpen: Bool

        func precedes(_ other: Move) -> Bool {
            isOpen == other.isOpen ? index < other.index : other.isOpen
        }
    }

    private struct Visit: Hashable {
        var count: Int
        var fingerprint: Fingerprint
    }

    init(_ history: Linearization<Model>, steps: Int, _ guide: Guide) {
        (self.history, self.steps, self.guide) = (history, steps, guide)
    }

    mutating func run() -> Linearization<Model>.Verdict {
        stack = [Configuration(state: model.initial, base: model.initial)]
        while var configuration = stack.popLast() {
            let isNeeded = explainReadings(&configuration)
            deepest = max(deepest, configuration.count)
            if configuration.count == history.answered.count { return .explained }
            guard steps > 0 else { return .undecided }
            if isNeeded, isNew(configuration) { branch(configuration) }
        }
        return .contradiction(history.answered[deepest].ended ?? 0)
    }

    /// Explains the readings that the state allows, unless open calls could then not stand before them: they can stand
    /// nowhere better. Then moves to the first call that is not explained.
    ///
    /// - Returns: Whether they need each of the calls that were put before them.
    private mutating func explainReadings(_ configuration: inout Configuration) -> Bool {
        var explained: [Int32] = []
        while true {
            while configuration.ahead.first == Int32(configuration.count) {
                configuration.ahead.removeFirst()
                configuration.count += 1
            }
            guard configuration.count < history.answered.count, steps > 0 else { return true }
            let first = configuration.count
            for index in history.overlapping[first] + [Int32(first)] where !configuration.ahead.contains(index) {
                let call = history.answered[Int(index)]
                guard model.isReading(call.call), !limitsOpenCalls(call, configuration) else { continue }
                steps -= 1
                if !model.states(after: call.call, in: configuration.state).isEmpty {
                    Self.insert(index, &configuration.ahead)
                    explained.append(index)
                }
            }
            if configuration.ahead.first != Int32(first) { break }
        }
        if !explained.isEmpty {
            if hasNeedlessCall(configuration, explained) { return false }
            (configuration.block, configuration.detours) = ([], 0)
        }
        model.reduce(&configuration.state, before: history.answered[configuration.count].ended ?? 0)
        if configuration.block.isEmpty { configuration.base = configuration.state }
        return true
    }

    /// Whether no configuration was visited that can be continued in at least the same ways.
    private mutating func isNew(_ configuration: Configuration) -> Bool {
        var fingerprint = model.fingerprint(of: configuration.state)
        for index in configuration.ahead { fingerprint.toggle(Int(index), at: -1) }
        let visit = Visit(count: configuration.count, fingerprint: fingerprint)
        let known = visited[visit] ?? []
        if known.contains(where: { Self.isSubset($0, of: configuration.used) }) { return false }
        visited[visit, default: []].append(configuration.used)
        return true
    }

    /// Puts the configurations with one more call on the stack: the call that ends first is tried first, then the others
    /// by how near they bring it, and open calls last among equals.
    private mutating func branch(_ configuration: Configuration) {
        let first = configuration.count
        let call = history.answered[first].call
        let available = history.overlapping[first].filter { !configuration.ahead.contains($0) }
        var next = put(call, Int32(first), on: configuration)
        var others: [Configuration] = []
        let distances = distances(to: [Int32(first)] + available, from: configuration.state)
        for index in available {
            let call = history.answered[Int(index)].call
            if model.isReading(call) {
                next += put(call, index, on: configuration)
            } else {
                others += put(before: call, Move(index: index, isOpen: false), on: configuration, distances)
            }
        }
        let (end, floor) = (history.answered[first].ended ?? 0, floor(of: configuration))
        for (index, call) in history.open.enumerated() {
            guard call.begun <= end, call.latest >= floor, !configuration.used.contains(Int32(index)) else { continue }
            // Of calls that are the same, the one that is over first is used first.
            let hasEarlierTwin = history.twins[index].contains { twin in
                let other = history.open[twin]
                return other.begun <= end && other.latest >= floor && !configuration.used.contains(Int32(twin))
            }
            if hasEarlierTwin { continue }
            others += put(before: call.call, Move(index: Int32(index), isOpen: true), on: configuration, distances)
        }
        let ranked = others.map { ($0, model.distance(to: call, from: $0.state)) }
        next += ranked.sorted { $0.1 < $1.1 }.map(\.0)
        stack += next.reversed()
    }

    /// The calls that are not possible yet.
    private func distances(to calls: [Int32], from state: Model.State) -> [(call: Model.Call, distance: Int)] {
        guard guide != .all else { return [] }
        return calls.compactMap { index in
            let call = history.answered[Int(index)].call
            let distance = model.distance(to: call, from: state)
            return distance > 0 ? (call, distance) : nil
        }
    }

    /// Puts the call that ends first, or a reading.
    private mutating func put(_ call: Model.Call, _ index: Int32, on configuration: Configuration) -> [Configuration] {
        steps -= 1
        return model.states(after: call, in: configuration.state).compactMap { state in
            var after = configuration
            after.state = state
            Self.insert(index, &after.ahead)
            if hasNeedlessCall(after, [index]) { return nil }
            (after.block, after.base, after.detours) = ([], state, 0)
            return after
        }
    }

    /// Puts a call before the one that ends first.
    private mutating func put(
        before call: Model.Call,
        _ move: Move,
        on configuration: Configuration,
        _ distances: [(call: Model.Call, distance: Int)]
    ) -> [Configuration] {
        steps -= 1
        let before = model.fingerprint(of: configuration.state)
        return model.states(after: call, in: configuration.state).compactMap { state in
            if move.isOpen, model.fingerprint(of: state) == before { return nil }
            var after = configuration
            after.state = state
            if move.isOpen { Self.insert(move.index, &after.used) } else { Self.insert(move.index, &after.ahead) }
            if guide != .all, !distances.contains(where: { model.distance(to: $0.call, from: state) < $0.distance }) {
                after.detours += 1
                guard after.detours <= 2, guide == .wide || !move.isOpen || model.isHidden(call) else {
                    hasOmitted = true
                    return nil
                }
            }
            if replaces(move, in: configuration, to: state) { return nil }
            after.block.append(move)
            return after
        }
    }

    /// Whether a call makes an open one before it needless, or could stand before the one that was put last.
    private mutating func replaces(_ move: Move, in configuration: Configuration, to state: Model.State) -> Bool {
        let fingerprint = model.fingerprint(of: state)
        return configuration.block.contains { other in
            let isLast = other == configuration.block.last && move.precedes(other) && isInTime(other, after: move)
            guard isLast || other.isOpen else { return false }
            let without = states(after: configuration.block.filter { $0 != other } + [move], in: configuration.base)
            return without.contains { state in
                if other.isOpen, model.fingerprint(of: state) == fingerprint { return true }
                return isLast
                    && states(after: [other], in: state).contains { model.fingerprint(of: $0) == fingerprint }
            }
        }
    }

    private func isInTime(_ call: Move, after other: Move) -> Bool {
        !call.isOpen || other.isOpen
            || history.open[Int(call.index)].latest >= history.answered[Int(other.index)].begun
    }

    /// Whether one of the calls in the block is not needed by those that follow it now: it could stand after them, or be
    /// left out.
    private mutating func hasNeedlessCall(_ configuration: Configuration, _ following: [Int32]) -> Bool {
        guard !configuration.block.isEmpty else { return false }
        let floor = floor(of: configuration)
        let fingerprint = model.fingerprint(of: configuration.state)
        return configuration.block.contains { needless in
            if needless.isOpen, history.open[Int(needless.index)].latest < floor { return false }
            let rest = configuration.block.filter { $0 != needless } + following.map { Move(index: $0, isOpen: false) }
            return states(after: rest, in: configuration.base).contains { state in
                if needless.isOpen, model.fingerprint(of: state) == fingerprint { return true }
                return states(after: [needless], in: state).contains { model.fingerprint(of: $0) == fingerprint }
            }
        }
    }

    private mutating func states(after moves: [Move], in state: Model.State) -> [Model.State] {
        var states = [state]
        for move in moves {
            steps -= 1
            let call = move.isOpen ? history.open[Int(move.index)].call : history.answered[Int(move.index)].call
            states = states.flatMap { model.states(after: call, in: $0) }
        }
        return states
    }

    /// The last begin of the answered calls that were put: open calls can stand after them only if they may have taken
    /// effect as late.
    private func floor(of configuration: Configuration) -> Int64 {
        configuration.ahead.reduce(history.floors[configuration.count]) { max($0, history.answered[Int($1)].begun) }
    }

    /// Whether some open call can stand before a reading, but not after it.
    private func limitsOpenCalls(_ reading: TimedCall<Model.Call>, _ configuration: Configuration) -> Bool {
        guard history.hasLimits else { return false }
        let (end, floor) = (history.answered[configuration.count].ended ?? 0, floor(of: configuration))
        return history.open.enumerated().contains { index, call in
            call.begun <= end && floor <= call.latest && call.latest < reading.begun
                && !configuration.used.contains(Int32(index))
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
