import Glibc
import PostgresServer
import Synchronization

@testable import Postgres

/// A stand-in for PgBouncer 1.21 or later in transaction mode (PgBouncer's documentation, "Features"), stricter than it is:
/// each transaction of a client goes to another connection of the server than the one before, and what needs a session
/// is recorded as a violation.
final class TransactionPooler: Sendable {
    /// A connection to the server, with the names that are prepared on it.
    struct Server {
        let socket: MessageSocket
        var prepared: Set<String> = []
    }

    private struct Servers {
        /// The one that was used last is the last.
        var idle: [Server] = []
        /// How many may still be opened.
        var rest: Int
    }

    let port: Int
    private let listener: MessageSocket
    private let servers: Mutex<Servers>
    private let open: @Sendable () throws -> Server
    private let found = Mutex<[String]>([])

    /// What clients have sent that a pooler in transaction mode does not bear.
    var violations: [String] { found.withLock(\.self) }

    /// - Parameter servers: The number of connections to the database `madang` of the server, which are opened when needed.
    init(before server: PostgresServer, servers: Int) throws {
        (listener, port) = try MessageSocket.listen()
        self.servers = Mutex(Servers(rest: servers))
        open = { [directory = server.directory] in try Self.connect(directory, "chat", "madang") }
        BlockingThread.start { [self] in
            while let socket = try? listener.accept() {
                BlockingThread.start { try? PooledClient(socket, of: self).serve() }
            }
        }
    }

    func close() {
        shutdown(listener.descriptor, Int32(SHUT_RDWR))
        listener.close()
        for server in servers.withLock(\.idle) { server.socket.close() }
    }

    func report(_ violation: String) {
        found.withLock { $0.append(violation) }
    }

    /// The connection that has been unused for longest, after waiting for one.
    func take() throws -> Server {
        while true {
            let mayOpen = servers.withLock { servers in
                guard servers.rest > 0 else { return false }
                servers.rest -= 1
                return true
            }
            if mayOpen { return try open() }
            if let server = servers.withLock({ $0.idle.isEmpty ? nil : $0.idle.removeFirst() }) { return server }
            usleep(200)
        }
    }

    func giveBack(_ server: Server) {
        servers.withLock { $0.idle.append(server) }
    }

    private static func connect(_ directory: String, _ user: String, _ database: String) throws -> Server {
        let socket = try MessageSocket.connect(toServerIn: directory)
        let version = MessageSocket.bytes(196_608)
        let parameters = MessageSocket.text("user", user, "database", database, "client_encoding", "UTF8") + [0]
        try socket.write(MessageSocket.withLength(version + parameters))
        while try socket.readMessage().kind != "Z" {}
        return Server(socket: socket)
    }
}
