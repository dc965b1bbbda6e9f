import Authentication
import Contracts
import Logging
import ServiceLifecycle
import Synchronization

/// Tells the auth service which refreshed access tokens have been shown to this gateway for the first time: from then on
/// a predecessor of the refresh token that came with it is no late retry any more.
///
/// Noted by event loops when a signature is verified, sent in batches.
final class FirstUses: Sendable {
    private struct State {
        /// The newest generation of each session.
        var generations: [String: Int] = [:]
        var dropped = 0
    }

    private let state = Mutex(State())
    private let wake = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let limit: Int

    /// - Parameter limit: the most sessions that wait to be told of; those above are dropped.
    init(limit: Int = 20_000) {
        self.limit = limit
    }

    /// How many were dropped since auth could not be told for long.
    var droppedCount: Int { state.withLock { $0.dropped } }

    func note(_ claims: AccessClaims) {
        // The first tokens have no predecessor, and Seoul Culture's refresh token is never replaced.
        guard claims.generation > 0, claims.app != .culture else { return }
        let use = AuthAPI.Uses.Use(session: claims.session, generation: claims.generation)
        state.withLock { add(use, to: &$0) }
        wake.continuation.yield()
    }

    private func add(_ use: AuthAPI.Uses.Use, to state: inout State) {
        if let known = state.generations[use.session] {
            state.generations[use.session] = max(known, use.generation)
        } else if state.generations.count < limit {
            state.generations[use.session] = use.generation
        } else {
            state.dropped += 1
        }
    }

    private func take() -> [AuthAPI.Uses.Use] {
        state.withLock { state in
            defer { state.generations = [:] }
            return state.generations.map { AuthAPI.Uses.Use(session: $0.key, generation: $0.value) }
        }
    }

    private func putBack(_ uses: ArraySlice<AuthAPI.Uses.Use>) {
        state.withLock { state in
            for use in uses { add(use, to: &state) }
        }
    }

    /// Sends what is noted, until the gateway ends.
    struct Reporter: Service {
        let uses: FirstUses
        let logger: Logger
        let send: @Sendable (AuthAPI.Uses) async throws -> Void

        private static let batchSize = 1_000
        /// What is noted shortly after another goes with it.
        private static let gathering = Duration.milliseconds(50)
        private static let longestPause = Duration.seconds(2)

        func run() async throws {
            await cancelWhenGracefulShutdown {
                var pause = Self.gathering
                for await _ in uses.wake.stream {
                    try? await Task.sleep(for: pause)
                    pause = await report() ? Self.gathering : min(pause * 2, Self.longestPause)
                }
            }
            _ = await report()
        }

        /// - Returns: whether auth has taken everything.
        private func report() async -> Bool {
            var waiting = uses.take()[...]
            while !waiting.isEmpty {
                let batch = waiting.prefix(Self.batchSize)
                do {
                    try await send(AuthAPI.Uses(uses: Array(batch)))
                    waiting = waiting.dropFirst(Self.batchSize)
                } catch {
                    logger.debug("first uses could not be told", error: error)
                    uses.putBack(waiting)
                    uses.wake.continuation.yield()
                    return false
                }
            }
            return true
        }
    }
}
