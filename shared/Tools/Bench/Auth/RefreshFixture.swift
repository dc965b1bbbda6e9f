import AppClients
import FoundationEssentials
import Logging
import Postgres
import PostgresServer
import StackKit

/// Two gateways, auth and the sandbox, on free loopback ports. nginx with a response of 1 KB replaces the services
/// behind the gateways, so that only refresh and gateway are measured.
struct RefreshFixture: Sendable {
    private enum Port: Int, CaseIterable {
        case sandbox, auth, upstream, first, second, firstAdmin, secondAdmin
    }

    private let ports: [Int]
    private let executables: String
    private let authURL: String
    private let scratch: String
    private let database: PostgresClient

    init(_ bench: BenchContext, _ database: Database) throws {
        ports = try FreePort.find(Port.allCases.count)
        executables = bench.executables
        authURL = try database.url(role: "auth")
        scratch = bench.scratch
        let configuration = try PostgresConfiguration(url: authURL, schema: "auth", applicationName: "bench")
        var logger = Logger(label: "bench")
        logger.logLevel = .error
        self.database = PostgresClient(configuration, logger: logger)
    }

    private func url(_ port: Port) -> String { "http://127.0.0.1:\(ports[port.rawValue])" }

    // MARK: Processes

    /// Runs all programs but auth while `body` runs.
    func withPrograms<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await database.run()
                return nil
            }
            group.addTask { try await program("sandbox", .sandbox) }
            group.addTask {
                try upstream.write(toFile: "\(scratch)/nginx.conf", atomically: false, encoding: .utf8)
                return try await BenchProgram.run("nginx", ["-p", scratch, "-c", "\(scratch)/nginx.conf"])
            }
            for (port, admin) in [(Port.first, Port.firstAdmin), (.second, .secondAdmin)] {
                group.addTask {
                    try await program(
                        "gateway",
                        port,
                        [
                            "ADMIN_PORT": "\(ports[admin.rawValue])", "GATEWAY_ACCESS_LOG": "off",
                            // Without leeway, expired tokens are refused at once.
                            "ACCESS_TOKEN_LEEWAY": "0", "GATEWAY_REFRESH_WAIT": "10", "RATE_ADDRESS": "0",
                            "RATE_ACCOUNT": "0", "RATE_SIGN_IN": "0", "MAX_CONNECTIONS_PER_ADDRESS": "20000",
                            "HEADER_TIMEOUT": "60", "SEATS_URL": url(.upstream),
                        ]
                    )
                }
            }
            group.addTask {
                for port in [Port.sandbox, .upstream] { try await untilReady(port) }
                return try await body()
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw StackError("the programs have exited")
        }
    }

    /// Runs auth while `body` runs, and waits until both gateways have its keys.
    ///
    /// - Parameters:
    ///   - accessTime: The lifetime of access tokens in seconds; nil for the default.
    ///   - isKilled: Whether it is killed (`kill -9`).
    func withAuth<Value: Sendable>(
        accessTime: Int? = nil,
        isKilled: Bool = false,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        var environment = [
            "DATABASE_URL": authURL, "KAKAO_URL": url(.sandbox) + "/kakao", "SEATS_URL": url(.upstream),
            "WORKFORCE_URL": url(.upstream),
        ]
        environment["AUTH_ACCESS_TTL"] = accessTime.map(String.init)
        return try await withThrowingTaskGroup(of: Value?.self) { [environment] group in
            group.addTask { try await program("auth", .auth, environment, isKilled: isKilled) }
            group.addTask {
                for port in [Port.auth, .firstAdmin, .secondAdmin] { try await untilReady(port) }
                return try await body()
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw StackError("auth ended by itself")
        }
    }

    /// nginx's configuration.
    private var upstream: String {
        let answer = #"{"text":"\#(String(repeating: "x", count: 1013))"}"#
        return """
            daemon off; worker_processes 1; pid \(scratch)/nginx.pid; error_log stderr crit;
            events { worker_connections 4096; }
            http {
                access_log off; keepalive_requests 1000000000; default_type application/json;
                server {
                    listen 127.0.0.1:\(ports[Port.upstream.rawValue]);
                    location / { return 200 '\(answer)'; }
                }
            }
            """
    }

    private func program<Value>(
        _ name: String,
        _ port: Port,
        _ environment: [String: String] = [:],
        isKilled: Bool = false
    ) async throws -> Value? {
        let usual = [
            "HOST": "127.0.0.1", "PORT": "\(ports[port.rawValue])", "LOG_LEVEL": "error", "AUTH_URL": url(.auth),
        ]
        return try await BenchProgram.run(
            "\(executables)/\(name)",
            [],
            environment: usual.merging(environment) { $1 },
            isKilled: isKilled
        )
    }

    private func untilReady(_ port: Port) async throws {
        for _ in 0..<500 {
            if await Health.isReady(url(port) + "/readyz") { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw StackError("\(port) does not become ready")
    }

    // MARK: Clients

    /// Signs new users in.
    func signIn(_ count: Int) async throws -> [ClientTokens] {
        var pairs: [ClientTokens] = []
        for number in 0..<count {
            let client = SeatCatcherClient(url(.first))
            try await client.signIn(kakao: SandboxClient(url(.sandbox)).kakaoToken(5_000_001 + Int64(number)))
            if let tokens = client.connection.tokens { pairs.append(tokens) }
        }
        return pairs
    }

    /// A request with both tokens of a client.
    ///
    /// - Parameter gateway: 0 or 1.
    func request(of pair: ClientTokens, at gateway: Int) -> BurstLoad.Request {
        BurstLoad.Request(
            port: ports[(gateway == 0 ? Port.first : .second).rawValue],
            text: """
                GET /stations/1 HTTP/1.1\r\nHost: madang\r\nUser-Agent: SeatCatcher/1\r\n\
                Authorization: Bearer \(pair.accessToken)\r\nX-Refresh-Token: \(pair.refreshToken)\r\n\r\n
                """
        )
    }

    /// The total number of session refreshes.
    func rotations() async throws -> Int {
        try await Int(database.one("SELECT coalesce(sum(generation), 0) FROM sessions") { try $0.decode(Int64.self) })
    }
}
