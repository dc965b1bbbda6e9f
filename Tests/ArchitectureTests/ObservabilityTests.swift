import Testing

/// Alerts, dashboards and the runbook name what there is.
struct ObservabilityTests {
    private static let files = SourceTree.files("", in: ["deploy/observability"])
    private static let rules = files.first { $0.name == "madang.yml" && $0.folders.last == "rules" }

    @Test func metricsOfRulesAndDashboards_exist() throws {
        let help = try #require(SourceTree.production.first { $0.name == "MetricHelp.swift" }?.text)
        let prefixes =
            "announcement|background_job|chat|circuit_breaker|event_loop|gateway|http|nats|outbox|payslips|postgres"
            + "|process|provider|push|pushes|trace|websocket"
        let pattern = try Regex("\\b((?:\(prefixes))_[a-z_]+)", as: (Substring, Substring).self)
        let used = Set(
            Self.files.filter { $0.name != "madang.tests.yml" }.flatMap { file in
                file.text.matches(of: pattern).map { String($0.output.1) }
            }
        )
        #expect(used.count > 20)
        for name in used {
            let family =
                ["_bucket", "_count", "_sum"].first { name.hasSuffix($0) }.map { name.dropLast($0.count) } ?? name[...]
            #expect(help.contains("\"\(family)\": "), "\(name)")
        }
    }

    @Test func everyAlert_isTestedAndHasALineInTheRunbook() throws {
        let alerts = try #require(Self.rules?.text).matches(of: /- alert: (\w+)/).map { String($0.1) }
        #expect(alerts.count > 15)
        let tests = try #require(Self.files.first { $0.name == "madang.tests.yml" }?.text)
        let runbook = try #require(SourceTree.files("runbook.md", in: ["docs"]).first?.text)
        for alert in alerts {
            #expect(tests.contains("alertname: \(alert)\n"), "\(alert) has no test")
            #expect(runbook.contains("\(alert) ("), "\(alert) is not in the runbook")
        }
        for anchor in try #require(Self.rules?.text).matches(of: /runbook: docs\/runbook.md#(\w+)/) {
            #expect(runbook.contains("<a id=\"\(anchor.1)\">"), "\(anchor.1)")
        }
    }
}
