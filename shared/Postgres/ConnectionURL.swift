/// The parsed components of a database URL.
struct ConnectionURL {
    typealias InvalidURL = PostgresConfiguration.InvalidURL

    var user = ""
    var password = ""
    /// In the order in which they are tried.
    var servers: [Server] = []
    var database = ""
    var options: [String: String] = [:]

    /// A host name, an address, or the directory of a Unix socket.
    struct Server: Hashable, CustomStringConvertible {
        var host: String
        var port: Int

        var description: String { host.hasPrefix("/") ? "\(host) (port \(port))" : "\(host):\(port)" }
    }

    private static let passedOn: Set<String> = [
        "sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword", "channel_binding", "target_session_attrs",
    ]

    init(_ url: String) throws(InvalidURL) {
        guard let scheme = ["postgres://", "postgresql://"].first(where: url.hasPrefix) else {
            throw InvalidURL("must have the form postgres://user:password@host:port,host:port/database")
        }
        var rest = url.dropFirst(scheme.count)
        var query: Substring = ""
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let slash = rest.firstIndex(of: "/") {
            database = try Self.decoded(rest[rest.index(after: slash)...], "database")
            rest = rest[..<slash]
        }
        if let at = rest.lastIndex(of: "@") {
            let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            user = try Self.decoded(parts[0], "user")
            password = try parts.count == 2 ? Self.decoded(parts[1], "password") : ""
            rest = rest[rest.index(after: at)...]
        }
        for address in rest.split(separator: ",") { servers.append(try Self.server(address)) }
        try readQuery(query)
        guard !user.isEmpty else { throw InvalidURL("names no user") }
        guard !servers.isEmpty, servers.allSatisfy({ !$0.host.isEmpty }) else { throw InvalidURL("names no host") }
        if database.isEmpty { database = user }
        // Of several servers, the one that accepts writes is wanted, also after a failover.
        if servers.count > 1, options["target_session_attrs"] == nil { options["target_session_attrs"] = "read-write" }
    }

    private static func server(_ address: Substring) throws(InvalidURL) -> Server {
        if address.hasPrefix("["), let end = address.lastIndex(of: "]") {
            let port = address[end...].dropFirst()
            guard port.isEmpty || port.hasPrefix(":") else { throw InvalidURL("has a malformed IPv6 host") }
            return Server(host: String(address[..<end].dropFirst()), port: try Self.port(port.dropFirst()))
        }
        guard let colon = address.lastIndex(of: ":") else {
            return Server(host: try decoded(address, "host"), port: try port(""))
        }
        return Server(host: try decoded(address[..<colon], "host"), port: try port(address[colon...].dropFirst()))
    }

    private static func port(_ text: Substring) throws(InvalidURL) -> Int {
        if text.isEmpty { return 5432 }
        guard let number = UInt16(text), number > 0 else {
            throw InvalidURL("has a port that is not a number from 1 to 65535")
        }
        return Int(number)
    }

    private mutating func readQuery(_ query: Substring) throws(InvalidURL) {
        var (hosts, ports): ([Substring], [Substring]) = ([], [])
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = try parts.count == 2 ? Self.decoded(parts[1], "parameter \(parts[0])") : ""
            switch parts[0] {
            case "host": hosts = value.split(separator: ",")
            case "port": ports = value.split(separator: ",")
            case "user": user = value
            case "password": password = value
            case let name where Self.passedOn.contains(String(name)): options[String(name)] = value
            default: throw InvalidURL("has an unknown parameter: \(parts[0])")
            }
        }
        if !hosts.isEmpty {
            let port = servers.first?.port ?? 5432
            servers = hosts.map { Server(host: String($0), port: port) }
        }
        guard ports.count <= 1 || ports.count == servers.count else {
            throw InvalidURL("has \(ports.count) ports for \(servers.count) hosts")
        }
        for index in servers.indices {
            guard let port = ports.count == 1 ? ports[0] : ports.dropFirst(index).first else { continue }
            servers[index].port = try Self.port(port)
        }
    }

    private static func decoded(_ text: Substring, _ part: String) throws(InvalidURL) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
                throw InvalidURL("has a % in its \(part) without two hexadecimal digits behind it (write % as %25)")
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
            throw InvalidURL("has a \(part) that is not UTF-8 text")
        }
        return text
    }
}
