import Synchronization

/// A message that waits for a batch or is in one. Cancelled while it waits, it is not written.
final class WaitingMessage: Sendable {
    typealias Continuation = CheckedContinuation<Message, any Error>

    private enum State {
        case new
        case waiting(Continuation)
        case inBatch(Continuation, isCancelled: Bool)
        case decided
    }

    let draft: MessageDraft
    /// When its room is no longer waited for.
    let end: ContinuousClock.Instant
    private let state = Mutex(State.new)

    init(_ draft: MessageDraft, until end: ContinuousClock.Instant) {
        self.draft = draft
        self.end = end
    }

    /// Begins to wait.
    ///
    /// - Returns: Whether it is to be written; otherwise it has been cancelled.
    func wait(_ continuation: Continuation) -> Bool {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isNew { continuation.resume(throwing: CancellationError()) }
        return isNew
    }

    /// Enters a batch.
    ///
    /// - Returns: Whether it is to be written; otherwise it has been cancelled.
    func enterBatch() -> Bool {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return false }
            state = .inBatch(continuation, isCancelled: false)
            return true
        }
    }

    /// Leaves a batch that has not written it.
    func leaveBatch() {
        let cancelled: Continuation? = state.withLock { state in
            guard case .inBatch(let continuation, let isCancelled) = state else { return nil }
            state = isCancelled ? .decided : .waiting(continuation)
            return isCancelled ? continuation : nil
        }
        cancelled?.resume(throwing: CancellationError())
    }

    func cancel() {
        let cancelled: Continuation? = state.withLock { state in
            switch state {
            case .new: state = .decided
            case .waiting(let continuation):
                state = .decided
                return continuation
            // Whether it is written is known at the end of the batch.
            case .inBatch(let continuation, _): state = .inBatch(continuation, isCancelled: true)
            case .decided: break
            }
            return nil
        }
        cancelled?.resume(throwing: CancellationError())
    }

    func decide(_ result: Result<Message, any Error>) {
        let continuation: Continuation? = state.withLock { state in
            defer { state = .decided }
            switch state {
            case .waiting(let continuation), .inBatch(let continuation, _): return continuation
            case .new, .decided: return nil
            }
        }
        continuation?.resume(with: result)
    }
}
