import Contracts
import Logging
import ServiceLifecycle
import Values

/// Follows the ends of sessions at the auth service by long polling, and adds them to the revocations.
///
/// While auth is unavailable, no request is refused for that reason; the revocations of that time are delivered
/// afterwards.
struct RevocationFollower: Service {
    let revocations: Revocations
    let logger: Logger
    /// Requests the revocations after a number, waiting up to `wait` seconds.
    let ask: @Sendable (_ number: Int64, _ wait: Int) async throws -> AuthAPI.Revocations

    /// The wait of one poll, in seconds. It bounds the delay caused by a connection that died undetected.
    static let wait = 5
    private static let firstPause = Duration.milliseconds(100)
    /// Short, so that a session that ends as soon as auth is back is refused within a second.
    private static let longestPause = Duration.milliseconds(500)

    func run() async throws {
        await cancelWhenGracefulShutdown { await follow() }
    }

    private func follow() async {
        var last: Int64 = 0
        var backoff = Backoff(from: Self.firstPause, to: Self.longestPause)
        var isAway = false
        while !Task.isCancelled {
            let asked = ContinuousClock.now
            do {
                let answer = try await ask(last, Self.wait)
                last = answer.last
                revocations.add(answer.revocations)
                if isAway { logger.notice("revocations: polling of auth restored") }
                isAway = false
                backoff.reset()
                // A service that shuts down responds at once, without waiting.
                guard answer.revocations.isEmpty, ContinuousClock.now - asked < Self.firstPause else { continue }
            } catch {
                guard !Task.isCancelled else { return }
                if !isAway { logger.warning("revocations: polling of auth failed, will retry", error: error) }
                isAway = true
            }
            try? await Task.sleep(for: backoff.next())
        }
    }
}
