/// One program that `up` starts: which executable, and where it listens.
package struct Member: Sendable {
    /// The executable, and the name in every table, log and pid file.
    package var name: String
    package var role: Role
    /// Where it serves.
    package var port: Port
    /// Where it answers `/healthz` and `/readyz`, if not there.
    package var adminPort: Port?

    package enum Role: Sendable {
        /// Plays the outside world.
        case sandbox
        /// Owns a schema of the database.
        case service
        /// The one that phones talk to.
        case gateway
    }

    /// A number and the environment variable that changes it.
    package struct Port: Sendable, Equatable {
        package var variable: String
        package var number: Int
    }

    package var ports: [Port] { [port] + (adminPort.map { [$0] } ?? []) }

    package var url: String { "http://127.0.0.1:\(port.number)" }

    /// Answers 200 as soon as the program can serve.
    package var readyURL: String { "http://127.0.0.1:\((adminPort ?? port).number)/readyz" }

    package init(_ name: String, _ role: Role, port: Int, adminPort: Int? = nil) {
        let prefix = name.uppercased()
        self.name = name
        self.role = role
        self.port = Port(variable: "\(prefix)_PORT", number: port)
        self.adminPort = adminPort.map { Port(variable: "\(prefix)_ADMIN_PORT", number: $0) }
    }

    /// Takes the ports that the environment asks for.
    ///
    /// - Throws: `StackError` for a value that is no port.
    package mutating func move(_ environment: [String: String]) throws {
        try port.move(environment)
        try adminPort?.move(environment)
    }
}

extension Member.Port {
    fileprivate mutating func move(_ environment: [String: String]) throws {
        guard let text = environment[variable] else { return }
        guard let number = Int(text), (1...65_535).contains(number) else {
            throw StackError("\(variable) is \"\(text)\"; a port is a number from 1 to 65535")
        }
        self.number = number
    }
}
