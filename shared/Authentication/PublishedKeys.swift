package import Crypto
package import Logging
import ServiceLifecycle
import Synchronization

/// The published keys of the auth service. They are read without waiting, and fetched periodically and when a token
/// names an unknown key.
///
/// A failed fetch keeps the previous keys, so that users stay signed in while auth is unavailable.
package final class PublishedKeys: Service, Sendable {
    /// The keys at one point in time.
    package struct Snapshot: Sendable {
        package var keys: [String: P256.Signing.PublicKey] = [:]
        /// Increases with every change of the keys.
        package var revision = 0
    }

    /// The outcome of a request for fresh keys.
    package enum Outcome: Sendable, Equatable {
        /// The keys were fetched after the request.
        case fresh
        /// The keys could not be fetched, so an unknown key cannot be judged.
        case unavailable
    }

    private struct State {
        var snapshot = Snapshot()
        var hasStopped = false
        var waiting: [Waiting] = []
        /// When a failure was last logged; nil while fetches succeed.
        var complainedAt: ContinuousClock.Instant?
    }

    private struct Waiting {
        var done: @Sendable (Outcome) -> Void
        /// Until when a failed fetch is retried for this request.
        var end: ContinuousClock.Instant
    }

    private let state = Mutex(State())
    private let requested: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
    private let fetch: @Sendable () async throws -> JWKS
    private let interval: Duration
    private let coolDown: Duration
    private let reminder: Duration
    private let timeout: Duration
    private let logger: Logger

    /// - Parameters:
    ///   - interval: The time between periodic fetches.
    ///   - coolDown: The minimum time between fetches, however many tokens name unknown keys; requests for fresh keys
    ///     wait that long.
    ///   - reminder: The minimum time between two log lines about failed fetches.
    ///   - timeout: How long requests wait for the first keys, because auth may start at the same time.
    ///   - fetch: Gets the key set from the auth service; must have a deadline of its own.
    package init(
        interval: Duration = .seconds(60),
        coolDown: Duration = .milliseconds(200),
        reminder: Duration = .seconds(10),
        timeout: Duration = .seconds(2),
        logger: Logger,
        fetch: @escaping @Sendable () async throws -> JWKS
    ) {
        self.interval = interval
        self.coolDown = coolDown
        self.reminder = reminder
        self.timeout = timeout
        self.logger = logger
        self.fetch = fetch
        self.requested = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package var current: Snapshot {
        state.withLock { $0.snapshot }
    }

    /// Requests fresh keys and calls back with the outcome. One fetch serves all waiting requests. It starts after the
    /// request, because an earlier one could miss a key published meanwhile, and at most a `coolDown` later.
    package func refetch(_ done: @escaping @Sendable (Outcome) -> Void) {
        let hasStopped = state.withLock { state in
            if !state.hasStopped { state.waiting.append(Waiting(done: done, end: .now + timeout)) }
            return state.hasStopped
        }
        if hasStopped {
            done(.unavailable)
        } else {
            requested.continuation.yield()
        }
    }

    /// Requests fresh keys and waits for the outcome.
    package func refetch() async -> Outcome {
        await withCheckedContinuation { continuation in
            refetch { continuation.resume(returning: $0) }
        }
    }

    package func run() async throws {
        await withTaskGroup { group in
            group.addTask { await self.tick() }
            await cancelWhenGracefulShutdown {
                await self.fetchNow()
                for await _ in self.requested.stream {
                    try? await Task.sleep(for: self.coolDown)
                    await self.fetchNow()
                }
            }
            group.cancelAll()
        }
        let waiting = state.withLock { state in
            state.hasStopped = true
            return Self.takeWaiting(&state)
        }
        for waiting in waiting { waiting.done(.unavailable) }
    }

    /// Triggers periodic fetches, at short intervals until the first keys are available.
    private func tick() async {
        while !Task.isCancelled {
            let known = current.revision > 0
            try? await Task.sleep(for: known ? interval : min(interval, .milliseconds(100)))
            requested.continuation.yield()
        }
    }

    /// Fetches the keys for all requests made so far.
    private func fetchNow() async {
        var waiting = state.withLock { Self.takeWaiting(&$0) }
        var outcome = Outcome.fresh
        do {
            let keys = try await fetch().publicKeys
            state.withLock { state in
                guard Set(keys.keys) != Set(state.snapshot.keys.keys) else { return }
                state.snapshot = Snapshot(keys: keys, revision: state.snapshot.revision + 1)
            }
            noteSuccess()
        } catch {
            noteFailure(error)
            outcome = .unavailable
            let now = ContinuousClock.now
            state.withLock { state in
                guard state.snapshot.revision == 0 else { return }
                state.waiting += waiting.filter { $0.end > now }
                waiting.removeAll { $0.end > now }
            }
        }
        for waiting in waiting { waiting.done(outcome) }
    }

    /// Limits the log lines about failures, which occur many times per second before the first keys are available.
    private func noteFailure(_ error: any Error) {
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            if let last = state.complainedAt, now - last < reminder { return false }
            state.complainedAt = now
            return true
        }
        if isDue { logger.warning("published keys: fetch failed, will retry", error: error) }
    }

    private func noteSuccess() {
        let hadFailed = state.withLock { state in
            defer { state.complainedAt = nil }
            return state.complainedAt != nil
        }
        if hadFailed { logger.notice("published keys: fetched again") }
    }

    private static func takeWaiting(_ state: inout State) -> [Waiting] {
        defer { state.waiting = [] }
        return state.waiting
    }
}
