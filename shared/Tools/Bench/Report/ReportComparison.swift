import StackKit
import Values

/// Two reports, row by row: the ratios to yardsticks where both have one, so that a slow day of the machine does not
/// count, and the figures themselves of other rows. Of different machines only ratios are compared.
struct ReportComparison: Sendable {
    private(set) var rows: [RowComparison] = []
    /// The names of rows that only one of both has, or that cannot be compared.
    private(set) var left: [String] = []
    private let areLike: Bool
    private let origins: [String]

    /// - Throws: `StackError` if there is nothing to compare.
    init(_ before: BenchReport, _ after: BenchReport) throws {
        areLike = before.machine.isLike(after.machine)
        origins = ["before: \(before.origin)", "after:  \(after.origin)"]
        let old = Self.rows(of: before)
        var others = Dictionary(Self.rows(of: after).map { ($0.key, $0.row) }) { first, _ in first }
        for (key, row) in old {
            guard let other = others.removeValue(forKey: key), let rows = compare(key, row, other) else {
                left.append(key.text)
                continue
            }
            self.rows.append(rows)
        }
        left += others.keys.map(\.text).sorted()
        guard !rows.isEmpty else {
            throw StackError(
                areLike
                    ? "the reports have no row in common"
                    : "the reports are of different machines, and have no row with a yardstick in common"
            )
        }
    }

    private struct Key: Hashable {
        var suite: String
        var name: String
        var text: String { "\(suite): \(name)" }
    }

    private static func rows(of report: BenchReport) -> [(key: Key, row: BenchReport.Row)] {
        report.suites.flatMap { suite in suite.rows.map { (Key(suite: suite.name, name: $0.name), $0) } }
    }

    private func compare(_ key: Key, _ before: BenchReport.Row, _ after: BenchReport.Row) -> RowComparison? {
        let ratios =
            Self.haveSameYardstick(before, after) ? before.ratio.flatMap { old in after.ratio.map { (old, $0) } } : nil
        guard before.unit == after.unit, ratios != nil || areLike else { return nil }
        let (old, new) = ratios ?? (before.samples, after.samples)
        guard !old.values.isEmpty, !new.values.isEmpty else { return nil }
        return RowComparison(
            suite: key.suite,
            name: key.name,
            unit: after.unit,
            subject: ratios == nil ? .figure : .ratio,
            before: old,
            after: new,
            isHigherBetter: after.isHigherBetter
        )
    }

    /// Whether both were measured beside the same; what the name has in brackets at its end, such as the best number of
    /// clients, may differ.
    private static func haveSameYardstick(_ before: BenchReport.Row, _ after: BenchReport.Row) -> Bool {
        let names = [before, after].map { row -> Substring? in
            guard let name = row.yardstick?.name else { return nil }
            return name.hasSuffix(")") ? name[..<(name.lastIndex(of: "(") ?? name.endIndex)] : name[...]
        }
        return names[0] != nil && names[0] == names[1]
    }

    /// The comparison as text.
    var lines: [String] {
        var lines = origins
        if !areLike { lines.append("These are different machines: only ratios to yardsticks are compared.") }
        var suite = ""
        for row in rows {
            if row.suite != suite { lines += ["", row.suite] }
            suite = row.suite
            lines.append(Self.line(row))
        }
        lines += ["", verdict]
        if !left.isEmpty { lines += ["Not compared:"] + left.map { "  \($0)" } }
        return lines
    }

    private static func line(_ row: RowComparison) -> String {
        let word = row.word + String(repeating: " ", count: 6 - row.word.count)
        let unit = row.subject == .ratio ? " ×" : row.unit.isEmpty ? "" : " \(row.unit)"
        let figures = "\(Figure.text(row.before.median)) → \(Figure.text(row.after.median))\(unit)"
        return "  \(word)  \(row.name): \(figures) (\(percent(row.change, signed: true)), noise \(percent(row.noise)))"
    }

    private static func percent(_ part: Double, signed: Bool = false) -> String {
        part.isFinite ? "\(signed && part > 0 ? "+" : "")\((part * 1000).rounded() / 10) %" : "from 0"
    }

    private var verdict: String {
        let words = ["slower", "worse", "faster", "better", "same"]
        let counts = words.compactMap { word in
            let count = rows.count { $0.word == word }
            return count == 0 ? nil : "\(count) \(word)"
        }
        return "\(rows.count == 1 ? "1 row" : "\(rows.count) rows"): \(counts.joined(separator: ", "))."
    }
}
