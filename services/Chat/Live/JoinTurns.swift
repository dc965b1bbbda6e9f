import DequeModule

/// Lets a limited number of sockets join their rooms at once, and the others in the order in which they came.
///
/// After a restart of the gateway all phones connect again within seconds. Their statements would wait for each other
/// longer than the database's client allows, and the sockets be refused.
actor JoinTurns {
    private var free: Int
    private var waiting: Deque<CheckedContinuation<Void, Never>> = []

    /// The number of sockets that wait for their turn.
    var count: Int { waiting.count }

    /// - Parameter limit: The number of sockets that join at once; enough for the statements to share round trips.
    init(limit: Int = 64) {
        free = limit
    }

    /// Executes `join` when it is its turn. It must not wait for the client, which may be slow.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before, as that of a socket that has closed: a phone that has
    ///   given up and connects again is not served twice.
    nonisolated func take<Value: Sendable>(_ join: () async throws -> Value) async throws -> Value {
        await begin()
        do {
            try Task.checkCancellation()
            let value = try await join()
            await end()
            return value
        } catch {
            await end()
            throw error
        }
    }

    private func begin() async {
        guard free == 0 else { return free -= 1 }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func end() {
        if let next = waiting.popFirst() { next.resume() } else { free += 1 }
    }
}
