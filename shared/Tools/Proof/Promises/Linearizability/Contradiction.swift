/// The part of a history that no order explains.
enum Contradiction {
    /// The calls that contradict each other, whatever the others did.
    ///
    /// Calls that begin after the end of the first inexplicable call are left out. Then more and more of the others are
    /// weakened: a reading is left out, and a change may have happened at any time of its call or not at all. Whatever
    /// is still inexplicable follows from the rest alone.
    ///
    /// - Parameters:
    ///   - end: Of the first inexplicable call.
    ///   - steps: The limit of calls of the model; with more of them the result may be smaller.
    /// - Returns: Indices of the history, ascending.
    static func core<Model: SequentialModel>(
        of history: [TimedCall<Model.Call>],
        _ model: Model,
        end: Int64,
        steps: Int
    ) -> [Int] {
        var steps = steps
        let calls = history.enumerated().filter { $0.element.begun <= end }
        var strict = Set(calls.filter { $0.element.ended.map { $0 <= end } ?? false }.map(\.offset))

        func isContradictory(without weakened: Set<Int>) -> Bool {
            let rest: [TimedCall<Model.Call>] = calls.compactMap { index, call in
                if strict.contains(index), !weakened.contains(index) { return call }
                if model.isReading(call.call) { return nil }
                return TimedCall(call.call, begun: call.begun, ended: nil, latest: min(call.latest, call.ended ?? .max))
            }
            var share = min(steps, 100_000)
            let given = share
            let verdict = Linearization(model, rest).verdict(steps: &share)
            steps -= given - share + rest.count
            if case .contradiction = verdict { return true }
            return false
        }

        var size = max(strict.count / 2, 1)
        while steps > 0 {
            var remaining = strict.sorted()
            let before = strict.count
            while !remaining.isEmpty, steps > 0 {
                let part = Set(remaining.prefix(size))
                remaining.removeFirst(part.count)
                if isContradictory(without: part) { strict.subtract(part) }
            }
            if size == 1, strict.count == before { break }
            size = max(size / 2, 1)
        }
        return strict.sorted()
    }
}
