import AppClients
import FoundationEssentials
import PostgresServer
import StackKit

/// Auth, a service and the gateway, on free loopback ports.
struct GatewayFixture: Sendable {
    private enum Port: Int, CaseIterable {
        case auth, service, gateway, admin
    }

    private let name: String
    private let ports: [Int]
    private let executables: String
    private let database: Database

    /// - Parameter name: The service's executable.
    init(_ name: String, _ bench: BenchContext, _ database: Database) throws {
        self.name = name
        ports = try FreePort.find(Port.allCases.count)
        executables = bench.executables
        self.database = database
    }

    /// The gateway's port.
    var gateway: Int { ports[Port.gateway.rawValue] }

    /// The service's port.
    var service: Int { ports[Port.service.rawValue] }

    private func url(_ port: Port) -> String { "http://127.0.0.1:\(ports[port.rawValue])" }

    /// Runs the three programs while `body` runs.
    func withPrograms<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            let urls = ["AUTH_URL": url(.auth), "\(name.uppercased())_URL": url(.service)]
            for (name, port) in [("auth", Port.auth), (name, .service)] {
                let own = ["DATABASE_URL": try database.url(role: name)]
                group.addTask { try await program(name, port, urls.merging(own) { $1 }) }
            }
            let limits = [
                "ADMIN_PORT": "\(ports[Port.admin.rawValue])", "GATEWAY_ACCESS_LOG": "off", "RATE_ADDRESS": "0",
                "RATE_ACCOUNT": "0", "RATE_SIGN_IN": "0", "MAX_CONNECTIONS_PER_ADDRESS": "20000",
                "HEADER_TIMEOUT": "600",
            ]
            group.addTask { try await program("gateway", .gateway, urls.merging(limits) { $1 }) }
            group.addTask {
                for port in [Port.auth, .service, .admin] { try await untilReady(port) }
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
    func client<Calls>(key: String) -> SeSACClient<Calls> { SeSACClient(url(.gateway), key: key) }

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

    private func program<Value>(_ name: String, _ port: Port, _ environment: [String: String]) async throws -> Value? {
        let usual = ["HOST": "127.0.0.1", "PORT": "\(ports[port.rawValue])", "LOG_LEVEL": "error"]
        return try await BenchProgram.run(
            "\(executables)/\(name)",
            [],
            environment: Programs.heaps.merging(usual) { $1 }.merging(environment) { $1 }
        )
    }

    private func untilReady(_ port: Port) async throws {
        for _ in 0..<500 {
            if await Health.isReady(url(port) + "/readyz") { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw StackError("\(port) does not become ready")
    }
}
