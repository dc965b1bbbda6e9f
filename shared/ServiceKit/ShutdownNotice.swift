import ServiceLifecycle
import Synchronization
import UnixSignals

/// The time between SIGTERM and the end of a process's listener, in which it is not ready and still serves. Callers that
/// check `/readyz` go on to another copy in that time, so that nothing is on its way when connections close. SIGINT ends
/// the time: where all copies are stopped, there is no other one.
package final class ShutdownNotice: Service {
    private let duration: Duration
    private let begun = Atomic(false)
    private let (ends, ending) = AsyncStream<Void>.makeStream()

    package init(lasting duration: Duration) {
        self.duration = duration
    }

    /// Whether the process has been asked to end.
    package var hasBegun: Bool { begun.load(ordering: .relaxed) }

    /// Ends the time: nothing is served any more.
    package func end() { ending.finish() }

    /// Returns when the time is over, after which a `ServiceGroup` ends the services that come before this one.
    package func run() async throws {
        // From the start on, since SIGINT may also begin the shutdown.
        let interruptions = await UnixSignalsSequence(trapping: .sigint)
        try await gracefulShutdown()
        begun.store(true, ordering: .relaxed)
        try await withThrowingTaskGroup(of: Void.self) { [duration, ends] group in
            group.addTask { for await _ in interruptions { return } }
            group.addTask { for await _ in ends {} }
            group.addTask { try await Task.sleep(for: duration) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
