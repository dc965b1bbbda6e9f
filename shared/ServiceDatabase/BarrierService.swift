import ServiceLifecycle
import Synchronization

/// A barrier that is closed at first, and opens once or not at all.
final class StartupBarrier: Sendable {
    private enum State {
        case closed([CheckedContinuation<Bool, Never>])
        case settled(isOpen: Bool)
    }

    private let state = Mutex(State.closed([]))

    func open() { settle(isOpen: true) }

    private func settle(isOpen: Bool) {
        let waiting = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
            guard case .closed(let waiting) = state else { return [] }
            state = .settled(isOpen: isOpen)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: isOpen) }
    }

    /// Waits until the barrier is open.
    ///
    /// - Returns: False if the process ends before.
    func pass() async -> Bool {
        await withGracefulShutdownHandler {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isOpen = state.withLock { state -> Bool? in
                        switch state {
                        case .settled(let isOpen): return isOpen
                        case .closed(let waiting):
                            state = .closed(waiting + [continuation])
                            return nil
                        }
                    }
                    if let isOpen { continuation.resume(returning: isOpen) }
                }
            } onCancel: {
                settle(isOpen: false)
            }
        } onGracefulShutdown: {
            self.settle(isOpen: false)
        }
    }
}

/// A service that starts once a barrier is open.
struct BarrierService: Service {
    let base: any Service
    let gate: StartupBarrier

    func run() async throws {
        if await gate.pass() { try await base.run() }
    }
}
