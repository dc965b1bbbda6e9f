import NIOCore
import Synchronization

/// A rate limit: `perSecond` calls in the long run, `burst` calls at once. A `perSecond` of 0 means no limit.
struct RateLimit: Sendable, Equatable {
    var perSecond: Double
    var burst: Double

    static let unlimited = RateLimit(perSecond: 0, burst: 0)
}

/// A token bucket, initially full. It is shared by the event loops.
final class TokenBucket: Sendable {
    private struct State {
        var tokens: Double
        var refilledAt: NIODeadline
    }

    private let allowance: RateLimit
    private let state: Mutex<State>

    init(_ allowance: RateLimit, now: NIODeadline) {
        self.allowance = allowance
        self.state = Mutex(State(tokens: allowance.burst, refilledAt: now))
    }

    /// Takes one call.
    ///
    /// - Returns: nil if the call is allowed, otherwise the seconds until the next one is.
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

    /// Whether the bucket is full and therefore equal to a new one, so that it can be discarded.
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
