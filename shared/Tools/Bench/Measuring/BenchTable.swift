import StackKit
import Values

/// Formats results as a table: aligned figures, ratios and goals.
///
/// A figure of several rounds is its median, with its minimum and its spread (`Samples.spread`) in brackets.
struct BenchTable {
    var results: [BenchResult]

    /// One line of figures per result, followed by its reference.
    var lines: [String] {
        let width = results.map(\.name.count).max() ?? 0
        return results.flatMap { result -> [String] in
            let mark = result.isReached.map { $0 ? "✓" : "✗" } ?? " "
            let ratio = result.ratios.map { "  \(Self.ratio($0))" } ?? ""
            let goal = result.goal.map { "  (to reach: \($0.text))" } ?? ""
            let name = result.name + String(repeating: " ", count: width - result.name.count)
            let own = "  \(mark) \(name)  \(Self.figure(result.samples, " \(result.unit)"))\(ratio)\(goal)"
            guard let yardstick = result.yardstick else { return [own] }
            return [own, "      beside \(Self.figure(yardstick.samples)) of \(yardstick.name)"]
        }
    }

    private static func figure(_ samples: Samples, _ unit: String = "") -> String {
        guard let spread = samples.spread else { return Figure.text(samples.median) + unit }
        let more = "minimum \(Figure.text(samples.minimum)), spread \(Figure.text(spread))"
        return "\(Figure.text(samples.median))\(unit) [\(more)]"
    }

    private static func ratio(_ samples: Samples) -> String {
        let spread = samples.spread.map { " [spread \(Figure.text($0))]" } ?? ""
        return "\(Figure.text(samples.median)) ×\(spread)"
    }
}
