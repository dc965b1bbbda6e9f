package import Crypto
package import Logging
import ServiceLifecycle
import Synchronization

/// The auth service's published keys, kept fresh: read without waiting, fetched again on a timer and when a token names
/// a key that is not known yet.
///
/// A failed fetch keeps the keys of before, so that auth being down logs nobody out.
package final class PublishedKeys: Service, Sendable {
    /// The keys of one moment.
    package struct Snapshot: Sendable {
        package var keys: [String: P256.Signing.PublicKey] = [:]
        /// Grows with every change of the keys.
        package var revision = 0
    }

    /// What became of a wish for fresh keys.
    package enum Outcome: Sendable, Equatable {
        /// The keys were fetched after the wish.
        case fresh
        /// They could not be fetched; nothing can be said of an unknown key.
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
        /// Until when a failed fetch is not the last word.
        var end: ContinuousClock.Instant
    }

    private let state = Mutex(State())
    private let wishes: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
    private let fetch: @Sendable () async throws -> JWKS
    private let interval: Duration
    private let coolDown: Duration
    private let reminder: Duration
    private let patience: Duration
    private let logger: Logger

    /// - Parameters:
    ///   - interval: time between fetches that nobody asked for.
    ///   - coolDown: least time between fetches, however many tokens name unknown keys; those who ask wait so long.
    ///   - reminder: least time between two log lines about fetches that fail.
    ///   - patience: how long those who ask wait for the first keys of all, as auth may start at the same time.
    ///   - fetch: gets the key set from the auth service; must have a deadline of its own.
    package init(
        interval: Duration = .seconds(60),
        coolDown: Duration = .milliseconds(200),
        reminder: Duration = .seconds(10),
        patience: Duration = .seconds(2),
        logger: Logger,
        fetch: @escaping @Sendable () async throws -> JWKS
    ) {
        self.interval = interval
        self.coolDown = coolDown
        self.reminder = reminder
        self.patience = patience
        self.logger = logger
        self.fetch = fetch
        self.wishes = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The keys now.
    package var current: Snapshot {
        state.withLock { $0.snapshot }
    }

    /// Asks for fresh keys, and calls back when they are there, or cannot be had. One fetch serves all who wait; it starts
    /// after they asked, or a key that was published a moment ago would still be missing, and at most a `coolDown` later.
    package func refetch(_ done: @escaping @Sendable (Outcome) -> Void) {
        let hasStopped = state.withLock { state in
            if !state.hasStopped { state.waiting.append(Waiting(done: done, end: .now + patience)) }
            return state.hasStopped
        }
        if hasStopped {
            done(.unavailable)
        } else {
            wishes.continuation.yield()
        }
    }

    /// Asks for fresh keys and waits for them.
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
                for await _ in self.wishes.stream {
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

    /// Wishes on a timer: often until the first keys are there, seldom afterwards.
    private func tick() async {
        while !Task.isCancelled {
            let known = current.revision > 0
            try? await Task.sleep(for: known ? interval : min(interval, .milliseconds(100)))
            wishes.continuation.yield()
        }
    }

    /// Fetches for everybody who has asked until now.
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

    /// Before the first keys are there, fetches fail many times a second: the first is worth a line, the others a reminder.
    private func noteFailure(_ error: any Error) {
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            if let last = state.complainedAt, now - last < reminder { return false }
            state.complainedAt = now
            return true
        }
        if isDue { logger.warning("published keys could not be fetched", error: error) }
    }

    private func noteSuccess() {
        let hadFailed = state.withLock { state in
            defer { state.complainedAt = nil }
            return state.complainedAt != nil
        }
        if hadFailed { logger.notice("published keys are fetched again") }
    }

    private static func takeWaiting(_ state: inout State) -> [Waiting] {
        defer { state.waiting = [] }
        return state.waiting
    }
}
