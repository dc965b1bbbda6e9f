package import Synchronization

/// What a crash test has observed: how often things happened, defects, and what its clients have seen.
package final class CrashRecord<Observations: Sendable>: Sendable {
    private struct Common {
        var counts: [String: Int] = [:]
        var defects: [String] = []
    }

    private let common = Mutex(Common())
    /// What the clients of this test have seen.
    package let observations: Mutex<Observations>

    package init(_ observations: Observations) { self.observations = Mutex(observations) }

    package func count(_ outcome: String) { common.withLock { $0.counts[outcome, default: 0] += 1 } }
    package func count(of outcome: String) -> Int { common.withLock { $0.counts[outcome] ?? 0 } }

    /// Records what must not happen.
    package func defect(_ sentence: String) { common.withLock { $0.defects.append(sentence) } }
    package var defects: [String] { common.withLock(\.defects) }

    /// The outcomes with their counts.
    package var summary: String {
        common.withLock { common in
            common.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
    }
}
