/// The URL of a database, in its parts: percent-encoded as in the URL.
package struct ServerURL: Sendable, Equatable {
    package var user: String
    /// nil if the server requires none.
    package var password: String?
    /// In the order in which they are tried.
    package var servers: [Server]
    package var database: String
    /// Parameters such as `sslmode=require`.
    package var options: [String]

    /// A host name, an address, or the directory of a Unix socket.
    package struct Server: Sendable, Equatable {
        package var host: String
        package var port: String

        package init(host: String, port: String) {
            (self.host, self.port) = (host, port)
        }

        var description: String { host.hasPrefix("/") ? "\(host) (port \(port))" : "\(host):\(port)" }
    }

    /// Parses `postgres://user:password@host:port/database?sslmode=require`; without a database it is `madang`.
    ///
    /// - Throws: `StackError` that names no part of the URL, which may have a password.
    package init(_ text: String) throws {
        let form = #/postgres(?:ql)?://(?:([^@/]*)@)?([^/?]*)(?:/([^?]*))?(?:\?(.*))?/#
        guard let parts = text.wholeMatch(of: form) else { throw Self.malformed }
        let account = (parts.1 ?? "").split(separator: ":", maxSplits: 1).map(String.init)
        guard let user = account.first else { throw Self.malformed }
        self.user = user
        password = account.count == 2 ? account[1] : nil
        let name = String(parts.3 ?? "")
        database = name.isEmpty ? Database.name : name
        servers = try parts.2.split(separator: ",").map(Self.server)
        let pairs = (parts.4 ?? "").split(separator: "&").map { pair in
            pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        func value(_ name: String) -> [String] {
            pairs.last { $0[0] == name && $0.count == 2 }.map { $0[1].split(separator: ",").map(String.init) } ?? []
        }
        if servers.isEmpty {
            let ports = value("port")
            servers = value("host").enumerated().map { index, host in
                Server(host: host, port: ports.count == 1 ? ports[0] : ports.dropFirst(index).first ?? "5432")
            }
        }
        options = pairs.filter { !["host", "port"].contains($0[0]) }.map { $0.joined(separator: "=") }
        guard !servers.isEmpty else { throw Self.malformed }
    }

    private static func server(_ address: Substring) throws -> Server {
        guard let parts = address.wholeMatch(of: #/(\[[^\]]+\]|[^:\[\]]+)(?::([0-9]+))?/#) else { throw malformed }
        return Server(host: String(parts.1.filter { $0 != "[" && $0 != "]" }), port: String(parts.2 ?? "5432"))
    }

    private static let malformed = StackError(
        "the URL has another form than postgres://administrator:password@host:port/database"
    )

    package var text: String {
        let account = user + (password.map { ":\($0)" } ?? "")
        let hosts = servers.map(\.host).joined(separator: ",")
        let ports = servers.map(\.port).joined(separator: ",")
        let parameters = (["host=\(hosts)", "port=\(ports)"] + options).joined(separator: "&")
        return "postgres://\(account)@/\(database)?\(parameters)"
    }

    /// The servers, for messages.
    package var place: String { servers.map(\.description).joined(separator: ", ") }

    package func of(database name: String) -> ServerURL {
        var other = self
        other.database = name
        return other
    }

    /// The URL of another role.
    package func of(role: String, password: String?) -> ServerURL {
        var other = self
        (other.user, other.password) = (role, password)
        return other
    }

    /// The same for a program of PostgreSQL that writes: the primary of several servers, of which each that does not answer
    /// is given up after five seconds.
    package var acceptingWrites: ServerURL {
        guard servers.count > 1 else { return self }
        var other = self
        let names = Set(options.map { $0.prefix { $0 != "=" } })
        for (name, value) in [("target_session_attrs", "read-write"), ("connect_timeout", "5")]
        where !names.contains(name[...]) {
            other.options.append("\(name)=\(value)")
        }
        return other
    }

    /// The URL of these servers and then those of another one, whose parameters are taken. Both have the same password, or
    /// one of them requires none.
    package func followed(by next: ServerURL) -> ServerURL {
        var both = next
        both.password = next.password ?? password
        both.servers = servers + next.servers
        return both
    }

    /// The password as the server knows it.
    package var plainPassword: String? {
        guard let password else { return nil }
        var bytes: [UInt8] = []
        var rest = password.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
