import FoundationEssentials
import NIOCore
import NIOSSL

extension NATSConfiguration {
    func makeTLSHandler(for host: Host) throws -> NIOSSLClientHandler {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authorities { tls.trustRoots = .file(authorities) }
        let isAddress = (try? SocketAddress(ipAddress: host.name, port: 0)) != nil
        // Without a name the certificate must have the address of the connection.
        return try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: tls),
            serverHostname: isAddress ? nil : host.name
        )
    }

    /// What CONNECT says: no acknowledgements, and no message back that this client has published.
    func greeting(of name: String) -> String {
        var greeting = Greeting(name: name, requiresTLS: requiresTLS)
        switch credentials {
        case .none: break
        case .password(let user, let password): (greeting.user, greeting.password) = (user, password)
        case .token(let token): greeting.token = token
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(greeting)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private struct Greeting: Encodable {
        var name: String
        var requiresTLS: Bool
        var verbose = false
        var pedantic = false
        var echo = false
        var lang = "swift"
        var version = "1"
        /// The server may send INFO again.
        var protocolVersion = 1
        var user: String?
        var password: String?
        var token: String?

        enum CodingKeys: String, CodingKey {
            case name, verbose, pedantic, echo, lang, version, user
            case requiresTLS = "tls_required"
            case protocolVersion = "protocol"
            case password = "pass"
            case token = "auth_token"
        }
    }
}
