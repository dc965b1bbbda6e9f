/// A program that `up` starts: its executable and ports.
package struct Program: Sendable {
    /// The executable, and the name in tables, logs and pid files.
    package var name: String
    package var role: Role
    /// The port that it serves.
    package var port: Port
    /// The port of a service's next copy during an upgrade, after which it is that of the running one.
    package var otherPort: Port?
    /// The port of `/healthz` and `/readyz`, if different.
    package var adminPort: Port?
    /// The port where it speaks TLS, if it does.
    package var tlsPort: Port?

    package enum Role: Sendable {
        /// Emulates external systems.
        case sandbox
        /// Owns a schema of the database.
        case service
        /// The gateway for clients.
        case gateway

        /// The variable with the address on which programs of the role listen; 127.0.0.1 without it.
        package var address: String {
            switch self {
            case .sandbox: "SANDBOX_ADDRESS"
            case .service: "SERVICES_ADDRESS"
            case .gateway: "GATEWAY_ADDRESS"
            }
        }
    }

    /// A port number and the environment variable that overrides it.
    package struct Port: Sendable, Equatable {
        package var variable: String
        package var number: Int
    }

    package var ports: [Port] { [port] + [otherPort, tlsPort, adminPort].compactMap(\.self) }

    /// The numbers of the ports that a process of it listens at, for tables.
    package var servedPorts: String {
        [port, tlsPort, adminPort].compactMap { $0.map { String($0.number) } }.joined(separator: " ")
    }

    package var url: String { Self.url(port) }

    /// The addresses that its callers know, joined by commas: of both ports, so that they need no restart when it is upgraded.
    package var urls: String { urls(with: nil) }

    /// The same, followed by those on other machines that run every service at the same ports.
    ///
    /// - Parameter peers: `PEER_HOSTS`, the machines' names or addresses, joined by commas.
    func urls(with peers: String?) -> String {
        let hosts = ["127.0.0.1"] + (peers ?? "").split(separator: ",").map(String.init)
        let ports = [port] + [otherPort].compactMap(\.self)
        return hosts.flatMap { host in ports.map { "http://\(host):\($0.number)" } }.joined(separator: ",")
    }

    private static func url(_ port: Port) -> String { "http://127.0.0.1:\(port.number)" }

    package var tlsURL: String? { tlsPort.map { "https://127.0.0.1:\($0.number)" } }

    /// Returns 200 once the program is ready.
    package var readyURL: String { "http://127.0.0.1:\((adminPort ?? port).number)/readyz" }

    package init(_ name: String, _ role: Role, port: Int, tlsPort: Int? = nil, adminPort: Int? = nil) {
        let prefix = name.uppercased()
        self.name = name
        self.role = role
        self.port = Port(variable: "\(prefix)_PORT", number: port)
        otherPort = role == .service ? Port(variable: "\(prefix)_SECOND_PORT", number: Self.second(port)) : nil
        self.tlsPort = tlsPort.map { Port(variable: "\(prefix)_TLS_PORT", number: $0) }
        self.adminPort = adminPort.map { Port(variable: "\(prefix)_ADMIN_PORT", number: $0) }
    }

    /// Applies the ports set in the environment.
    ///
    /// - Throws: `StackError` for an invalid port.
    package mutating func setPorts(from environment: [String: String]) throws {
        try port.setPorts(from: environment)
        otherPort?.number = Self.second(port.number)
        try otherPort?.setPorts(from: environment)
        try tlsPort?.setPorts(from: environment)
        try adminPort?.setPorts(from: environment)
    }

    /// A service's second port by default.
    private static func second(_ port: Int) -> Int { port <= 65_435 ? port + 100 : port - 100 }

    /// The program with its two ports in the other order; the program itself if it has one.
    package var onOtherPort: Program {
        var other = self
        if let next = otherPort { (other.port, other.otherPort) = (next, port) }
        return other
    }

    /// The program with the port first that a process of it serves.
    package func served(by process: ProcessIdentity) -> Program {
        process.variable("PORT") == otherPort.map { String($0.number) } ? onOtherPort : self
    }
}

extension Program.Port {
    fileprivate mutating func setPorts(from environment: [String: String]) throws {
        guard let text = environment[variable] else { return }
        guard let number = Int(text), (1...65_535).contains(number) else {
            throw StackError("\(variable) is \"\(text)\"; a port is a number from 1 to 65535")
        }
        self.number = number
    }
}
