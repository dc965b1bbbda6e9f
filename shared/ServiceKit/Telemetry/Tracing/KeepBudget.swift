import Synchronization

/// Bounds how many traces are kept for one reason.
final class KeepBudget: Sendable {
    private struct State {
        var tokens: Double
        var time = ContinuousClock.now
    }

    private let share: Double
    private let perSecond: Double
    private let state: Mutex<State>

    /// - Parameters:
    ///   - share: The share that is admitted while there are few, from 0 to 1.
    ///   - perSecond: The maximum number, which may also come at once.
    init(share: Double, perSecond: Double) {
        (self.share, self.perSecond) = (share, perSecond)
        state = Mutex(State(tokens: perSecond))
    }

    /// - Parameter trace: Its id decides about the share.
    func admits(_ trace: TraceID) -> Bool {
        guard share >= 1 || Double(trace.low) < share * Double(UInt64.max) else { return false }
        return state.withLock { state in
            let now = ContinuousClock.now
            state.tokens = min(perSecond, state.tokens + (now - state.time) / .seconds(1) * perSecond)
            state.time = now
            guard state.tokens >= 1 else { return false }
            state.tokens -= 1
            return true
        }
    }
}
