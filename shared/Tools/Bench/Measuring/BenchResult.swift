import Values

/// One line of a benchmark: Madang's figure and its reference, both from the same run on the same machine.
struct BenchResult: Sendable, Equatable {
    /// The measured operation, such as "point select, 64 tasks".
    var name: String
    /// The unit of both figures, such as "queries/s", "µs", "MB".
    var unit: String
    /// Of each round, or one figure of a suite that measures once.
    var samples: Samples
    /// The reference; nil if nothing comparable exists.
    var yardstick: Yardstick?
    /// The goal; nil for information only.
    var goal: Goal?

    init(name: String, unit: String, ours: Double, yardstick: Yardstick? = nil, goal: Goal? = nil) {
        self.init(name: name, unit: unit, samples: Samples(ours), yardstick: yardstick, goal: goal)
    }

    /// - Parameter samples: In the order of rounds; the yardstick's are those of the same rounds.
    init(name: String, unit: String, samples: Samples, yardstick: Yardstick? = nil, goal: Goal? = nil) {
        (self.name, self.unit, self.samples) = (name, unit, samples)
        (self.yardstick, self.goal) = (yardstick, goal)
    }

    /// The median of the figures.
    var ours: Double { samples.median }

    /// Madang's figure divided by the reference, of each round; of the medians where rounds cannot be paired.
    var ratios: Samples? {
        yardstick.map { samples.divided(by: $0.samples) ?? Samples(ours / $0.value) }
    }

    /// The median of the ratios.
    var ratio: Double? { ratios?.median }

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

    /// Whether a larger figure is a better one: as the goal says, and without one whether it is a rate.
    var isHigherBetter: Bool {
        switch goal {
        case .ratioAtLeast, .atLeast: true
        case .ratioAtMost, .atMost: false
        case nil: unit.hasSuffix("/s")
        }
    }

    /// The middle one of the figures of several rounds; 0 without rounds.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    /// The figures of another implementation.
    struct Yardstick: Sendable, Equatable {
        /// The description, such as "pgbench -S -M prepared, 8 clients".
        var name: String
        var samples: Samples

        init(name: String, value: Double) { self.init(name: name, samples: Samples(value)) }
        init(name: String, samples: Samples) { (self.name, self.samples) = (name, samples) }

        /// The median of the figures.
        var value: Double { samples.median }
    }

    /// The bound of the figure or the ratio.
    enum Goal: Sendable, Equatable {
        case ratioAtLeast(Double)
        case ratioAtMost(Double)
        case atLeast(Double)
        case atMost(Double)

        /// Such as "≥ 1.20 ×".
        var text: String {
            switch self {
            case .ratioAtLeast(let bound): "≥ \(Figure.text(bound)) ×"
            case .ratioAtMost(let bound): "≤ \(Figure.text(bound)) ×"
            case .atLeast(let bound): "≥ \(Figure.text(bound))"
            case .atMost(let bound): "≤ \(Figure.text(bound))"
            }
        }
    }
}
