/// Runs `body`, and cancels it after a duration.
///
/// - Throws: `TimedOut`, or an error of `body`.
package func withTimeout<Value: Sendable>(
    _ duration: Duration,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: duration)
            throw TimedOut()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw TimedOut() }
        return value
    }
}

/// The operation did not complete within its timeout.
package struct TimedOut: Error {}
