import Contracts
import Synchronization
import Tracing

/// How often this process has called others since the counts were last taken.
final class CallCounts: Sendable {
    private let targets = Mutex<[String: ConsoleAPI.Calls.Target]>([:])

    /// Counts a span if it is that of a call.
    func add(_ span: FinishedSpan) {
        let peer: String
        if case .string(let name)? = span.attributes.get("peer.service") {
            peer = name
        } else if case .string(let name)? = span.attributes.get("db.system.name") {
            peer = name
        } else {
            return
        }
        let milliseconds = Double(span.end - span.start) / 1_000_000
        targets.withLock { targets in
            targets[peer, default: .init(peer)].add(milliseconds: milliseconds, isFailure: span.isError)
        }
    }

    func take() -> [ConsoleAPI.Calls.Target] {
        targets.withLock { targets in
            defer { targets = [:] }
            return targets.values.sorted { $0.name < $1.name }
        }
    }

    /// Adds counts that could not be delivered.
    func putBack(_ counts: [ConsoleAPI.Calls.Target]) {
        targets.withLock { targets in
            for target in counts {
                var sum = targets[target.name] ?? .init(target.name)
                sum.calls += target.calls
                sum.failures += target.failures
                sum.times = zip(sum.times, target.times).map { $0 + $1 }
                targets[target.name] = sum
            }
        }
    }
}
