/// A row of two reports.
///
/// Medians differ if they do by more than the noise: one and a half times the larger of both spreads (`Samples.spread`),
/// which is about two standard deviations of the difference of two medians of five rounds, and at least a twentieth, since
/// runs differ more than the rounds of one. Fewer than three rounds say nothing of noise; then three tenths are assumed.
struct RowComparison: Equatable, Sendable {
    enum Verdict: Sendable { case better, worse, same }

    /// What was compared.
    enum Subject: Sendable { case ratio, figure }

    var suite: String
    var name: String
    var unit: String
    var subject: Subject
    var before: Samples
    var after: Samples
    var isHigherBetter: Bool

    private static let spreads = 1.5
    private static let least = 0.05
    private static let unknown = 0.3

    /// The part by which the median is larger, 0.1 for a tenth; infinite if it was 0.
    var change: Double {
        guard before.median != after.median else { return 0 }
        guard before.median != 0 else { return after.median > 0 ? .infinity : -.infinity }
        return (after.median - before.median) / abs(before.median)
    }

    /// The part by which medians differ without a cause.
    var noise: Double {
        let known = [before, after].allSatisfy { $0.values.count >= 3 }
        let relative = [before, after].map { samples -> Double in
            guard let spread = samples.spread, samples.median != 0 else { return 0 }
            return spread / abs(samples.median)
        }
        return max(known ? Self.least : Self.unknown, Self.spreads * (relative.max() ?? 0))
    }

    var verdict: Verdict {
        guard abs(change) > noise else { return .same }
        return (change > 0) == isHigherBetter ? .better : .worse
    }

    /// The verdict in a word: "slower" for times and rates, "worse" for others.
    var word: String {
        let isSpeed = unit.hasSuffix("/s") || ["s", "ms", "µs", "ns"].contains(unit)
        return switch verdict {
        case .same: "same"
        case .better: isSpeed ? "faster" : "better"
        case .worse: isSpeed ? "slower" : "worse"
        }
    }
}
