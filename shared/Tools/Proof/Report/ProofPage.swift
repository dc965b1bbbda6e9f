import Values

/// The report of a proof as a page.
package struct ProofPage {
    private let report: ProofReport
    private let facts: RunFacts

    package init(_ report: ProofReport, _ facts: RunFacts) { (self.report, self.facts) = (report, facts) }

    package var html: String {
        let verdict =
            report.unchecked.map { "The promises were \($0)" }
            ?? (report.isKept ? "Every promise was kept" : "A promise was not kept, or is not known to be")
        return ReportPage(
            title: "Proof, seed \(report.seed)",
            verdict: verdict,
            facts: facts,
            seed: report.seed,
            content: """
                <p>\(report.acts.grouped) acts of \(report.phones.grouped) phones in \(Self.text("\(report.length)")), \
                \(applied.count) faults of \(Set(applied.map(\.kind)).count) kinds.</p>
                \(promises)\(timeline)\(availability)\(HeavyFaults(report).html)\(faults)
                """
        ).html
    }

    private var applied: [AppliedFault] { report.faults.filter { $0.state != .skipped } }
    private var kinds: [FaultKind] { FaultKind.allCases.filter { kind in report.faults.contains { $0.kind == kind } } }

    private static func text(_ text: String) -> String { ReportPage.text(text) }

    // MARK: Promises

    private var promises: String {
        guard !report.findings.isEmpty else { return "" }
        let rows = report.findings.map { finding in
            let state = finding.isKept ? "kept" : finding.violations.isEmpty ? "not decided" : "broken"
            return ReportPage.row(
                [Self.text(finding.promise), state, finding.checked.grouped],
                numbers: 2,
                isBad: !finding.isKept
            )
        }
        return """
            <h2>Promises</h2>\(ReportPage.table(["Promise", "State", "Checked, times"], rows))\
            \(report.findings.flatMap(stories).joined())
            """
    }

    private func stories(_ finding: Finding) -> [String] {
        finding.violations.prefix(10).map { violation in
            let steps = violation.story.map { step in
                let trace = step.trace.map { " <code>\(Self.text($0))</code>" } ?? ""
                return "<li>\(step.at) <b>\(Self.text(step.phone))</b> \(Self.text(step.what))\(trace)</li>"
            }
            return "<h3>\(Self.text(violation.sentence))</h3><ol>\(steps.joined())</ol>"
        } + finding.undecided.prefix(10).map { "<p>Not decided: \(Self.text($0))</p>" }
    }

    // MARK: Time lines

    private var timeline: String {
        let timeline = AnswerTimeline(report)
        let rows = kinds.map { kind in
            FaultTimeline.Row(
                title: report.rules.title(of: kind),
                spans: applied.filter { $0.kind == kind }.map(timeline.band)
            )
        }
        let faults = FaultTimeline(seconds: timeline.seconds, rows: rows.filter { !$0.spans.isEmpty })
        return """
            <h2>Requests and faults</h2><div class="column">\(timeline.answers.figure)\(timeline.latency.figure)\
            \(faults.rows.isEmpty ? "" : faults.figure)</div>
            """
    }

    // MARK: Availability

    private var availability: String {
        let shares = report.availability.shares.map { share in
            ReportPage.row(
                [
                    Self.text(share.kind), "\(Figure.text(share.share * 100)) %", share.asked.grouped,
                    share.duringFaults.grouped,
                ],
                numbers: 1
            )
        }
        let recoveries = report.availability.slowestRecoveries.prefix(10).map { recovery in
            ReportPage.row(
                [
                    Self.text(recovery.fault.name), Self.text(recovery.kind), Self.text(recovery.last?.failure ?? ""),
                    Plot.time(AnswerTimeline.second(recovery.fault.ended, of: report)),
                    "\(Figure.text(Double(recovery.time) / 1e6)) s",
                ],
                numbers: 3
            )
        }
        let (prompt, asked) = report.availability.prompt
        return """
            <h2>Answers while nothing of the service failed</h2>\
            \(ReportPage.table(["Service", "Answered", "Of", "During faults"], shares))
            <h2>Slowest recoveries</h2>\
            <p>After \(prompt.grouped) of \(asked.grouped) faults every request was answered from 2 s on.</p>\(recoveries.isEmpty ? "" : ReportPage.table(Self.recoveryHead, recoveries))
            """
    }

    private static let recoveryHead = [
        "Fault", "Service", "Instead of an answer", "Ended at", "Last such request after",
    ]

    // MARK: Faults

    private var faults: String {
        let rows = kinds.map { kind in
            func count(_ state: AppliedFault.State) -> Int {
                report.faults.count { $0.kind == kind && $0.state == state }
            }
            let counts = [count(.applied), count(.skipped), count(.failed)]
            return ReportPage.row(
                [Self.text(report.rules.title(of: kind))] + counts.map(\.grouped),
                numbers: 1,
                isBad: counts[2] > 0
            )
        }
        let failed = report.faults.filter { $0.state == .failed }.map { fault in
            let place = "\(report.rules.title(of: fault.kind)), \(fault.target)"
            return "<li>\(fault.begun) <b>\(Self.text(place))</b> \(Self.text(fault.outcome))</li>"
        }
        return """
            <h2>Faults by kind</h2>\(ReportPage.table(["What", "Applied", "Skipped", "Failed"], rows))\
            \(failed.isEmpty ? "" : "<h3>Faults that failed</h3><ol>\(failed.joined())</ol>")
            """
    }
}
