/// Results as lines for people: figures aligned, ratios printed, goals marked.
struct BenchTable {
    var results: [BenchResult]

    /// One line of figures per result, and below it what it was compared with.
    var lines: [String] {
        let width = results.map(\.name.count).max() ?? 0
        return results.flatMap { result -> [String] in
            let mark = result.isReached.map { $0 ? "✓" : "✗" } ?? " "
            let ratio = result.ratio.map { "  \(Self.figure($0)) ×" } ?? ""
            let goal = result.goal.map { "  (\(Self.sentence($0)))" } ?? ""
            let name = result.name + String(repeating: " ", count: width - result.name.count)
            let own = "  \(mark) \(name)  \(Self.figure(result.ours)) \(result.unit)\(ratio)\(goal)"
            guard let yardstick = result.yardstick else { return [own] }
            return [own, "      beside \(Self.figure(yardstick.value)) of \(yardstick.name)"]
        }
    }

    private static func sentence(_ goal: BenchResult.Goal) -> String {
        switch goal {
        case .ratioAtLeast(let bound): "to reach: ≥ \(figure(bound)) ×"
        case .ratioAtMost(let bound): "to reach: ≤ \(figure(bound)) ×"
        case .atLeast(let bound): "to reach: ≥ \(figure(bound))"
        case .atMost(let bound): "to reach: ≤ \(figure(bound))"
        }
    }

    /// Three significant digits below a thousand, whole numbers in groups of three above: 0.0123, 1.52, 45.1, 104,512.
    static func figure(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        guard abs(value) < 1000 else { return grouped(Int(value.rounded())) }
        var digits = 2
        var magnitude = abs(value)
        while magnitude >= 10, digits > 0 {
            magnitude /= 10
            digits -= 1
        }
        while magnitude > 0, magnitude < 1, digits < 6 {
            magnitude *= 10
            digits += 1
        }
        return fixed(value, digits: digits)
    }

    private static func fixed(_ value: Double, digits: Int) -> String {
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((abs(value) * Double(scale)).rounded())
        let sign = value < 0 ? "-" : ""
        guard digits > 0 else { return sign + String(scaled) }
        let fraction = String(scaled % scale)
        return "\(sign)\(scaled / scale).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
    }

    private static func grouped(_ value: Int) -> String {
        var text = ""
        for (index, digit) in String(abs(value)).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (value < 0 ? "-" : "") + String(text.reversed())
    }
}
