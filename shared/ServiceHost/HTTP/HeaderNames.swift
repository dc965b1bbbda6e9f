import Authentication
package import HTTPTypes

extension HTTPField.Name {
    /// `X-Madang-Identity`: who calls, signed (`InternalIdentity`).
    package static let internalIdentity = known(InternalIdentity.header)
    /// `X-Madang-Client`: the phone's address.
    package static let internalClient = known(InternalIdentity.clientHeader)
    /// `X-Request-Id`: one id per request, in the logs of every process that it touches.
    package static let requestID = known("x-request-id")
    /// `X-Session-Id`: the session that the tokens in an answer's body belong to; the apps' bodies have no place for it.
    package static let sessionID = known("x-session-id")
    /// `X-Page-Token`: the token that a web page of ours was made with.
    package static let pageToken = known("x-page-token")
    /// `traceparent`: W3C Trace Context.
    package static let traceparent = known(TraceContext.header)

    private static func known(_ name: String) -> HTTPField.Name {
        HTTPField.Name(parsed: name) ?? .via
    }
}
