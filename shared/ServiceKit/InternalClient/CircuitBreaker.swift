import Metrics
import Synchronization

/// A circuit breaker and a retry budget, shared by all calls to one service, which protect an overloaded service.
///
/// The breaker opens after five consecutive failures; then one call per second is let through until one succeeds. The
/// budget grows by a tenth with every call, up to ten, and each retry costs one, so that retries stay near a tenth of
/// the load during an outage.
final class CircuitBreaker: Sendable {
    private struct State {
        var failures = 0
        var nextProbe: ContinuousClock.Instant?
        var budget = 10.0
    }

    private static let failureLimit = 5
    private let state = Mutex(State())
    private let open: Meter

    /// - Parameter target: The called service, for the metric of open breakers.
    init(to target: String) {
        open = Meter(label: "circuit_breaker_open", dimensions: [("target", target)])
    }

    /// Whether a call may be made now.
    func admits(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            guard state.failures >= Self.failureLimit else {
                state.budget = min(10, state.budget + 0.1)
                return true
            }
            guard now >= state.nextProbe ?? now else { return false }
            state.nextProbe = now + .seconds(1)
            return true
        }
    }

    func succeeded() {
        let closes = state.withLock { state in
            defer { state.failures = 0 }
            return state.failures >= Self.failureLimit
        }
        if closes { open.decrement() }
    }

    func failed(at now: ContinuousClock.Instant = .now) {
        let opens = state.withLock { state in
            state.failures += 1
            guard state.failures == Self.failureLimit else { return false }
            state.nextProbe = now + .seconds(1)
            return true
        }
        if opens { open.increment() }
    }

    /// Takes a retry from the budget, if there is one.
    func allowsRetry() -> Bool {
        state.withLock { state in
            guard state.budget >= 1 else { return false }
            state.budget -= 1
            return true
        }
    }
}
