import Synchronization

/// A signal that ends the pause of one task. A `wake` without a sleeping task is kept for the next `sleep`.
package final class AsyncSignal: Sendable {
    private enum State {
        case idle
        case woken
        case asleep(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.idle)

    package init() {}

    package func wake() {
        let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .asleep(let sleeper) = state else {
                state = .woken
                return nil
            }
            state = .idle
            return sleeper
        }
        sleeper?.resume()
    }

    /// Returns on `wake`, after the time, or when the task is cancelled.
    package func sleep(atMost time: Duration) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                try? await Task.sleep(for: time)
                if !Task.isCancelled { self.wake() }
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isAwake = state.withLock { state in
                        if case .woken = state {
                            state = .idle
                            return true
                        }
                        state = .asleep(continuation)
                        return false
                    }
                    if isAwake { continuation.resume() }
                }
            } onCancel: {
                wake()
            }
            group.cancelAll()
        }
    }
}
