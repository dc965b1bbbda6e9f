import ServiceLifecycle
import Synchronization

/// The configurable latency of FCM.
final class FCMLatency: Sendable {
    private let milliseconds = Atomic<Int>(0)

    func set(milliseconds: Int) {
        self.milliseconds.store(milliseconds, ordering: .relaxed)
    }

    /// Returns after the configured latency; immediately by default.
    func pass() async throws {
        let milliseconds = milliseconds.load(ordering: .relaxed)
        guard milliseconds > 0 else { return }
        let pause = Duration.milliseconds(milliseconds)
        // A short sleep need not be interrupted by shutdown.
        guard pause > .seconds(1) else { return try await Task.sleep(for: pause) }
        try await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
    }
}
