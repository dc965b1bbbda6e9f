import ServiceKit

/// What could not be undone, a sentence each.
struct UndoFailures: Sendable {
    private(set) var sentences: [String] = []

    /// Undoes something, also if the task is cancelled.
    mutating func attempt(
        _ what: String,
        within limit: Duration = .seconds(10),
        _ body: @escaping @Sendable () async throws -> Void
    ) async {
        do {
            try await Task { try await withTimeout(limit, body) }.value
        } catch is TimedOut {
            sentences.append("\(what) could not be undone within \(limit).")
        } catch {
            sentences.append("\(what) could not be undone: \(error)")
        }
    }
}
