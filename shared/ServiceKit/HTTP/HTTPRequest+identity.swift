package import Authentication
import FoundationEssentials
package import HTTPTypes

extension InternalKeys {
    /// The verified caller of a request that this program has received now.
    func identity(of request: HTTPRequest) -> InternalIdentity? {
        request.headerFields[.internalIdentity].flatMap { value in
            identity(
                value,
                of: request.method.rawValue,
                request.path ?? "",
                now: Int64(Date.now.timeIntervalSince1970)
            )
        }
    }
}

extension HTTPRequest {
    /// The caller of a WebSocket handshake, which `SocketRouter` has verified before an endpoint sees it.
    package var handshakeIdentity: InternalIdentity? {
        headerFields[.internalIdentity].flatMap { InternalIdentity(unverified: $0) }
    }
}
