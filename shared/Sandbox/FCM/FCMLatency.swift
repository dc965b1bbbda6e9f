import ServiceLifecycle
import Synchronization

/// How long FCM takes to answer.
final class FCMLatency: Sendable {
    private let milliseconds = Atomic<Int>(0)

    func set(milliseconds: Int) {
        self.milliseconds.store(milliseconds, ordering: .relaxed)
    }

    /// Returns when it is time to answer: at once unless it was set otherwise.
    func pass() async throws {
        let milliseconds = milliseconds.load(ordering: .relaxed)
        guard milliseconds > 0 else { return }
        let pause = Duration.milliseconds(milliseconds)
        // A moment may pass also when the sandbox is asked to end.
        guard pause > .seconds(1) else { return try await Task.sleep(for: pause) }
        try await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
    }
}
