import Contracts
import Synchronization
import Tracing

/// How often this process has called others since the counts were last taken.
final class CallCounts: Sendable {
    private let targets = Mutex<[String: ConsoleAPI.Calls.Target]>([:])
    private let statements = Mutex<[String: ConsoleAPI.Calls.Statement]>([:])

    /// The maximum number of names of statements that are distinguished.
    private static let statementLimit = 500

    /// Counts a span if it is that of a call.
    func add(_ span: FinishedSpan) {
        addStatement(span)
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

    /// Counts late spans of calls.
    func add(_ spans: [some LateSpan]) {
        targets.withLock { targets in
            for span in spans {
                guard let peer = span.peer else { continue }
                let milliseconds = Double(span.duration) / 1_000_000
                targets[peer, default: .init(peer)].add(milliseconds: milliseconds, isFailure: span.isError)
            }
        }
    }

    private func addStatement(_ span: FinishedSpan) {
        guard span.attributes.get("db.query.text") != nil else { return }
        statements.withLock { statements in
            guard statements[span.name] != nil || statements.count < Self.statementLimit else { return }
            statements[span.name, default: .init(span.name)].add(microseconds: Int((span.end - span.start) / 1000))
        }
    }

    /// The counts of a program since the last ones; nil without any.
    func take(of program: String) -> ConsoleAPI.Calls? {
        let targets = targets.withLock { targets in
            defer { targets = [:] }
            return targets.values.sorted { $0.name < $1.name }
        }
        let statements = statements.withLock { statements in
            defer { statements = [:] }
            return statements.values.sorted { $0.name < $1.name }
        }
        guard !targets.isEmpty || !statements.isEmpty else { return nil }
        return ConsoleAPI.Calls(program: program, targets: targets, statements: statements)
    }

    /// Adds counts that could not be delivered.
    func putBack(_ counts: ConsoleAPI.Calls) {
        statements.withLock { statements in
            for one in counts.statements ?? [] { statements[one.name, default: .init(one.name)].add(one) }
        }
        targets.withLock { targets in
            for target in counts.targets {
                var sum = targets[target.name] ?? .init(target.name)
                sum.calls += target.calls
                sum.failures += target.failures
                sum.times = zip(sum.times, target.times).map { $0 + $1 }
                targets[target.name] = sum
            }
        }
    }
}
