import NIOCore
import Synchronization

/// What the clients of a gateway have seen while it was replaced.
final class HandoverTally: Sendable {
    private struct State {
        var isUpgrading = false
        /// Milliseconds from a frame to its echo.
        var usual: [Double] = []
        var upgrading: [Double] = []
        var (open, closed, reset, refused, lost, doubled) = (0, 0, 0, 0, 0, 0)
        var answers = 0
        var answersPerSecond = 0.0
        /// How often something unwanted was seen.
        var sentences: [String: Int] = [:]
        /// Seconds from the start of each new gateway to the end of the old one.
        var ends: [Double] = []
    }

    private let state = Mutex(State())

    func upgrade(_ isUnderWay: Bool) { state.withLock { $0.isUpgrading = isUnderWay } }

    func ended(after time: Duration) { state.withLock { $0.ends.append(time / .seconds(1)) } }

    /// - Parameter isUpgrading: Whether an upgrade was under way when the frame was sent.
    func echoed(after time: TimeAmount, isUpgrading: Bool) {
        let milliseconds = Double(time.nanoseconds) / 1_000_000
        state.withLock { state in
            if isUpgrading || state.isUpgrading {
                state.upgrading.append(milliseconds)
            } else {
                state.usual.append(milliseconds)
            }
        }
    }

    func answered() { state.withLock { $0.answers += 1 } }

    func opened(_ count: Int) { state.withLock { $0.open += count } }

    func closed(_ what: String, isOpenSocket: Bool, isReset: Bool) {
        state.withLock { state in
            if isOpenSocket { state.open -= 1 }
            if isReset { state.reset += 1 } else { state.closed += 1 }
            state.sentences[what, default: 0] += 1
        }
    }

    func refused(_ what: String) {
        state.withLock { state in
            state.refused += 1
            state.sentences[what, default: 0] += 1
        }
    }

    func lost(_ frames: Int) { state.withLock { $0.lost += frames } }
    func countDoubled() { state.withLock { $0.doubled += 1 } }
    func measured(_ time: Duration) {
        state.withLock { $0.answersPerSecond = Double($0.answers) / (time / .seconds(1)) }
    }

    var isUpgrading: Bool { state.withLock(\.isUpgrading) }
    /// The number of sockets that are open.
    var open: Int { state.withLock(\.open) }
    var closed: Int { state.withLock(\.closed) }
    var reset: Int { state.withLock(\.reset) }
    var refused: Int { state.withLock(\.refused) }
    var lost: Int { state.withLock(\.lost) }
    var doubled: Int { state.withLock(\.doubled) }
    var answersPerSecond: Double { state.withLock(\.answersPerSecond) }
    var sentences: [String] { state.withLock(\.sentences).map { "\($0.value) times: \($0.key)" }.sorted() }
    var ends: [Double] { state.withLock(\.ends) }

    /// The median of echo times between upgrades, in milliseconds.
    var usual: Double { BenchResult.median(state.withLock(\.usual)) }

    /// The echo time that a percentage of the frames sent during upgrades did not exceed, beyond the usual, in milliseconds.
    func pause(_ percent: Int) -> Double {
        let times = state.withLock(\.upgrading).sorted()
        return times.isEmpty ? 0 : max(0, times[(times.count - 1) * percent / 100] - usual)
    }
}
