/// What a run has found out about one call.
package struct CallResult: Sendable {
    package enum Verdict: String, Sendable {
        case conforms, deviates
        case unasked = "not asked"
    }

    package let call: ContractCall
    /// How it was checked, in the order of the checks: `answer`, `unknown id`.
    package var checks: [String] = []
    package var deviations: [Finding] = []
    /// Why it was not asked.
    package var reason: String?

    package struct Finding: Sendable {
        package var check: String
        package var deviation: Deviation
    }

    /// The checks of every call, which say nothing of its answer.
    static let ofTokens: Set = ["no token", "forged token", "no key"]

    /// A call that was asked without tokens only counts as not asked.
    package var verdict: Verdict {
        guard deviations.isEmpty else { return .deviates }
        return checks.allSatisfy(Self.ofTokens.contains) ? .unasked : .conforms
    }

    /// The checks with their number, where one was repeated.
    package var how: String {
        var counts: [(check: String, count: Int)] = []
        for check in checks {
            if let index = counts.firstIndex(where: { $0.check == check }) {
                counts[index].count += 1
            } else {
                counts.append((check, 1))
            }
        }
        return counts.map { $0.count == 1 ? $0.check : "\($0.check) ×\($0.count)" }.joined(separator: ", ")
    }
}
