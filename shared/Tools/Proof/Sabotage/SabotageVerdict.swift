package import Values

/// Whether the proof has found a known defect.
package struct SabotageVerdict: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// By the promise that must find it, or by another one only.
        case found(isExpected: Bool, Evidence)
        case missed
        /// The run could not be made, with the reason.
        case failed(String)
    }

    /// A promise that was not kept.
    package struct Evidence: Sendable, Equatable {
        package var promise: String
        /// The violation that was the first to be seen.
        package var sentence: String
        /// Seconds of play after which it was seen; nil for what only tables show at the end.
        package var seconds: Int64?
    }

    package var defect: Sabotage
    package var outcome: Outcome

    /// - Parameter start: When the phones began to play.
    init(_ trial: SabotageTrial, _ findings: [Finding], start: Moment) {
        let found = findings.filter { !$0.violations.isEmpty && $0.promise != FaultsAreMade.promise }
        let expected = found.first { $0.promise == trial.promise }
        defect = trial.defect
        outcome =
            (expected ?? found.first).map { finding in
                .found(isExpected: expected != nil, Evidence(finding, start: start))
            } ?? .missed
    }

    init(_ trial: SabotageTrial, failed reason: String) {
        (defect, outcome) = (trial.defect, .failed(reason))
    }

    package var isFound: Bool { if case .found = outcome { true } else { false } }

    /// A line for the report.
    package var text: String {
        switch outcome {
        case .found(let isExpected, let evidence):
            let by = isExpected ? "found by" : "found by another promise,"
            let when = evidence.seconds.map { "after \($0) s of play" } ?? "at the end"
            return "✓ \(defect): \(by) \"\(evidence.promise)\" \(when): \(evidence.sentence)"
        case .missed:
            return "✗ \(defect): missed"
        case .failed(let reason):
            return "✗ \(defect): not tried, \(reason)"
        }
    }
}

extension SabotageVerdict.Evidence {
    fileprivate init(_ finding: Finding, start: Moment) {
        let seen = finding.violations.map {
            (sentence: $0.sentence, at: $0.story.last?.at ?? Moment(microseconds: .max))
        }
        let first = seen.min { $0.at < $1.at }
        let after = first.flatMap { $0.at.microseconds == .max ? nil : $0.at.microseconds - start.microseconds }
        self.init(
            promise: finding.promise,
            sentence: first?.sentence ?? "",
            seconds: after.map { $0 / 1_000_000 }
        )
    }
}

extension [SabotageVerdict] {
    /// How many defects were found.
    package var text: String {
        let others = count { if case .found(isExpected: false, _) = $0.outcome { true } else { false } }
        return "\(count(where: \.isFound)) of \(count) found"
            + (others == 0 ? "" : ", \(others) of them by another promise than expected")
    }
}
