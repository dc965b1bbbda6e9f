/// The parsed components of a database URL.
struct ConnectionURL {
    typealias InvalidURL = PostgresConfiguration.InvalidURL

    var user = ""
    var password = ""
    var host = ""
    var port = 5432
    var database = ""
    var options: [String: String] = [:]

    private static let passedOn: Set<String> = [
        "sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword", "channel_binding", "target_session_attrs",
    ]

    init(_ url: String) throws(InvalidURL) {
        guard let scheme = ["postgres://", "postgresql://"].first(where: url.hasPrefix) else {
            throw InvalidURL("must have the form postgres://user:password@host:port/database")
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
        try readAddress(rest)
        try readQuery(query)
        guard !user.isEmpty else { throw InvalidURL("names no user") }
        guard !host.isEmpty else { throw InvalidURL("names no host") }
        if database.isEmpty { database = user }
    }

    private mutating func readAddress(_ address: Substring) throws(InvalidURL) {
        var port: Substring?
        if address.hasPrefix("["), let end = address.lastIndex(of: "]") {
            host = String(address[..<end].dropFirst())
            port = address[end...].dropFirst(1)
            if let text = port, !text.isEmpty, !text.hasPrefix(":") { throw InvalidURL("has a malformed IPv6 host") }
            port = port?.dropFirst()
        } else if let colon = address.lastIndex(of: ":") {
            host = try Self.decoded(address[..<colon], "host")
            port = address[colon...].dropFirst()
        } else {
            host = try Self.decoded(address, "host")
        }
        if let port, !port.isEmpty { try readPort(port) }
    }

    private mutating func readPort(_ text: Substring) throws(InvalidURL) {
        guard let number = UInt16(text), number > 0 else {
            throw InvalidURL("has a port that is not a number from 1 to 65535")
        }
        port = Int(number)
    }

    private mutating func readQuery(_ query: Substring) throws(InvalidURL) {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = try parts.count == 2 ? Self.decoded(parts[1], "parameter \(parts[0])") : ""
            switch parts[0] {
            case "host": host = value
            case "port": try readPort(value[...])
            case "user": user = value
            case "password": password = value
            case let name where Self.passedOn.contains(String(name)): options[String(name)] = value
            default: throw InvalidURL("has an unknown parameter: \(parts[0])")
            }
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
