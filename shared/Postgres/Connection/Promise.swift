import Synchronization

/// A value that is settled once, by the first of result, deadline and cancellation of the waiting task.
struct Promise<Value: Sendable>: ~Copyable, Sendable {
    enum State {
        case open
        case awaited(UnsafeContinuation<Value, any Error>)
        case settled(Result<Value, any Error>)
        case taken
    }

    private let state = Mutex(State.open)

    /// Settles the promise; only the first call has an effect.
    ///
    /// - Returns: Whether this call was the first.
    @discardableResult
    func settle(_ result: Result<Value, any Error>) -> Bool {
        let (waiting, isFirst): (UnsafeContinuation<Value, any Error>?, Bool) = state.withLock { state in
            switch state {
            case .open:
                state = .settled(result)
                return (nil, true)
            case .awaited(let continuation):
                state = .taken
                return (continuation, true)
            case .settled, .taken:
                return (nil, false)
            }
        }
        waiting?.resume(with: result)
        return isFirst
    }

    /// Whether the promise is not settled yet.
    var isOpen: Bool {
        state.withLock { state in
            switch state {
            case .open, .awaited: true
            case .settled, .taken: false
            }
        }
    }

    /// Waits until the promise is settled, regardless of cancellation. Supports a single waiter.
    var value: Value {
        get async throws {
            try await withUnsafeThrowingContinuation { continuation in
                let settled: Result<Value, any Error>? = state.withLock { state in
                    switch state {
                    case .open:
                        state = .awaited(continuation)
                        return nil
                    case .settled(let result):
                        state = .taken
                        return result
                    case .awaited, .taken:
                        preconditionFailure("a promise has one waiter")
                    }
                }
                if let settled { continuation.resume(with: settled) }
            }
        }
    }

    /// Waits, and settles with `CancellationError` if the current task is cancelled first.
    func value(onCancel: @Sendable () -> Void = {}) async throws -> Value {
        try await withTaskCancellationHandler {
            try await value
        } onCancel: {
            if settle(.failure(CancellationError())) { onCancel() }
        }
    }
}

/// A promise that can be shared.
final class SharedPromise<Value: Sendable>: Sendable {
    let promise = Promise<Value>()
}
