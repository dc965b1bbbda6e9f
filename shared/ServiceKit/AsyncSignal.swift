import NIOCore
import NIOPosix
import Synchronization

/// A signal that ends the pause of one task. A `wake` without a sleeping task is kept for the next `sleep`.
package final class AsyncSignal: Sendable {
    private struct State {
        var isWoken = false
        var sleeps: UInt64 = 0
        var sleeper: (sleep: UInt64, continuation: CheckedContinuation<Void, Never>)?
        /// The sleep that was cancelled, or whose time was over, before its task was suspended.
        var ended: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    package func wake() {
        let sleeper = state.withLock { state in
            let sleeper = state.sleeper
            state.sleeper = nil
            state.isWoken = sleeper == nil
            return sleeper
        }
        sleeper?.continuation.resume()
    }

    /// Returns on `wake`, after the time, or when the task is cancelled.
    package func sleep(atMost time: Duration) async {
        let sleep = state.withLock { state in
            state.sleeps += 1
            return state.sleeps
        }
        let timer = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(time)) { self.end(sleep) }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAwake = state.withLock { state in
                    if state.isWoken || state.ended == sleep {
                        state.isWoken = false
                        return true
                    }
                    state.sleeper = (sleep, continuation)
                    return false
                }
                if isAwake { continuation.resume() }
            }
        } onCancel: {
            end(sleep)
        }
    }

    private func end(_ sleep: UInt64) {
        let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard let sleeper = state.sleeper, sleeper.sleep == sleep else {
                state.ended = max(state.ended, sleep)
                return nil
            }
            state.sleeper = nil
            return sleeper.continuation
        }
        sleeper?.resume()
    }
}
