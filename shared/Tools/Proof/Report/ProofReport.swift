import Values

/// What a run has shown.
package struct ProofReport: Sendable {
    package var seed: UInt64
    package var length: Duration
    package var phones: Int
    package var acts: Int
    package var faults: [AppliedFault]
    /// When the phones began to play.
    package var start: Moment
    package var answers: [RouteAnswer]
    package var findings: [Finding]
    package var availability: Availability
    package var rules: FaultRules
    /// Why the promises were not checked; nil if they were.
    package var unchecked: String?

    /// Whether every promise is known to be kept.
    package var isKept: Bool { unchecked == nil && findings.allSatisfy(\.isKept) }

    /// The report as lines of text.
    package var text: [String] {
        let applied = faults.filter { $0.state != .skipped }
        let kinds = Set(applied.map(\.kind))
        var lines = [
            "seed \(seed): \(acts.grouped) acts of \(phones.grouped) phones in \(length), "
                + "\(applied.count) faults of \(kinds.count) kinds",
            "",
        ]
        for finding in findings {
            lines.append("\(finding.isKept ? "✓" : "✗") \(finding.promise) Checked \(finding.checked.grouped) times.")
            for violation in finding.violations.prefix(3) {
                lines.append("    \(violation.sentence)")
                lines += violation.story.map { step in
                    "      \(step.at)  \(step.phone): \(step.what)\(step.trace.map { "  [\($0)]" } ?? "")"
                }
            }
            if finding.violations.count > 3 { lines.append("    … and \(finding.violations.count - 3) more") }
            lines += finding.undecided.prefix(3).map { "    not decided: \($0)" }
        }
        if let unchecked { lines.append("✗ The promises were \(unchecked).") }
        lines.append("")
        for share in availability.shares {
            lines.append(
                "\(share.kind): \(Figure.text(share.share * 100)) % of \(share.asked.grouped) requests answered, "
                    + "\(share.duringFaults.grouped) more while something of it failed"
            )
        }
        let (prompt, asked) = availability.prompt
        lines.append("after \(prompt.grouped) of \(asked.grouped) faults every request was answered from 2 s on")
        lines += availability.slowestRecoveries.prefix(5).map { recovery in
            "slow recovery: \(recovery.kind) \(Figure.text(Double(recovery.time) / 1e6)) s after \(recovery.fault.name), "
                + "then \(recovery.last?.failure ?? "")"
        }
        return lines + HeavyFaults(self).text
    }
}
