import AppClients
import FoundationEssentials
import PostgresServer
import StackKit

/// Auth, copies of a service and the gateway, on free loopback ports.
struct GatewayFixture: Sendable {
    private let name: String
    private let auth: Int
    /// The gateway's port.
    let gateway: Int
    private let admin: Int
    /// The ports of the service's copies.
    private let copies: [Int]
    private let environment: [String: String]
    private let executables: String
    private let scratch: String
    private let database: Database

    /// - Parameters:
    ///   - name: The service's executable.
    ///   - copies: The number of the service's copies.
    ///   - environment: The gateway's settings, beside the usual ones.
    init(
        _ name: String,
        _ bench: BenchContext,
        _ database: Database,
        copies: Int = 1,
        gateway environment: [String: String] = [:]
    ) throws {
        let ports = try FreePort.find(3 + copies)
        (auth, gateway, admin, self.copies) = (ports[0], ports[1], ports[2], Array(ports[3...]))
        (self.name, self.environment, self.database) = (name, environment, database)
        (executables, scratch) = (bench.executables, bench.scratch)
    }

    /// The port of the service's first copy.
    var service: Int { copies[0] }

    /// The processes of the service's copies.
    var processes: [Int32] { ProcessMemory.children(name) }

    private func url(_ port: Int) -> String { "http://127.0.0.1:\(port)" }

    /// Runs the programs while `body` runs.
    func withPrograms<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            let urls = [
                "AUTH_URL": url(auth), "\(name.uppercased())_URL": copies.map(url).joined(separator: ","),
            ]
            for (name, port) in [("auth", auth)] + copies.map({ (name, $0) }) {
                let own = ["DATABASE_URL": try database.url(role: name)]
                group.addTask { try await program(name, port, urls.merging(own) { $1 }) }
            }
            let limits = [
                "ADMIN_PORT": "\(admin)", "GATEWAY_ACCESS_LOG": "off", "RATE_ADDRESS": "0", "RATE_ACCOUNT": "0",
                "RATE_SIGN_IN": "0", "MAX_CONNECTIONS_PER_ADDRESS": "20000", "HEADER_TIMEOUT": "600",
            ].merging(environment) { $1 }
            group.addTask { try await program("gateway", gateway, urls.merging(limits) { $1 }) }
            group.addTask {
                for port in [auth] + copies + [admin] { try await untilReady(port) }
                return try await body()
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw StackError("the programs have exited")
        }
    }

    /// A client of an app that has a key.
    func client<Calls>(key: String) -> SeSACClient<Calls> { SeSACClient(url(gateway), key: key) }

    /// Whether the gateway sends requests to every copy.
    func usesAllCopies() async throws -> Bool {
        try await ProgramMetrics.lines(of: url(admin)).count { line in
            line.hasPrefix("gateway_upstream_up{") && line.contains("\"\(name)\"") && line.hasSuffix(" 1.0")
        } == copies.count
    }

    /// Signs a user up.
    ///
    /// - Returns: The access token.
    func join<Calls>(_ client: SeSACClient<Calls>, nick: String = "새싹") async throws -> String {
        let email = "bench-\(UInt32.random(in: 0 ... .max))@example.com"
        let account = SeSACAccount(email: email, password: "bench2025!", nick: nick)
        try await client.join(account)
        if client.token.isEmpty { try await client.signIn(account) }
        return client.token
    }

    /// Signs a user of Anlaka up.
    func join() async throws -> String { try await join(client(key: AppKey.anlaka) as AnlakaClient) }

    private func program<Value>(_ name: String, _ port: Int, _ environment: [String: String]) async throws -> Value? {
        let usual = ["HOST": "127.0.0.1", "PORT": "\(port)", "LOG_LEVEL": "error", "SERVICE_SOCKETS": scratch]
        return try await BenchProgram.run(
            "\(executables)/\(name)",
            [],
            environment: Programs.heaps.merging(usual) { $1 }.merging(environment) { $1 }
        )
    }

    private func untilReady(_ port: Int) async throws {
        for _ in 0..<500 {
            if await Health.isReady(url(port) + "/readyz") { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw StackError("\(port) does not become ready")
    }
}
