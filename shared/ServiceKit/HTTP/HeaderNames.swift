import Authentication
import Contracts
package import HTTPTypes

extension HTTPField.Name {
    /// `X-Madang-Identity`: the signed caller (`InternalIdentity`).
    package static let internalIdentity = known(InternalIdentity.header)
    /// `X-Madang-Client`: the client's address.
    package static let internalClient = known(InternalIdentity.clientHeader)
    /// `X-Madang-Movable`: whether the gateway can move the socket (`SocketMove`).
    package static let socketMove = known(SocketMove.field)
    /// `X-Madang-Session`: the session that the request has ended (`AuthAPI.Revocations`).
    package static let sessionEnd = known(AuthAPI.Revocations.field)
    /// `X-Request-Id`: the id of a request, in the logs of every process that handles it.
    package static let requestID = known("x-request-id")
    /// `X-Session-Id`: the session of the tokens in the response body, for which the apps' formats have no field.
    package static let sessionID = known("x-session-id")
    /// `X-Page-Token`: the token that a rendered web page contains and sends back.
    package static let pageToken = known("x-page-token")
    /// `traceparent`: W3C Trace Context.
    package static let traceparent = known(TraceContext.header)

    private static func known(_ name: String) -> HTTPField.Name {
        HTTPField.Name(parsed: name) ?? .via
    }
}
