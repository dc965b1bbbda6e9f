import Authentication
import Contracts
import Logging
import ServiceLifecycle
import Synchronization

/// Reports the first use of refreshed access tokens to the auth service. After that report, auth no longer treats the
/// predecessor of the matching refresh token as a late retry.
///
/// Event loops record a use when they verify a signature; uses are sent in batches.
final class TokenUsageReporter: Sendable {
    private struct State {
        /// The newest generation of each session.
        var generations: [String: Int] = [:]
        var dropped = 0
    }

    private let state = Mutex(State())
    private let wake = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let limit: Int

    /// - Parameter limit: The maximum number of unreported sessions; further ones are dropped.
    init(limit: Int = 20_000) {
        self.limit = limit
    }

    /// The number of uses dropped while auth was unavailable.
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

    /// Sends the recorded uses until the gateway stops.
    struct Reporter: Service {
        let uses: TokenUsageReporter
        let logger: Logger
        let send: @Sendable (AuthAPI.Uses) async throws -> Void

        private static let batchSize = 1_000
        /// How long uses are collected for one batch.
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

        /// - Returns: Whether auth has accepted all uses.
        private func report() async -> Bool {
            var waiting = uses.take()[...]
            while !waiting.isEmpty {
                let batch = waiting.prefix(Self.batchSize)
                do {
                    try await send(AuthAPI.Uses(uses: Array(batch)))
                    waiting = waiting.dropFirst(Self.batchSize)
                } catch {
                    logger.debug("token usage: report to auth failed, will retry", error: error)
                    uses.putBack(waiting)
                    uses.wake.continuation.yield()
                    return false
                }
            }
            return true
        }
    }
}
