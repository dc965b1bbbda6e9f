import FoundationEssentials
import PostgresServer
import Synchronization
import TestKit

/// The installed PgBouncer, started by the script of deployments.
final class PgBouncer: Sendable {
    static let isInstalled = ServerProcess.path(of: "pgbouncer") != nil

    let port: Int
    private let server: PostgresServer
    private let process = Mutex<ProgramProcess?>(nil)

    /// Runs `body` with a PgBouncer in session mode before a server.
    static func with(_ server: PostgresServer, _ body: (PgBouncer) async throws -> Void) async throws {
        let pooler = try PgBouncer(before: server)
        try await pooler.start()
        do {
            try await body(pooler)
        } catch {
            await pooler.kill()
            throw error
        }
        await pooler.kill()
    }

    private init(before server: PostgresServer) throws {
        self.server = server
        port = try FreePort.find()
    }

    func start() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let script = try String(contentsOf: root.appending(path: "deploy/pgbouncer/start.sh"), encoding: .utf8)
        let process = try await ServerProcess.start(
            "/bin/sh",
            ["-c", script],
            environment: [
                "POSTGRES_HOST": server.directory, "LISTEN_ADDRESS": "127.0.0.1", "LISTEN_PORT": String(port),
                "POOL_MODE": "session", "POOL_SIZE": "20", "PGBOUNCER_FOLDER": "\(server.directory)/pgbouncer",
            ]
        )
        self.process.withLock { $0 = process }
    }

    /// Ends it as `kill -9` does.
    func kill() async {
        let process = process.withLock { process in
            defer { process = nil }
            return process
        }
        await process?.end()
    }
}
