import Synchronization

/// A value that is settled once, by whoever comes first: the answer, a deadline, or the cancellation of the waiting task.
struct Promise<Value: Sendable>: ~Copyable, Sendable {
    enum State {
        case open
        case awaited(UnsafeContinuation<Value, any Error>)
        case settled(Result<Value, any Error>)
        case taken
    }

    private let state = Mutex(State.open)

    /// Settles the promise; the first call wins.
    ///
    /// - Returns: whether this call was the first.
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

    /// Whether nobody has settled it yet.
    var isOpen: Bool {
        state.withLock { state in
            switch state {
            case .open, .awaited: true
            case .settled, .taken: false
            }
        }
    }

    /// Waits until the promise is settled, whatever happens to the current task. For one waiter.
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

    /// Waits, and settles with `CancellationError` when the current task is cancelled first.
    func value(onCancel: @Sendable () -> Void = {}) async throws -> Value {
        try await withTaskCancellationHandler {
            try await value
        } onCancel: {
            if settle(.failure(CancellationError())) { onCancel() }
        }
    }
}

/// A promise in the hands of several.
final class SharedPromise<Value: Sendable>: Sendable {
    let promise = Promise<Value>()
}
