import Values

/// The heavy faults of a run, one by one: those of `faults.json` after which nothing else may fail, and kills of gateways.
struct HeavyFaults {
    struct Row: Equatable {
        var title: String
        var target: String
        /// Seconds of the run.
        var begun: Double
        /// Seconds.
        var length: Double
        var state: String
        var outcome: String
        /// Seconds after its end until all requests were answered; nil if none was sent.
        var recovery: Double?
    }

    /// How many are listed.
    static let most = 100

    /// In the order of their beginnings, up to `most`.
    let rows: [Row]
    let count: Int

    init(_ report: ProofReport) {
        let heavy = report.faults.filter { Self.isHeavy($0, report.rules) }.sorted { $0.begun < $1.begun }
        count = heavy.count
        rows = heavy.prefix(Self.most).map { fault in
            let recovery = report.availability.recoveries.first {
                $0.fault.name == fault.name && $0.fault.begun == fault.begun
            }
            return Row(
                title: report.rules.title(of: fault.kind),
                target: "\(fault.target)",
                begun: AnswerTimeline.second(fault.begun, of: report),
                length: Double(fault.ended.microseconds - fault.begun.microseconds) / 1e6,
                state: "\(fault.state)",
                outcome: fault.outcome,
                recovery: recovery.flatMap { $0.asked > 0 ? Double($0.time) / 1e6 : nil }
            )
        }
    }

    private static func isHeavy(_ fault: AppliedFault, _ rules: FaultRules) -> Bool {
        rules[fault.kind].isHeavy || fault.kind == .kill && fault.target.name == "gateway"
    }

    /// How many are not listed, as a sentence; nil if all are.
    private var rest: String? { count > rows.count ? "\(count - rows.count) more heavy faults are not listed." : nil }

    // MARK: Reports

    /// A line each.
    var text: [String] {
        let lines = rows.map { row in
            let recovery = row.recovery.map { "answered again after \(Figure.text($0)) s" } ?? "no request after it"
            return "heavy fault at \(Plot.time(row.begun)), \(Figure.text(row.length)) s: \(row.title), \(row.target), "
                + "\(row.state): \(row.outcome) \(recovery)"
        }
        return lines + [rest].compactMap(\.self)
    }

    /// A table; empty without faults.
    var html: String {
        guard !rows.isEmpty else { return "" }
        let lines = rows.map { row in
            ReportPage.row(
                [
                    ReportPage.text(row.title), ReportPage.text(row.target), row.state, ReportPage.text(row.outcome),
                    Plot.time(row.begun), "\(Figure.text(row.length)) s",
                    row.recovery.map { "\(Figure.text($0)) s" } ?? "–",
                ],
                numbers: 4,
                isBad: row.state == "failed"
            )
        }
        let head = ["What", "Target", "State", "Outcome", "Begun at", "Took", "Answered again after"]
        return "<h2>Heavy faults</h2>\(ReportPage.table(head, lines))\(rest.map { "<p>\($0)</p>" } ?? "")"
    }
}
