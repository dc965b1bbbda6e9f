import Contracts
import ServiceKit
import Values

/// The report of a run as a page of HTML that needs no other file.
package struct ProofPage {
    private let report: ProofReport
    /// What the run was made of, such as the commit.
    private let subject: String

    /// Seconds of the run and after it.
    private var seconds: Int { max(1, Int(report.length / .seconds(1))) }

    private static let (width, height, row) = (1000.0, 120.0, 14.0)

    package init(_ report: ProofReport, of subject: String) { (self.report, self.subject) = (report, subject) }

    package var html: String {
        """
        <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Proof, seed \(report.seed)</title>
        <meta name="viewport" content="width=device-width"><style>\(Self.style)</style></head><body>
        <h1>\(report.isKept ? "Every promise was kept" : "A promise was not kept, or is not known to be")</h1>
        <p>\(escaped(subject)): seed \(report.seed), \(report.acts.grouped) acts of \(report.phones.grouped) phones in \
        \(report.length), \(applied.count) faults of \(Set(applied.map(\.kind)).count) kinds.</p>
        <h2>Promises</h2><table><tbody>\(report.findings.map(row).joined())</tbody></table>
        \(report.findings.flatMap(stories).joined())
        <h2>Faults, and requests that were not answered</h2>\(timeline)
        <h2>Answers while nothing of the service failed</h2><table><thead><tr><th>Service<th>Answered<th>Of<th>During faults\
        </tr></thead><tbody>\(report.availability.shares.map(row).joined())</tbody></table>
        <h2>Faults by kind</h2><table><thead><tr><th>What<th>Applied<th>Skipped<th>Failed</tr></thead>\
        <tbody>\(kinds.map(row).joined())</tbody></table></body></html>
        """
    }

    private var applied: [AppliedFault] { report.faults.filter { $0.state != .skipped } }
    private var kinds: [FaultKind] { FaultKind.allCases.filter { kind in report.faults.contains { $0.kind == kind } } }

    private func escaped(_ text: String) -> String { HTMLText.escaped(text) }

    // MARK: Tables

    private func row(_ finding: Finding) -> String {
        let state = finding.isKept ? "kept" : finding.violations.isEmpty ? "not decided" : "broken"
        return """
            <tr class="\(finding.isKept ? "" : "bad")"><td>\(escaped(finding.promise))<td>\(state)\
            <td class="n">checked \(finding.checked.grouped) times</tr>
            """
    }

    private func stories(_ finding: Finding) -> [String] {
        finding.violations.prefix(10).map { violation in
            let steps = violation.story.map { step in
                let trace = step.trace.map { " <code>\(escaped($0))</code>" } ?? ""
                return "<li>\(step.at) <b>\(escaped(step.phone))</b> \(escaped(step.what))\(trace)</li>"
            }
            return "<h3>\(escaped(violation.sentence))</h3><ol>\(steps.joined())</ol>"
        }
    }

    private func row(_ share: Availability.Share) -> String {
        """
        <tr><td>\(escaped(share.kind))<td class="n">\(Figure.text(share.share * 100)) %<td class="n">\(share.asked.grouped)\
        <td class="n">\(share.duringFaults.grouped)</tr>
        """
    }

    private func row(_ kind: FaultKind) -> String {
        let faults = report.faults.filter { $0.kind == kind }
        func count(_ state: AppliedFault.State) -> Int { faults.count { $0.state == state } }
        return """
            <tr><td>\(escaped(report.rules.title(of: kind)))<td class="n">\(count(.applied))<td class="n">\(count(.skipped))\
            <td class="n">\(count(.failed))</tr>
            """
    }

    // MARK: Time line

    /// Bars of the requests of each second, the unanswered ones above, and below a line for each kind of fault.
    private var timeline: String {
        let (asked, failed) = counts
        let most = Double(max(asked.max() ?? 1, 1))
        let bar = Self.width / Double(seconds)
        let bars = asked.indices.map { second in
            let (all, bad) = (Double(asked[second]) / most * Self.height, Double(failed[second]) / most * Self.height)
            return rect("all", Double(second) * bar, Self.height - all, bar, all - bad)
                + rect("lost", Double(second) * bar, Self.height - all, bar, bad)
        }
        let lines = kinds.enumerated().map { index, kind in
            let y = Self.height + 6 + Double(index) * Self.row
            let spans = applied.filter { $0.kind == kind }.map { fault in
                let (x, end) = (place(fault.begun), place(fault.ended))
                return rect("fault", x, y, max(end - x, 2), Self.row - 4)
            }
            return "<text x=\"\(Self.width + 8)\" y=\"\(y + 9)\">\(escaped(report.rules.title(of: kind)))</text>"
                + spans.joined()
        }
        let bottom = Self.height + 10 + Double(kinds.count) * Self.row
        return """
            <svg viewBox="0 0 \(Self.width + 320) \(bottom)" role="img" aria-label="Requests and faults by second">\
            \(bars.joined())\(lines.joined())</svg>
            """
    }

    /// Requests, and those without an answer, by the second in which they began.
    private var counts: (asked: [Int], failed: [Int]) {
        var (asked, failed) = (Array(repeating: 0, count: seconds), Array(repeating: 0, count: seconds))
        for answer in report.answers {
            let second = Int((answer.begun.microseconds - report.start.microseconds) / 1_000_000)
            guard asked.indices.contains(second) else { continue }
            asked[second] += 1
            if !answer.isAnswered { failed[second] += 1 }
        }
        return (asked, failed)
    }

    private func place(_ moment: Moment) -> Double {
        let second = Double(moment.microseconds - report.start.microseconds) / 1e6
        return min(max(second / Double(seconds), 0), 1) * Self.width
    }

    private func rect(_ name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
        guard height > 0 else { return "" }
        func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
        return """
            <rect class="\(name)" x="\(text(x))" y="\(text(y))" width="\(text(width))" height="\(text(height))"/>
            """
    }

    private static let style = """
        :root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:78em;margin:1em auto;padding:0 1em}
        table{border-collapse:collapse}td,th{padding:.2em 1em .2em 0;text-align:left;border-bottom:1px solid #8884}
        .n{text-align:right}.bad td{color:#c22}svg{width:100%;height:auto}text{font-size:11px;fill:currentColor}
        .all{fill:#4a8}.lost{fill:#c22}.fault{fill:#b70}
        """
}
