import StackKit
import Synchronization
import Testing

@testable import Bench

@Suite struct BenchRunTests {
    private struct Fake: BenchSuite {
        var name: String
        var tools: [BenchTool] = []
        var results: [BenchResult] = []
        var error: StackError?
        var summary: String { "a suite of tests" }

        func run(_ bench: BenchContext) async throws -> [BenchResult] {
            if let error { throw error }
            return results
        }
    }

    private func report(_ suites: [Fake], within limit: Duration? = nil) async throws -> (BenchReport, [String]) {
        let lines = Mutex<[String]>([])
        var report = BenchReport.test
        let run = BenchRun(
            suites: suites,
            duration: .seconds(1),
            rounds: 3,
            limit: limit,
            say: { line in lines.withLock { $0.append(line) } },
            isInstalled: { $0 == "there" }
        )
        try await run.run { report.suites.append($0) }
        return (report, lines.withLock(\.self))
    }

    private let missed = BenchResult(name: "x", unit: "ms", ours: 5, goal: .atMost(1))
    private let reached = BenchResult(name: "y", unit: "ms", ours: 5, goal: .atMost(10))

    @Test func suiteThatFails_doesNotEndTheOthers() async throws {
        let (report, lines) = try await report([
            Fake(name: "bad", error: StackError("it broke")), Fake(name: "good", results: [reached]),
        ])
        #expect(report.suites.map(\.name) == ["bad", "good"])
        #expect(report.suites[0].failed == "it broke" && report.suites[0].rows.isEmpty)
        #expect(report.suites[1].failed == nil && report.suites[1].rows == [BenchReport.Row(reached)])
        #expect(lines.contains("  ✗ failed: it broke") && lines.contains("  ✓ y  5.00 ms  (to reach: ≤ 10.0)"))
        #expect(report.complaint == "these suites failed: bad")
    }

    @Test func suiteWithoutItsPrograms_isSkipped() async throws {
        let tools = [BenchTool(command: "there", package: "a"), BenchTool(command: "absent", package: "b")]
        let (report, lines) = try await report([Fake(name: "x", tools: tools, error: StackError("it ran"))])
        #expect(report.suites[0].skipped == "absent is not installed; apt-get install b")
        #expect(lines.contains("  skipped: absent is not installed; apt-get install b"))
        #expect(report.complaint == nil)
    }

    @Test func afterItsTime_noSuiteBegins() async throws {
        let (report, _) = try await report([Fake(name: "x", error: StackError("it ran"))], within: .zero)
        #expect(report.suites[0].skipped == "0 seconds were over")
    }

    @Test func missedGoals_areCounted() async throws {
        let (report, _) = try await report([
            Fake(name: "x", results: [missed, reached, missed]), Fake(name: "z", error: StackError("no")),
        ])
        #expect(
            report.complaint
                == "these suites failed: z; 2 of the goals above were not reached in this run"
        )
    }
}
