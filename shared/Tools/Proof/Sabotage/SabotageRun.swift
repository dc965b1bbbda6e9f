package import Values

/// Tries the proof with known defects: for each trial a run against a stack of its own that has the defect.
package struct SabotageRun: Sendable {
    private let folder: String
    private let stack: String
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - folder: Of the stacks, one after the other; must not exist.
    ///   - stack: The path of a `stack` that was compiled with the defects.
    ///   - report: Is called with what happens, a line each.
    package init(folder: String, stack: String, report: @escaping @Sendable (String) -> Void) {
        (self.folder, self.stack, self.report) = (folder, stack, report)
    }

    /// Makes the runs, and reports the verdict on each; of one that has not found its defect also what was done and checked.
    package func run(_ trials: [SabotageTrial]) async throws -> [SabotageVerdict] {
        let usual = try Habits.usual()
        var verdicts: [SabotageVerdict] = []
        for trial in trials {
            report("\(trial.defect): expected to be found by \"\(trial.promise)\"")
            let verdict = try await verdict(on: trial, trial.settings(usual))
            report(verdict.text)
            verdicts.append(verdict)
        }
        return verdicts
    }

    /// Makes the same runs without the defects, in which every promise must be kept: what a trial finds is then due to its
    /// defect, not to the phones and the faults.
    ///
    /// - Returns: The defects of the trials in which one was not kept, or which could not be made.
    package func runWithout(_ trials: [SabotageTrial]) async throws -> [Sabotage] {
        let usual = try Habits.usual()
        var others: [Sabotage] = []
        for trial in trials {
            report("the run of \(trial.defect), without it")
            do {
                let result = try await result(of: trial.settings(usual), defect: nil)
                guard !result.isKept else {
                    report("✓ every promise was kept")
                    continue
                }
                for line in Self.explanation(result) { report("    \(line)") }
            } catch {
                try Task.checkCancellation()
                report("    not made, \(error)")
            }
            report("✗ a promise was not kept, or is not known to be")
            others.append(trial.defect)
        }
        return others
    }

    private func result(of settings: ProofRun.Settings, defect: Sabotage?) async throws -> ProofReport {
        let variables = defect.map { [Sabotage.variable: $0.rawValue] } ?? [:]
        let stack = try ProofStack(path: folder, stack: stack, settings: variables)
        return try await ProofRun(stack, settings) { report("  … \($0)") }.run()
    }

    private func verdict(on trial: SabotageTrial, _ settings: ProofRun.Settings) async throws -> SabotageVerdict {
        do {
            let result = try await result(of: settings, defect: trial.defect)
            let verdict = SabotageVerdict(trial, result.findings, start: result.start)
            if case .found(isExpected: true, _) = verdict.outcome { return verdict }
            for line in Self.explanation(result) { report("    \(line)") }
            return verdict
        } catch {
            try Task.checkCancellation()
            return SabotageVerdict(trial, failed: "\(error)")
        }
    }

    /// What was done, what failed and what was checked.
    private static func explanation(_ result: ProofReport) -> [String] {
        let faults = result.faults.map { fault in
            "\(fault.begun.after(-result.start.microseconds))  \(fault.kind.rawValue) \(fault.target): \(fault.outcome)"
                + (fault.state == .applied ? "" : " (\(fault.state))")
        }
        return result.text + faults
    }
}
