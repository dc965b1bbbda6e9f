import Testing

@testable import Proof

struct ProofReportTests {
    private static func report(_ violations: [Violation] = [], undecided: [String] = []) throws -> ProofReport {
        let answers = (0..<60).map { second in
            RouteAnswer(
                "chat",
                begun: .seconds(Double(second)),
                ended: .seconds(Double(second) + 0.1),
                failure: second == 9 ? "status 503" : nil
            )
        }
        let fault = AppliedFault(
            kind: .kill,
            target: FaultTarget("chat"),
            begun: .seconds(9),
            ended: .seconds(10),
            outcome: "killed",
            state: .applied,
            concerns: .all
        )
        return ProofReport(
            seed: 7,
            length: .seconds(60),
            phones: 20,
            acts: 60,
            faults: [fault],
            start: .seconds(0),
            answers: answers,
            findings: [Finding("Rooms have one order.", checked: 1234, violations: violations, undecided: undecided)],
            availability: Availability(of: answers, during: []),
            rules: try .standard()
        )
    }

    private static let violation = Violation(
        "Message <b>1</b> is lost.",
        story: [Step(at: .seconds(1), phone: "phone 1", what: "sent <i>", trace: "0123")]
    )

    @Test func keptPromises_areCounted() throws {
        let report = try Self.report()
        #expect(report.isKept)
        #expect(report.text.contains("✓ Rooms have one order. Checked 1,234 times."))
        #expect(
            report.text.first?.hasPrefix("seed 7: 60 acts of 20 phones in 60.0 seconds, 1 faults of 1 kinds") == true
        )
        let page = ProofPage(report, .tests).html
        #expect(page.contains("Every promise was kept") && page.contains("kill -9 of a program"))
        #expect(page.split(separator: "class=\"fault\"").count == 2)
        // On the plots of answers and of times.
        #expect(page.split(separator: "class=\"band\"").count == 3)
        for part in ["without an answer", "p99", "1,234", "Some CPU", "commit abc", "Slowest recoveries"] {
            #expect(page.contains(part), "\(part)")
        }
    }

    @Test func brokenPromise_hasItsStory_escaped() throws {
        let report = try Self.report([Self.violation])
        #expect(!report.isKept && report.text.contains("      1.000 s  phone 1: sent <i>  [0123]"))
        let page = ProofPage(report, .tests).html
        #expect(page.contains("Message &#60;b&#62;1") && page.contains("sent &#60;i&#62;") && page.contains("0123"))
        #expect(!page.contains("<b>1") && !page.contains("<i>") && !page.contains("<x>"))
    }

    @Test func undecidedPromise_isNotKept() throws {
        let report = try Self.report(undecided: ["car 1"])
        #expect(!report.isKept && report.text.contains("    not decided: car 1"))
        #expect(ProofPage(report, .tests).html.contains("not decided"))
    }

    @Test func failedFault_isListed_withItsReason() throws {
        var report = try Self.report()
        report.faults[0].state = .failed
        report.faults[0].outcome = "It <could> not be ended."
        let page = ProofPage(report, .tests).html
        #expect(page.contains("Faults that failed") && page.contains("It &#60;could&#62; not be ended."))
    }

    @Test func slowRecovery_isInTheTable() throws {
        var report = try Self.report()
        let span = FaultSpan("kill chat", begun: .seconds(5), ended: .seconds(7), kinds: ["chat"])
        report.availability = Availability(of: report.answers, during: [span])
        let page = ProofPage(report, .tests).html
        #expect(page.contains("kill chat") && page.contains("2.00 s"))
    }

    /// Two faults that are heavy, and one that is not.
    private static func heavy() throws -> ProofReport {
        var report = try report()
        var failover = report.faults[0]
        (failover.kind, failover.target) = (.restartDatabase, FaultTarget("postgres"))
        (failover.begun, failover.ended) = (.seconds(20), .seconds(21.5))
        failover.outcome = "It was <restarted>."
        var gateway = report.faults[0]
        (gateway.target, gateway.begun, gateway.ended) = (FaultTarget("gateway"), .seconds(70), .seconds(71))
        (gateway.state, gateway.outcome) = (.failed, "It did not stop.")
        report.faults += [failover, gateway]
        let spans = report.faults.map { FaultSpan($0.name, begun: $0.begun, ended: $0.ended, kinds: ["chat"]) }
        report.availability = Availability(of: report.answers, during: spans)
        return report
    }

    @Test func heavyFaults_areListed_oneByOne() throws {
        let report = try Self.heavy()
        let text = report.text.filter { $0.hasPrefix("heavy fault") }
        #expect(text.count == 2)
        #expect(
            text.first?.hasPrefix(
                "heavy fault at 20 s, 1.50 s: PostgreSQL restarted (-m immediate), postgres, applied: "
            )
                == true,
            "\(text)"
        )
        #expect(text.first?.hasSuffix("answered again after 0.00 s") == true, "\(text)")
        #expect(text.last?.hasSuffix("gateway, failed: It did not stop. no request after it") == true, "\(text)")
        let page = ProofPage(report, .tests).html
        #expect(page.contains("<h2>Heavy faults</h2>") && page.contains("It was &#60;restarted&#62;."))
        #expect(page.contains("<tr class=\"bad\"><td>kill -9 of a program</td><td>gateway</td><td>failed</td>"))
        #expect(try !ProofPage(Self.report(), .tests).html.contains("Heavy faults"))
    }

    @Test func manyHeavyFaults_areCounted() throws {
        var report = try Self.heavy()
        report.faults = Array(repeating: report.faults[1], count: HeavyFaults.most + 3)
        #expect(report.text.count { $0.hasPrefix("heavy fault") } == HeavyFaults.most)
        #expect(report.text.last == "3 more heavy faults are not listed.")
        #expect(ProofPage(report, .tests).html.contains("3 more heavy faults are not listed."))
    }

    @Test func interruptedRun_isNotChecked() throws {
        var report = try Self.report()
        (report.findings, report.unchecked) = ([], "not checked: interrupted")
        #expect(!report.isKept && report.text.contains("✗ The promises were not checked: interrupted."))
        let page = ProofPage(report, .tests).html
        #expect(page.contains("The promises were not checked: interrupted") && page.contains("<svg"))
        #expect(!page.contains("was kept"))
    }
}
