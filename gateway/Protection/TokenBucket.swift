import NIOCore
import Synchronization

/// How many calls may be made: `perSecond` in the long run, `burst` at once. `perSecond` 0 is no limit.
struct Allowance: Sendable, Equatable {
    var perSecond: Double
    var burst: Double

    static let unlimited = Allowance(perSecond: 0, burst: 0)
}

/// A token bucket: full at first, drained by calls, refilled by time. Shared by the event loops.
final class TokenBucket: Sendable {
    private struct State {
        var tokens: Double
        var refilledAt: NIODeadline
    }

    private let allowance: Allowance
    private let state: Mutex<State>

    init(_ allowance: Allowance, now: NIODeadline) {
        self.allowance = allowance
        self.state = Mutex(State(tokens: allowance.burst, refilledAt: now))
    }

    /// Takes one call.
    ///
    /// - Returns: nil when it may be made, otherwise the seconds until the next may.
    func take(now: NIODeadline) -> Int? {
        guard allowance.perSecond > 0 else { return nil }
        return state.withLock { state in
            refill(&state, now)
            guard state.tokens < 1 else {
                state.tokens -= 1
                return nil
            }
            return max(1, Int(((1 - state.tokens) / allowance.perSecond).rounded(.up)))
        }
    }

    /// Whether nothing is remembered in it: a full bucket is like a new one.
    func isFull(now: NIODeadline) -> Bool {
        guard allowance.perSecond > 0 else { return true }
        return state.withLock { state in
            refill(&state, now)
            return state.tokens >= allowance.burst
        }
    }

    private func refill(_ state: inout State, _ now: NIODeadline) {
        let seconds = Double((now - state.refilledAt).nanoseconds) / 1_000_000_000
        guard seconds > 0 else { return }
        state.tokens = min(allowance.burst, state.tokens + seconds * allowance.perSecond)
        state.refilledAt = now
    }
}
