package import Contracts

/// The results of a run as text: a table per app, the deviations, and sums.
package struct ConformanceReport: Sendable {
    package private(set) var apps: [(app: App, results: [CallResult])] = []

    package init() {}

    package mutating func add(_ app: App, _ results: [CallResult]) { apps.append((app, results)) }

    private var all: [CallResult] { apps.flatMap(\.results) }

    package var deviations: Int { all.reduce(0) { $0 + $1.deviations.count } }

    /// "SeatCatcher: 43 of 45 calls conform, 1 deviates, 1 was not asked".
    package static func sum(_ name: String, _ results: [CallResult]) -> String {
        let counts = Dictionary(grouping: results, by: \.verdict).mapValues(\.count)
        let conform = "\(name): \(counts[.conforms, default: 0]) of \(results.count) calls conform"
        let (deviate, unasked) = (counts[.deviates, default: 0], counts[.unasked, default: 0])
        return "\(conform), \(deviate) \(deviate == 1 ? "deviates" : "deviate"), \(unasked) not asked"
    }

    /// The table of an app: call → how it was checked → result.
    package static func table(_ results: [CallResult]) -> [String] {
        let rows = results.map { result in
            (mark(result.verdict), result.call.name, result.verdict == .unasked ? result.reason ?? "" : result.how)
        }
        let width = min(rows.map(\.1.count).max() ?? 0, 72)
        return zip(rows, results).flatMap { row, result in
            let padding = String(repeating: " ", count: max(0, width - row.1.count))
            return ["  \(row.0) \(row.1)\(padding)  \(row.2)"]
                + result.deviations.map { "      \($0.check): \($0.deviation)" }
        }
    }

    private static func mark(_ verdict: CallResult.Verdict) -> String {
        switch verdict {
        case .conforms: "✓"
        case .deviates: "✗"
        case .unasked: "–"
        }
    }

    /// Everything, for a file.
    package func text(of url: String) -> String {
        var lines = ["Conformance of \(url)", ""]
        for (app, results) in apps {
            lines += [Self.sum(app.rawValue, results), ""] + Self.table(results) + [""]
        }
        lines.append(Self.sum("all", all))
        lines.append("\(all.reduce(0) { $0 + $1.checks.count }) checks, \(deviations) deviations")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The last lines of the output.
    package var sums: [String] {
        apps.map { Self.sum($0.app.rawValue, $0.results) } + [
            Self.sum("all", all), "\(all.reduce(0) { $0 + $1.checks.count }) checks, \(deviations) deviations",
        ]
    }
}
