import ServiceLifecycle
import Sockets

/// Keeps the services of a process running until its WebSockets have moved to another copy or closed. To be the last
/// service before the servers, since services end in the reverse order.
struct SocketDrain: Service {
    let connections: OpenConnections

    func run() async throws {
        try await gracefulShutdown()
        await connections.end()
    }
}
