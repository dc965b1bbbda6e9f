/// Runs something for at most so long; then it is cancelled.
///
/// - Throws: `DeadlineExceeded`, or what `body` throws.
func withDeadline<Value: Sendable>(
    _ duration: Duration,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: duration)
            throw DeadlineExceeded()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw DeadlineExceeded() }
        return value
    }
}

/// Something took longer than it may.
struct DeadlineExceeded: Error {}
