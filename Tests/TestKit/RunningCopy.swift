/// A copy of a service that runs until a test ends it.
package final class RunningCopy<World: Sendable>: Sendable {
    package let world: World
    private let untilEnd: AsyncStream<Void>.Continuation
    private let running: Task<Void, any Error>

    private init(world: World, untilEnd: AsyncStream<Void>.Continuation, running: Task<Void, any Error>) {
        self.world = world
        self.untilEnd = untilEnd
        self.running = running
    }

    deinit { untilEnd.finish() }

    /// - Parameter run: Runs a copy as long as the function that it calls.
    package static func start(
        _ run: @escaping @Sendable (@escaping @Sendable (World) async throws -> Void) async throws -> Void
    ) async throws -> RunningCopy {
        let (worlds, started) = AsyncStream<World>.makeStream()
        let (ends, untilEnd) = AsyncStream<Void>.makeStream()
        let running = Task {
            defer { started.finish() }
            try await run { world in
                started.yield(world)
                for await _ in ends {}
            }
        }
        for await world in worlds { return RunningCopy(world: world, untilEnd: untilEnd, running: running) }
        try await running.value
        throw CancellationError()
    }

    /// Ends the copy as SIGTERM does, and returns when it has ended.
    package func end() async throws {
        untilEnd.finish()
        try await running.value
    }

    /// Lets the copy end, and takes a socket from it. The copy may still be ending when this returns.
    ///
    /// - Returns: What the copy sent before the socket's state, and the state's frame.
    package func end(
        taking socket: MovableSocket
    ) async throws -> (before: [MovableSocket.Frame], state: MovableSocket.Frame) {
        untilEnd.finish()
        let left = try await socket.leave()
        await socket.connection.close()
        return left
    }
}
