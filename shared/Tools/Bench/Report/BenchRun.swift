import FoundationEssentials
import StackKit

/// Runs suites one after the other. One that fails does not end the others.
struct BenchRun {
    var suites: [any BenchSuite]
    var duration: Duration
    var rounds: Int
    /// After this time no further suite begins; nil without a limit.
    var limit: Duration?
    /// Prints a line.
    var say: @Sendable (String) -> Void
    /// Whether a program is installed.
    var isInstalled: (String) -> Bool = { Executables.find($0) != nil }

    /// - Parameter ended: Is called after each suite with what became of it.
    func run(ended: (BenchReport.Suite) throws -> Void) async throws {
        let start = ContinuousClock.now
        for suite in suites {
            say("\n\(suite.name): \(suite.summary)")
            let absent = suite.tools.first { !isInstalled($0.command) }
            var outcome = BenchReport.Suite(name: suite.name)
            if let absent {
                outcome.skipped = "\(absent.command) is not installed; apt-get install \(absent.package)"
            } else if let limit, ContinuousClock.now - start >= limit {
                outcome.skipped = "\(Int(limit / .seconds(1))) seconds were over"
            } else {
                do {
                    let results = try await measure(suite)
                    BenchTable(results: results).lines.forEach(say)
                    outcome.rows = results.map(BenchReport.Row.init)
                } catch {
                    outcome.failed = "\(error)"
                }
            }
            if let reason = outcome.skipped { say("  skipped: \(reason)") }
            if let reason = outcome.failed { say("  ✗ failed: \(reason)") }
            try ended(outcome)
        }
    }

    private func measure(_ suite: any BenchSuite) async throws -> [BenchResult] {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "madang-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let context = BenchContext(
            executables: Executables.folder,
            scratch: scratch.path,
            duration: duration,
            rounds: rounds,
            report: { [say] in say("  … \($0)") }
        )
        return try await suite.run(context)
    }
}

extension BenchReport {
    /// Why the run was not a success, in a sentence; nil if it was.
    var complaint: String? {
        let failed = suites.filter { $0.failed != nil }.map(\.name)
        let missed = suites.flatMap(\.rows).count { $0.isReached == false }
        let sentences = [
            failed.isEmpty ? nil : "these suites failed: \(failed.joined(separator: ", "))",
            missed == 0 ? nil : "\(missed) of the goals above were not reached in this run",
        ].compactMap(\.self)
        return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
    }
}
