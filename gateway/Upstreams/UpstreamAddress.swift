import Glibc
import NIOCore
import NIOPosix

/// The configured host and port of a service, from its base URL.
struct UpstreamAddress: Sendable, Hashable {
    var host: String
    var port: Int

    /// - Parameter url: `http://host:port`, with IPv6 addresses in brackets. The result is nil for anything else:
    ///   services are on the internal network, so TLS, paths and credentials are not supported.
    init?(url: String) {
        guard url.hasPrefix("http://") else { return nil }
        let authority = url.dropFirst("http://".count)
        let colon: Substring.Index?
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            host = String(authority[authority.index(after: authority.startIndex)..<bracket])
            colon = authority[bracket...].firstIndex(of: ":")
            guard authority.index(after: bracket) == colon ?? authority.endIndex else { return nil }
        } else {
            colon = authority.firstIndex(of: ":")
            host = String(authority[..<(colon ?? authority.endIndex)])
        }
        port = 80
        if let colon {
            guard let number = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(number) else {
                return nil
            }
            port = number
        }
        let allowed = authority.hasPrefix("[") ? ByteSet.address : .hostName
        guard !host.isEmpty, host.utf8.allSatisfy(allowed.contains) else { return nil }
    }

    /// All current addresses of the host name; a scaled service has several.
    ///
    /// - Throws: `UnknownHost` if the name cannot be resolved.
    func resolve(on threads: NIOThreadPool) async throws -> [SocketAddress] {
        if let literal = try? SocketAddress(ipAddress: host, port: port) { return [literal] }
        return try await threads.runIfActive { try Self.lookUp(host, port) }
    }

    private static func lookUp(_ host: String, _ port: Int) throws -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else {
            throw UnknownHost(host: host, reason: String(cString: gai_strerror(code)))
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var entry = list
        while let info = entry?.pointee {
            if let text = numeric(info), let address = try? SocketAddress(ipAddress: text, port: port) {
                addresses.append(address)
            }
            entry = info.ai_next
        }
        return addresses
    }

    private static func numeric(_ info: addrinfo) -> String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A service's host name that cannot be resolved.
struct UnknownHost: Error, CustomStringConvertible {
    var host: String
    var reason: String

    var description: String { "\(host): \(reason)" }
}
