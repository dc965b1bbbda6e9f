/// One line of a bench: our figure beside its yardstick, both from the same run on the same machine.
struct BenchResult: Sendable {
    /// What was done, as in "point select, 64 tasks".
    var name: String
    /// What both figures count, as in "queries/s", "µs", "MB".
    var unit: String
    var ours: Double
    /// What ours is compared with; nil where nothing comparable exists.
    var yardstick: Yardstick?
    /// What is to be reached; nil where the line only informs.
    var goal: Goal?

    /// Ours divided by the yardstick's.
    var ratio: Double? { yardstick.map { ours / $0.value } }

    /// Whether the goal is met; nil without one.
    var isReached: Bool? {
        switch goal {
        case .ratioAtLeast(let bound): (ratio ?? 0) >= bound
        case .ratioAtMost(let bound): (ratio ?? .infinity) <= bound
        case .atMost(let bound): ours <= bound
        case .atLeast(let bound): ours >= bound
        case nil: nil
        }
    }

    /// Somebody else's way to do the same.
    struct Yardstick: Sendable {
        /// As in "pgbench -S -M prepared, 8 clients".
        var name: String
        var value: Double
    }

    /// Where the line is.
    enum Goal: Sendable {
        case ratioAtLeast(Double)
        case ratioAtMost(Double)
        case atLeast(Double)
        case atMost(Double)
    }
}
