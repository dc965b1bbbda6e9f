import AppClients
import Apps
import Contracts
import FoundationEssentials
import Glibc
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Postgres
import PostgresServer
import ServiceKit
import Synchronization
import TestKit

@testable import Auth
@testable import Sandbox

/// Auth and two gateways in processes of their own for refresh storms, on a PostgreSQL with durable commits. Behind the
/// gateways one service replaces all others and counts the requests that arrive.
final class RefreshPlatform: Sendable {
    let database: PostgresClient
    let sandbox: String
    let gatewayPorts: [Int]
    let echo: Echo
    private let server: PostgresServer
    private let authPort: Int
    private let authEnvironment: [String: String]
    private let auth = Mutex<ProgramProcess?>(nil)

    /// The requests that have arrived at the service, counted by body.
    final class Echo: Sendable {
        private let bodies = Mutex<[String: Int]>([:])

        func note(_ body: String) { bodies.withLock { $0[body, default: 0] += 1 } }

        var arrived: [String: Int] { bodies.withLock { $0 } }
    }

    /// - Parameters:
    ///   - settings: added to auth's environment.
    ///   - wait: how long requests wait for new tokens, in seconds.
    static func test(
        _ settings: [String: String] = [:],
        wait: Int = 10,
        _ body: @Sendable (RefreshPlatform) async throws -> Void
    ) async throws {
        let server = try await TestServer.another(settings: ["shared_buffers": "64MB", "max_connections": "100"])
        try await server.start(detached: false)
        let outcome: Result<Void, any Error>
        do {
            try await run(server, settings, wait, body)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await server.stop(.immediate)
        try outcome.get()
    }

    private static func run(
        _ server: PostgresServer,
        _ settings: [String: String],
        _ wait: Int,
        _ body: @Sendable (RefreshPlatform) async throws -> Void
    ) async throws {
        let configuration = try PostgresConfiguration(
            url: server.adminURL(),
            schema: "auth",
            applicationName: "test"
        )
        let database = PostgresClient(configuration, logger: .quiet)
        let ports = try FreePort.find(7)
        let platform = try RefreshPlatform(server, database: database, ports: ports, settings: settings)
        var settings = SandboxConfiguration()
        settings.port = ports[0]
        let runners = [
            ServiceRunner { [settings] in try buildSandbox(settings, logger: .quiet) },
            ServiceRunner { [echo = platform.echo] in try seats(echo, port: ports[2]) },
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await database.run() }
            defer { group.cancelAll() }
            for runner in runners { try await runner.start() }
            try await platform.startAuth()
            let fronts = try await platform.startGateways(ports, wait: wait)
            let outcome: Result<Void, any Error>
            do {
                try await body(platform)
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            for front in fronts { await front.end() }
            await platform.killAuth()
            for runner in runners { try await runner.stop() }
            try outcome.get()
        }
    }

    private init(
        _ server: PostgresServer,
        database: PostgresClient,
        ports: [Int],
        settings: [String: String]
    ) throws {
        self.database = database
        self.server = server
        sandbox = "http://127.0.0.1:\(ports[0])"
        authPort = ports[1]
        gatewayPorts = Array(ports[3...4])
        echo = Echo()
        authEnvironment = [
            "HOST": "127.0.0.1", "PORT": "\(ports[1])", "DATABASE_URL": try server.adminURL(), "LOG_LEVEL": "error",
            "KAKAO_URL": "\(sandbox)/kakao", "SEATS_URL": "http://127.0.0.1:\(ports[2])",
            "WORKFORCE_URL": "http://127.0.0.1:\(ports[2])",
        ].merging(settings) { $1 }
    }

    private static func seats(_ echo: Echo, port: Int) throws -> some ApplicationProtocol {
        try ServiceHost.application(
            "seats",
            configuration: HostConfiguration(.seats, port: port),
            apiDocument: Array("{}".utf8),
            services: [],
            checks: [],
            logger: .quiet,
            prepare: {},
            routes: { router in
                let app = router.app(.seatcatcher)
                app.post("reports") { request, context in
                    echo.note(String(buffer: try await request.body.collect(upTo: 1 << 20)))
                    return Response(status: .created)
                }
                app.get("stations") { _, _ in Response(status: .ok) }
                router.on(.post, "internal/events", from: .auth) { _, _ in Response(status: .noContent) }
            }
        )
    }

    // MARK: Processes

    /// - Parameter settings: added to auth's environment.
    func startAuth(_ settings: [String: String] = [:]) async throws {
        let process = try await ProgramProcess.start(
            "auth",
            environment: authEnvironment.merging(settings) { $1 },
            log: "/dev/null"
        )
        auth.withLock { $0 = process }
        try await Self.untilReady("http://127.0.0.1:\(authPort)")
    }

    /// Kills auth, as `kill -9` does.
    func killAuth() async {
        await auth.withLock { auth in
            defer { auth = nil }
            return auth
        }?.end()
    }

    /// Stops PostgreSQL at once, as a power failure does.
    func killDatabase() async throws {
        try await server.kill()
    }

    func startDatabase() async throws {
        try await server.start(detached: false)
    }

    private func startGateways(_ ports: [Int], wait: Int) async throws -> [ProgramProcess] {
        var processes: [ProgramProcess] = []
        for (port, admin) in zip(ports[3...4], ports[5...6]) {
            let environment = [
                "HOST": "127.0.0.1", "PORT": "\(port)", "ADMIN_PORT": "\(admin)", "GATEWAY_THREADS": "1",
                "GATEWAY_ACCESS_LOG": "off", "LOG_LEVEL": "error", "ACCESS_TOKEN_LEEWAY": "0",
                "GATEWAY_REFRESH_WAIT": "\(wait)", "RATE_ADDRESS": "0", "RATE_ACCOUNT": "0", "RATE_SIGN_IN": "0",
                "HEADER_TIMEOUT": "60", "UPSTREAM_TIMEOUT": "120",
                "MAX_CONNECTIONS_PER_ADDRESS": "20000", "AUTH_URL": "http://127.0.0.1:\(authPort)",
                "SEATS_URL": "http://127.0.0.1:\(ports[2])",
            ]
            processes.append(try await ProgramProcess.start("gateway", environment: environment, log: "/dev/null"))
            try await Self.untilReady("http://127.0.0.1:\(admin)")
        }
        return processes
    }

    private static func untilReady(_ url: String) async throws {
        try await eventually {
            (try? await HTTPTransport(url).send(.get, "/readyz").status) == 200
        }
    }

    // MARK: Clients

    /// The URL of a gateway.
    func url(_ gateway: Int) -> String { "http://127.0.0.1:\(gatewayPorts[gateway])" }

    /// Signs a SeatCatcher user in.
    func signIn(kakao id: Int64) async throws -> ClientTokens {
        let client = SeatCatcherClient(url(0))
        try await client.signIn(kakao: SandboxClient(sandbox).kakaoToken(id))
        return ClientTokens(accessToken: client.token, refreshToken: client.refreshToken)
    }

    /// Sends a request of SeatCatcher with a pair of tokens, or only one of them.
    func send(
        _ call: KeyPath<SeatCatcher, Operation> = \.searchStations,
        access: String? = nil,
        refresh: String? = nil,
        at gateway: Int,
        from userAgent: String = "SeatCatcher/1"
    ) async throws -> ClientResponse {
        var headers = ["User-Agent": userAgent]
        headers["Authorization"] = access.map { "Bearer \($0)" }
        headers["X-Refresh-Token"] = refresh
        let operation = SeatCatcher()[keyPath: call]
        return try await HTTPTransport(url(gateway)).send(operation.method, operation.path, headers: headers)
    }

    /// How often sessions were refreshed: the sum, and the maximum of one session.
    func rotations() async throws -> (sum: Int, most: Int) {
        try await database.one("SELECT sum(generation), max(generation) FROM sessions") { row in
            let (sum, most) = try row.decode(as: (Int64, Int).self)
            return (Int(sum), most)
        }
    }
}
