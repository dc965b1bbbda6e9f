/// One line of a benchmark: Madang's figure and its reference, both from the same run on the same machine.
struct BenchResult: Sendable {
    /// The measured operation, such as "point select, 64 tasks".
    var name: String
    /// The unit of both figures, such as "queries/s", "µs", "MB".
    var unit: String
    var ours: Double
    /// The reference; nil if nothing comparable exists.
    var yardstick: Yardstick?
    /// The goal; nil for information only.
    var goal: Goal?

    /// Madang's figure divided by the reference.
    var ratio: Double? { yardstick.map { ours / $0.value } }

    /// Whether the goal is reached; nil without one.
    var isReached: Bool? {
        switch goal {
        case .ratioAtLeast(let bound): (ratio ?? 0) >= bound
        case .ratioAtMost(let bound): (ratio ?? .infinity) <= bound
        case .atMost(let bound): ours <= bound
        case .atLeast(let bound): ours >= bound
        case nil: nil
        }
    }

    /// The middle one of the figures of several rounds; 0 without rounds.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    /// The figure of another implementation.
    struct Yardstick: Sendable {
        /// The description, such as "pgbench -S -M prepared, 8 clients".
        var name: String
        var value: Double
    }

    /// The bound of the figure or the ratio.
    enum Goal: Sendable {
        case ratioAtLeast(Double)
        case ratioAtMost(Double)
        case atLeast(Double)
        case atMost(Double)
    }
}
