import StackKit
import Synchronization

/// What the users of all apps have seen.
final class AppRecord: Sendable {
    private struct State {
        var phase = ""
        /// Milliseconds from the scheduled time of a request to its response, by phase.
        var times: [String: [Double]] = [:]
        var refusals: [String] = []
        var lost: [String] = []
        var doubled: [String] = []
        var reconnects = 0
    }

    private let state = Mutex(State())

    func begin(_ phase: String) { state.withLock { $0.phase = phase } }

    func answered(after time: Duration) {
        state.withLock { $0.times[$0.phase, default: []].append(time / .milliseconds(1)) }
    }

    /// Records a request or a socket that was not accepted.
    func refused(_ what: String) {
        state.withLock { $0.refusals.append("\($0.phase): \(what.prefix(300))") }
    }

    func lost(_ what: String) { state.withLock { $0.lost.append("\($0.phase): \(what.prefix(300))") } }
    func doubled(_ what: String) { state.withLock { $0.doubled.append("\($0.phase): \(what.prefix(300))") } }
    func reconnected() { state.withLock { $0.reconnects += 1 } }

    var refusals: [String] { state.withLock(\.refusals) }
    var lost: [String] { state.withLock(\.lost) }
    var doubled: [String] { state.withLock(\.doubled) }
    /// The number of sockets that were opened again after their copy had closed them.
    var reconnects: Int { state.withLock(\.reconnects) }

    /// The number of answered requests.
    var answers: Int { state.withLock { $0.times.values.reduce(0) { $0 + $1.count } } }

    /// The times of a phase, in milliseconds, ascending.
    func times(_ phase: String) -> [Double] { state.withLock { $0.times[phase] ?? [] }.sorted() }
}
