import Synchronization

/// Lets concurrent calls for the same key share one execution and its outcome.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let calls = Mutex<[Key: Task<Value, any Error>]>([:])

    package init() {}

    /// The outcome of the call that runs for this key; without one, `call` is run.
    ///
    /// - Parameter call: runs to its end even if its callers are cancelled, because others may wait for it.
    package func value(for key: Key, _ call: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let running = calls.withLock { calls in
            if let running = calls[key] { return running }
            let running = Task {
                defer { self.calls.withLock { $0[key] = nil } }
                return try await call()
            }
            calls[key] = running
            return running
        }
        return try await running.value
    }
}
