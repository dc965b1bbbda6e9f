import ServiceLifecycle
import Synchronization

/// Something that is closed at first, and open from some moment on.
final class Gate: Sendable {
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

    /// Waits until it is open; an end that is asked for first opens it for everybody.
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

/// A service that begins once a gate is open.
struct GatedService: Service {
    let base: any Service
    let gate: Gate

    func run() async throws {
        await gate.pass()
        try await base.run()
    }
}
