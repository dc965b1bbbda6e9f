import Logging
import ServiceLifecycle

/// A server beside another one: it starts when that one listens, and begins to end when it does not any more.
struct SecondServer: Service {
    let server: any Service
    /// Has an element when the other one listens, and ends with its listener.
    let isListening: AsyncStream<Void>
    let logger: Logger

    func run() async throws {
        for await _ in isListening.cancelOnGracefulShutdown() {
            let group = ServiceGroup(services: [server], logger: logger)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    for await _ in isListening {}
                    await group.triggerGracefulShutdown()
                }
                try await group.run()
                tasks.cancelAll()
            }
        }
        // A service that returns earlier ends the others.
        try? await gracefulShutdown()
    }
}
