import NIOCore

/// Where servers of NATS are, and how they are met.
package struct NATSConfiguration: Sendable, Equatable {
    package struct Host: Sendable, Hashable, CustomStringConvertible {
        /// A name or an address.
        package var name: String
        package var port: Int

        package var description: String { name.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)" }
    }

    enum Credentials: Equatable {
        case none
        case password(user: String, password: String)
        case token(String)
    }

    package internal(set) var hosts: [Host] = []
    var credentials = Credentials.none
    /// Whether a server that offers no TLS is refused.
    var requiresTLS = false
    /// The path of a file with the certificates of authorities in PEM format; nil for those of the system.
    var authorities: String?
    /// The name that the servers' cluster must have; nil for any.
    var cluster: String?
    /// The first token of all subjects.
    package internal(set) var prefix = "madang"

    /// Parses a URL: `nats://user:password@host:4222,host2:4222?cluster=name`, parts percent-encoded where needed.
    ///
    /// `tls://` requires TLS, a user without a password is a token, addresses of IPv6 stand in brackets, and the port is 4222
    /// by default. Parameters: `cluster`, the name that the servers' cluster must have; `prefix`, the first token of all
    /// subjects, `madang` by default; `ca`, the path of a file with certificates of authorities.
    ///
    /// - Throws: `InvalidURL` with one sentence that names the invalid part, without the password.
    package init(url: String) throws(InvalidURL) {
        guard let scheme = ["nats://", "tls://"].first(where: url.hasPrefix) else {
            throw InvalidURL("must have the form nats://user:password@host:port,host:port")
        }
        requiresTLS = scheme == "tls://"
        var rest = url.dropFirst(scheme.count)
        guard !rest.contains("#") else { throw InvalidURL("has a # (write %23)") }
        if let mark = rest.firstIndex(of: "?") {
            try readParameters(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        if let at = rest.lastIndex(of: "@") {
            try readCredentials(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        guard !rest.contains("/") else { throw InvalidURL("has a / after its hosts, or names a scheme twice") }
        for address in rest.split(separator: ",", omittingEmptySubsequences: false) {
            let host = try Self.host(address)
            guard !hosts.contains(host) else { throw InvalidURL("names \(host) twice") }
            hosts.append(host)
        }
    }

    /// A URL that cannot be used.
    package struct InvalidURL: Error, CustomStringConvertible, Equatable {
        package let description: String

        init(_ problem: String) {
            description = "the NATS URL \(problem)"
        }
    }

    private mutating func readCredentials(_ text: Substring) throws(InvalidURL) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let user = try Self.decoded(parts[0], "user")
        guard !user.isEmpty else { throw InvalidURL("has an @ without a user before it") }
        guard parts.count == 2 else {
            credentials = .token(user)
            return
        }
        let password = try Self.decoded(parts[1], "password")
        guard !password.isEmpty else { throw InvalidURL("has an empty password") }
        credentials = .password(user: user, password: password)
    }

    private mutating func readParameters(_ query: Substring) throws(InvalidURL) {
        var names: Set<Substring> = []
        for pair in query.split(separator: "&", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard names.insert(parts[0]).inserted else { throw InvalidURL("has the parameter \(parts[0]) twice") }
            let value = try parts.count == 2 ? Self.decoded(parts[1], "parameter \(parts[0])") : ""
            switch parts[0] {
            case "cluster": cluster = value
            case "ca": authorities = value
            case "prefix":
                guard value.utf8.allSatisfy({ $0.isSubjectCharacter }) else {
                    throw InvalidURL("has a prefix with other characters than letters, digits, - and _")
                }
                prefix = value
            default: throw InvalidURL("has an unknown parameter: \(parts[0])")
            }
            guard !value.isEmpty else { throw InvalidURL("has an empty parameter: \(parts[0])") }
        }
    }

    private static func host(_ address: Substring) throws(InvalidURL) -> Host {
        if address.hasPrefix("[") {
            guard let end = address.lastIndex(of: "]") else { throw InvalidURL("has a [ without a ]") }
            let name = String(address[..<end].dropFirst())
            let rest = address[address.index(after: end)...]
            let address = try? SocketAddress(ipAddress: name, port: 0)
            guard rest.isEmpty || rest.hasPrefix(":"), address?.protocol == .inet6 else {
                throw InvalidURL("has a malformed IPv6 host")
            }
            return Host(name: name, port: try rest.isEmpty ? 4222 : port(rest.dropFirst()))
        }
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2 else { throw InvalidURL("has an IPv6 host without brackets") }
        guard !parts[0].isEmpty else { throw InvalidURL("has an empty host") }
        guard parts[0].utf8.allSatisfy({ $0.isSubjectCharacter || $0 == UInt8(ascii: ".") }) else {
            throw InvalidURL("has a malformed host")
        }
        return Host(name: String(parts[0]), port: try parts.count == 2 ? port(parts[1]) : 4222)
    }

    private static func port(_ text: Substring) throws(InvalidURL) -> Int {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = UInt16(text), number > 0
        else {
            throw InvalidURL("has a port that is not a number from 1 to 65535")
        }
        return Int(number)
    }

    private static func decoded(_ text: Substring, _ part: String) throws(InvalidURL) -> String {
        let pieces = text.split(separator: "%", omittingEmptySubsequences: false)
        var bytes = pieces.first.map { Array($0.utf8) } ?? []
        for piece in pieces.dropFirst() {
            let digits = piece.utf8.prefix(2)
            guard digits.count == 2, let value = UInt8(String(digits) ?? "", radix: 16), !piece.hasPrefix("+") else {
                throw InvalidURL("has a % in its \(part) without two hexadecimal digits behind it (write % as %25)")
            }
            bytes.append(value)
            bytes += piece.utf8.dropFirst(2)
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(where: { $0 < 0x20 }) else {
            throw InvalidURL("has a \(part) that is not UTF-8 text")
        }
        return text
    }
}

extension UInt8 {
    /// Whether it may stand in a token of a subject as it is: a letter, a digit, - or _.
    package var isSubjectCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
