import PostgresServer
import StackKit
import Synchronization

/// Moves schemas to a second server and back, by `stack move`.
///
/// The second server is temporary and ends with this process.
final class MoveFaults: Sendable {
    private let stack: StackCommand
    private let server = Mutex<PostgresServer?>(nil)

    init(_ stack: StackCommand) { self.stack = stack }

    func move(_ service: String) throws(FaultNotApplied) -> FaultAction {
        _ = try ProcessFaults(folder: stack.folder).process(service)
        guard stack.folder.isAtHome(service) else { throw FaultNotApplied("the schema of \(service) was away.") }
        return FaultAction {
            let server = try await self.target()
            guard let port = server.tcpPort else { throw StackError("the second server has no port") }
            let url = "postgres://postgres:\(server.password ?? "")@127.0.0.1:\(port)/\(Database.name)"
            try await self.stack.run(["move", service, "--to", url])
            return "The schema of \(service) moved to another server, and back."
        } end: {
            try await self.moveBack(service)
        }
    }

    /// Moves back what is away, and ends the second server.
    func undo(_ services: [String]) async throws {
        for service in services { try await moveBack(service) }
        guard let server = server.withLock({ $0.take() }) else { return }
        try await server.stop(.immediate)
    }

    private func moveBack(_ service: String) async throws {
        if !stack.folder.isAtHome(service) { try await stack.run(["move", service, "--to", "local"]) }
    }

    /// The second server, which is started the first time.
    private func target() async throws -> PostgresServer {
        if let server = server.withLock(\.self) { return server }
        let settings = ["wal_level": "logical", "shared_buffers": "64MB"]
        let next = try PostgresServer.temporary(port: 0, settings: settings)
        try await next.start(detached: false)
        server.withLock { $0 = next }
        return next
    }
}

extension LocalFolder {
    /// Whether a service's schema is in the installation's own database.
    fileprivate func isAtHome(_ service: String) -> Bool { ((try? place(of: service)) ?? nil) == nil }
}
