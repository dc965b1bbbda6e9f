import StackKit
import Values

/// Formats results as a table: aligned figures, ratios and goals.
struct BenchTable {
    var results: [BenchResult]

    /// One line of figures per result, followed by its reference.
    var lines: [String] {
        let width = results.map(\.name.count).max() ?? 0
        return results.flatMap { result -> [String] in
            let mark = result.isReached.map { $0 ? "✓" : "✗" } ?? " "
            let ratio = result.ratio.map { "  \(Figure.text($0)) ×" } ?? ""
            let goal = result.goal.map { "  (\(Self.sentence($0)))" } ?? ""
            let name = result.name + String(repeating: " ", count: width - result.name.count)
            let own = "  \(mark) \(name)  \(Figure.text(result.ours)) \(result.unit)\(ratio)\(goal)"
            guard let yardstick = result.yardstick else { return [own] }
            return [own, "      beside \(Figure.text(yardstick.value)) of \(yardstick.name)"]
        }
    }

    private static func sentence(_ goal: BenchResult.Goal) -> String {
        switch goal {
        case .ratioAtLeast(let bound): "to reach: ≥ \(Figure.text(bound)) ×"
        case .ratioAtMost(let bound): "to reach: ≤ \(Figure.text(bound)) ×"
        case .atLeast(let bound): "to reach: ≥ \(Figure.text(bound))"
        case .atMost(let bound): "to reach: ≤ \(Figure.text(bound))"
        }
    }
}
