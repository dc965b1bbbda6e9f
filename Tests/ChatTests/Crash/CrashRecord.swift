import Synchronization

/// The messages that each client has received.
final class CrashRecord: Sendable {
    /// A message as a client has received it, or as it is stored.
    struct Line: Sendable, Equatable {
        var sequence: Int64
        var clientID: String
        var content: String
    }

    private struct State {
        var logs: [Int: [Line]] = [:]
        var written: [Int: Int] = [:]
        var defects: [String] = []
        var outcomes: [String: Int] = [:]
    }

    private let state = Mutex(State())

    /// Records a received message, which must follow the last one.
    func hear(_ line: Line, on phone: Int) {
        state.withLock { state in
            let last = state.logs[phone]?.last?.sequence ?? 0
            if line.sequence != last + 1 {
                state.defects.append("client \(phone) received \(line.sequence) after \(last)")
            }
            state.logs[phone, default: []].append(line)
        }
    }

    /// The messages that a client has received.
    func log(of phone: Int) -> [Line] { state.withLock { $0.logs[phone] ?? [] } }

    /// The number of the last message that a client has received.
    func last(of phone: Int) -> Int64 { state.withLock { $0.logs[phone]?.last?.sequence ?? 0 } }

    /// Records the confirmation of a client's next message.
    func wrote(_ phone: Int) { state.withLock { $0.written[phone, default: 0] += 1 } }

    /// The count of a client's confirmed messages.
    func written(by phone: Int) -> Int { state.withLock { $0.written[phone] ?? 0 } }

    func defect(_ sentence: String) { state.withLock { $0.defects.append(sentence) } }
    var defects: [String] { state.withLock { $0.defects } }

    func count(_ outcome: String) { state.withLock { $0.outcomes[outcome, default: 0] += 1 } }

    /// Whether something has happened.
    func has(_ outcome: String) -> Bool { state.withLock { $0.outcomes[outcome] != nil } }

    var summary: String {
        state.withLock { state in
            state.outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
    }
}
