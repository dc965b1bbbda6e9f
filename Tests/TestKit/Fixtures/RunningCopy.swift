/// A copy of a service, which the test ends before its own end.
package struct RunningCopy<Value: Fixture>: Sendable {
    package let value: Value
    private let untilEnd: AsyncStream<Void>.Continuation
    private let running: Task<Void, any Error>

    /// Starts a copy.
    package static func start(_ run: @escaping FixtureTrait<Value>.Run) async throws -> RunningCopy {
        let (values, started) = AsyncStream<Value>.makeStream()
        let (untilEnd, end) = AsyncStream<Void>.makeStream()
        let running = Task {
            defer { started.finish() }
            try await run { value in
                started.yield(value)
                for await _ in untilEnd {}
            }
        }
        for await value in values { return RunningCopy(value: value, untilEnd: end, running: running) }
        try await running.value
        throw NotStarted()
    }

    /// Asks the copy to end, which offers its sockets to others.
    package func beginEnd() { untilEnd.finish() }

    /// Ends the copy.
    package func end() async throws {
        beginEnd()
        try await running.value
    }

    package struct NotStarted: Error {}
}
