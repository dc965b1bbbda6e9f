extension Simulation {
    /// Looks for a broken promise with a short story.
    ///
    /// - Parameters:
    ///   - steps: Of each run.
    ///   - lines: The length of a trace that is short enough.
    ///   - limit: The number of runs that are shrunk at most.
    /// - Returns: The shrunk run with the shortest trace; nil when all runs keep their promises.
    package func counterexample(
        seeds: ClosedRange<UInt64>,
        steps: Int,
        lines: Int = 20,
        limit: Int = 10
    ) -> SimulationRun<Model>? {
        var shortest: SimulationRun<Model>?
        var count = 0
        for seed in seeds where count < limit {
            let run = run(seed: seed, steps: steps)
            guard run.broken != nil else { continue }
            count += 1
            let shrunk = shrink(run)
            if shrunk.trace.count < shortest?.trace.count ?? .max { shortest = shrunk }
            if shrunk.trace.count <= lines { break }
        }
        return shortest
    }

    /// Finds a run with few happenings that breaks the same promise: one from which none can be left out, and in which
    /// they follow each other closely.
    ///
    /// The seed is kept for everything else at first. Then some others are tried, too: with few happenings, most of what
    /// the seed has decided does not matter.
    ///
    /// - Parameter run: A run that has broken a promise.
    package func shrink(_ run: SimulationRun<Model>) -> SimulationRun<Model> {
        guard let broken = run.broken else { return run }
        var smallest = run
        func breaks(_ happenings: [Happening<Model>], _ seeds: [UInt64]) -> Bool {
            for seed in seeds {
                let other = replay(happenings, seed: seed, isTraced: false)
                guard other.broken?.promise == broken.promise else { continue }
                smallest = other
                return true
            }
            return false
        }
        _ = minimize(run.happenings) { breaks($0, [run.seed]) }
        if smallest.happenings.count > 4 {
            _ = minimize(smallest.happenings) { breaks($0, [run.seed] + Array(1...12)) }
        }
        for index in smallest.happenings.indices {
            pullForward(index, smallest.happenings) { breaks($0, [smallest.seed]) }
        }
        let others = ([smallest.seed] + Array(1...32)).lazy.map { replay(smallest.happenings, seed: $0) }
            .filter { $0.broken?.promise == broken.promise }
        return others.min { $0.trace.count < $1.trace.count } ?? smallest
    }

    /// Tries shorter pauses before a happening.
    private func pullForward(_ index: Int, _ list: [Happening<Model>], _ breaks: ([Happening<Model>]) -> Bool) {
        let pause = list[index].instant - (index > 0 ? list[index - 1].instant : 0)
        for shorter in [0, 1, 10, 100, 1_000, 10_000, 60_000] as [Int64] where shorter < pause {
            var candidate = list
            for later in index..<list.count { candidate[later].instant -= pause - shorter }
            if breaks(candidate) { return }
        }
    }
}

/// Leaves out elements as long as the rest still fails: delta debugging (Zeller and Hildebrandt, "Simplifying and isolating
/// failure-inducing input", 2002), in sweeps over ever smaller parts.
///
/// - Parameters:
///   - list: Elements that fail together.
///   - fails: Whether a part of them does.
/// - Returns: A part that fails, of which no single element can be left out.
package func minimize<Element>(_ list: [Element], _ fails: ([Element]) -> Bool) -> [Element] {
    var list = list
    var size = list.count
    while size > 0 {
        let count = list.count
        var start = 0
        while start < list.count {
            let rest = Array(list[..<start] + list[min(start + size, list.count)...])
            if fails(rest) { list = rest } else { start += size }
        }
        // Single elements are tried again until all of them are needed.
        if size > 1 { size /= 2 } else if list.count == count { size = 0 }
    }
    return list
}
