import AsyncHTTPClient
import FoundationEssentials
import Glibc
import NIOCore
import PostgresServer
import Synchronization

/// The installed nats-server, on a loopback port of its own.
package final class NATSServer: Sendable {
    private static let path = ["/usr/sbin", "/usr/bin", "/usr/local/bin"].map { "\($0)/nats-server" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    package static let isInstalled = path != nil

    package let port: Int
    private let monitor: Int
    private let settings: [String]
    private let process = Mutex<ProgramProcess?>(nil)

    /// Runs `body` with a server.
    ///
    /// - Parameter settings: Options of the command line.
    package static func with<Value>(
        _ settings: [String] = [],
        _ body: (NATSServer) async throws -> Value
    ) async throws -> Value {
        let server = NATSServer(port: try FreePort.find(), monitor: try FreePort.find(), settings)
        try await server.start()
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(server))
        } catch {
            outcome = .failure(error)
        }
        await server.kill()
        return try outcome.get()
    }

    private init(port: Int, monitor: Int, _ settings: [String]) {
        self.port = port
        self.monitor = monitor
        self.settings = settings
    }

    package var url: String { "nats://127.0.0.1:\(port)" }

    /// Returns when it accepts connections.
    package func start() async throws {
        guard let path = Self.path else { throw ConditionTimeout(condition: "nats-server is installed") }
        let process = try await ProgramProcess.start(
            path,
            ["--addr", "127.0.0.1", "--port", String(port), "--http_port", String(monitor)] + settings,
            environment: [:],
            log: "/dev/null"
        )
        self.process.withLock { $0 = process }
        try await eventually("nats-server listens", within: .seconds(60)) {
            guard let connection = try? await RawConnection.connect(to: port) else { return false }
            await connection.close()
            return true
        }
    }

    /// Ends it as `kill -9` does.
    package func kill() async {
        let process = process.withLock { process in
            defer { process = nil }
            return process
        }
        process?.send(SIGCONT)
        await process?.end()
    }

    /// Keeps its connections open, and does nothing until `resume`, like a server that the network does not reach.
    package func pause() {
        process.withLock { $0?.send(SIGSTOP) }
    }

    package func resume() {
        process.withLock { $0?.send(SIGCONT) }
    }

    /// The subjects that its clients have subscribed to.
    package func subjects() async throws -> [String] {
        let request = HTTPClientRequest(url: "http://127.0.0.1:\(monitor)/connz?subs=1")
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
        let body = try await response.body.collect(upTo: 1 << 20)
        return try JSONDecoder().decode(Connections.self, from: Data(body.readableBytesView)).connections
            .flatMap { $0.subjects ?? [] }
    }

    private struct Connections: Decodable {
        struct Connection: Decodable {
            var subjects: [String]?

            enum CodingKeys: String, CodingKey {
                case subjects = "subscriptions_list"
            }
        }

        var connections: [Connection]
    }
}
