import NIOCore
import NIOPosix
import Synchronization
import TestKit

/// A service for a test: it runs a script on every accepted connection.
final class TestUpstream: Sendable {
    typealias Script = @Sendable (RawConnection) async throws -> Void

    let port: Int
    private let channels: Mutex<[any Channel]>
    private let log: RequestLog
    private let script: Script

    /// The complete requests, without health checks.
    var requests: [RawMessage] { log.requests.withLock { $0 } }
    /// The count of accepted connections, without those of health checks.
    var connectionCount: Int { log.connections.withLock { $0 } }

    /// The count of accepted connections at a Unix socket.
    var socketCount: Int { log.sockets.withLock { $0 } }

    private final class RequestLog: Sendable {
        let sockets = Mutex(0)
        let requests = Mutex<[RawMessage]>([])
        let connections = Mutex(0)
        let open = Mutex<[RawConnection]>([])
    }

    private init(channel: any Channel, log: RequestLog, script: @escaping Script) {
        self.channels = Mutex([channel])
        self.log = log
        self.script = script
        self.port = channel.localAddress?.port ?? 0
    }

    deinit { channels.withLock { for channel in $0 { channel.close(promise: nil) } } }

    /// Listens at a Unix socket as well.
    func listen(at path: String) async throws {
        let bootstrap = Self.bootstrap(log, script)
        let channel = try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        channels.withLock { $0.append(channel) }
    }

    /// A service that answers each request.
    static func answering(
        port: Int = 0,
        _ answer: @escaping @Sendable (RawMessage) async throws -> String = { _ in ok("{}") }
    ) async throws -> TestUpstream {
        let log = RequestLog()
        return try await start(port: port, log: log) { connection in
            var isCounted = false
            while let request = await connection.readMessage() {
                if try await answerHealth(request, on: connection) { continue }
                if !isCounted { log.connections.withLock { $0 += 1 } }
                isCounted = true
                log.requests.withLock { $0.append(request) }
                try await connection.send(try await answer(request))
            }
            await connection.close()
        }
    }

    /// A service that runs a script on every connection; the script must answer `/readyz` by `answerHealth`.
    static func playing(port: Int = 0, _ script: @escaping Script) async throws -> TestUpstream {
        try await start(port: port, log: RequestLog(), script)
    }

    /// Answers a health check; returns whether the request was one.
    static func answerHealth(_ request: RawMessage, on connection: RawConnection) async throws -> Bool {
        guard request.start.hasPrefix("GET /readyz ") || request.start.contains(" /internal/") else { return false }
        try await connection.send(ok("ready"))
        return true
    }

    /// Sends back what comes, until the other side ends.
    static func echo(_ connection: RawConnection) async throws {
        while let bytes = await connection.read({
            $0.readableBytes > 0 ? $0.readSlice(length: $0.readableBytes) : nil
        }) {
            try await connection.send(bytes)
        }
        try await connection.closeOutput()
    }

    static func ok(_ body: String, headers: String = "") -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
    }

    /// Stops the service and closes all its connections.
    func stop() async {
        for channel in channels.withLock({ $0 }) { try? await channel.close().get() }
        for connection in log.open.withLock({ $0 }) { await connection.close() }
    }

    private static func start(port: Int, log: RequestLog, _ script: @escaping Script) async throws -> TestUpstream {
        let channel = try await bootstrap(log, script).bind(host: "127.0.0.1", port: port).get()
        return TestUpstream(channel: channel, log: log, script: script)
    }

    private static func bootstrap(_ log: RequestLog, _ script: @escaping Script) -> ServerBootstrap {
        ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = try RawConnection.add(to: channel)
                    if channel.localAddress?.port == nil { log.sockets.withLock { $0 += 1 } }
                    log.open.withLock { $0.append(connection) }
                    Task { try await script(connection) }
                }
            }
    }
}
