import Contracts
import FoundationEssentials
import Logging
import ServiceLifecycle

/// Hears from the auth service which sessions end, and ends them here: their access tokens are refused and their
/// WebSockets closed. Each question waits at auth until there is an answer, so ends arrive as they happen.
///
/// While auth is away nobody is refused for it; whatever ended meanwhile is told afterwards.
struct RevocationFollower: Service {
    let revocations: Revocations
    let workers: Workers
    /// Seconds after their expiry during which access tokens still count.
    let leeway: Int64
    let logger: Logger
    /// Asks what ended after a number, for so many seconds.
    let ask: @Sendable (_ number: Int64, _ wait: Int) async throws -> AuthAPI.Revocations

    /// How long a question waits. A connection that died unnoticed hides ends no longer than that.
    static let wait = 5
    private static let pauses: ClosedRange<Duration> = .milliseconds(100)...(.seconds(2))

    func run() async throws {
        await cancelWhenGracefulShutdown { await follow() }
    }

    private func follow() async {
        var last: Int64 = 0
        var pause = Self.pauses.lowerBound
        var isAway = false
        while !Task.isCancelled {
            let asked = ContinuousClock.now
            do {
                let answer = try await ask(last, Self.wait)
                last = answer.last
                end(answer.revocations)
                if isAway { logger.notice("ends of sessions are heard again") }
                isAway = false
                pause = Self.pauses.lowerBound
                // A service that is about to end waits for nothing.
                guard answer.revocations.isEmpty, ContinuousClock.now - asked < pause else { continue }
            } catch {
                guard !Task.isCancelled else { return }
                if !isAway { logger.warning("ends of sessions are not heard", error: error) }
                isAway = true
                pause = min(pause * 2, Self.pauses.upperBound)
            }
            try? await Task.sleep(for: pause * Double.random(in: 0.5...1))
        }
    }

    private func end(_ ended: [AuthAPI.Revocations.Revocation]) {
        guard !ended.isEmpty else { return }
        revocations.add(ended, leeway: leeway, now: Int64(Date.now.timeIntervalSince1970))
        let sessions = Set(ended.map(\.session))
        workers.forEach { $0.end(sessions) }
    }
}
