/// The search for an order in which the calls of a history explain each other's answers.
///
/// A history is linearizable (Herlihy and Wing, "Linearizability: a correctness condition for concurrent objects", 1990)
/// when every call can be given one moment between its begin and its end, so that the calls in the order of these moments
/// are possible by the model. The search is that of Wing and Gong (1993) with Lowe's improvements ("Testing for
/// linearizability", 2017): the call that ends first is explained first, other calls that overlap with it are put before
/// it only when needed, and configurations that were visited are not visited again.
///
/// A call with an unknown answer is put at any place after its begin, or left out. Of two configurations that differ only
/// in the unknown calls that were used, the one that has used more of them is dropped: the other can do the same.
package struct Linearization<Model: SequentialModel> {
    package enum Verdict: Sendable, Equatable {
        case explained
        /// There is no such order. Has the end of the first call up to which none explains the history.
        case contradiction(Int64)
        /// The limit of steps was reached before either was known.
        case undecided
    }

    let model: Model
    /// With a known answer, in the order of their ends.
    let answered: [TimedCall<Model.Call>]
    /// With an unknown answer, in the order of their latest times.
    let open: [TimedCall<Model.Call>]
    /// For each answered call those that end later and begin before its end.
    let overlapping: [[Int32]]
    /// For each answered call the last begin of those that ended before.
    let floors: [Int64]
    /// Whether open calls may have taken effect only until some time.
    let hasLimits: Bool
    /// For each open call those before it that are the same.
    let twins: [[Int]]

    package init(_ model: Model, _ history: [TimedCall<Model.Call>]) {
        self.model = model
        answered = history.filter { $0.ended != nil }.sorted { ($0.ended ?? 0, $0.begun) < ($1.ended ?? 0, $1.begun) }
        open = history.filter { $0.ended == nil }.sorted { ($0.latest, $0.begun) < ($1.latest, $1.begun) }
        let ends = answered.map { $0.ended ?? 0 }
        var overlapping = [[Int32]](repeating: [], count: answered.count)
        for (index, call) in answered.enumerated() {
            var (first, last) = (0, index)
            while first < last {
                let middle = (first + last) / 2
                if ends[middle] < call.begun { first = middle + 1 } else { last = middle }
            }
            for other in first..<index { overlapping[other].append(Int32(index)) }
        }
        self.overlapping = overlapping
        var (floor, floors) = (Int64.min, [Int64]())
        for call in answered {
            floors.append(floor)
            floor = max(floor, call.begun)
        }
        self.floors = floors
        hasLimits = open.contains { $0.latest < .max }
        let groups = Dictionary(grouping: open.indices) { [open] in open[$0].call }
        twins = open.enumerated().map { index, call in (groups[call.call] ?? []).filter { $0 < index } }
    }

    /// Open calls are first tried only where they bring an answered call nearer, which finds the explanation of most
    /// histories that have one. Only if that finds none, others are tried, and in the end all.
    ///
    /// - Parameter steps: The limit of calls of the model; what is left of it afterwards.
    package func verdict(steps: inout Int) -> Verdict {
        for guide in [LinearizationSearch<Model>.Guide.near, .wide] {
            // What they do not find within their part of the steps, the next one may.
            var search = LinearizationSearch(self, steps: steps / 3, guide)
            let verdict = search.run()
            steps -= steps / 3 - search.steps
            if verdict == .explained { return verdict }
            if case .contradiction = verdict, !search.hasOmitted { return verdict }
        }
        var search = LinearizationSearch(self, steps: steps, .all)
        defer { steps = search.steps }
        return search.run()
    }
}
