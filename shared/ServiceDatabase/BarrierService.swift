import ServiceLifecycle
import Synchronization

/// A barrier that is closed at first and opens once.
final class StartupBarrier: Sendable {
    private enum State {
        case closed([CheckedContinuation<Void, Never>])
        case open
    }

    private let state = Mutex(State.closed([]))

    func open() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard case .closed(let waiting) = state else { return [] }
            state = .open
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the barrier is open. A graceful shutdown opens it.
    func pass() async {
        await withGracefulShutdownHandler {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isOpen = state.withLock { state in
                        guard case .closed(let waiting) = state else { return true }
                        state = .closed(waiting + [continuation])
                        return false
                    }
                    if isOpen { continuation.resume() }
                }
            } onCancel: {
                open()
            }
        } onGracefulShutdown: {
            self.open()
        }
    }
}

/// A service that starts once a barrier is open.
struct BarrierService: Service {
    let base: any Service
    let gate: StartupBarrier

    func run() async throws {
        await gate.pass()
        try await base.run()
    }
}
