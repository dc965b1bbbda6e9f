/// What a client connection does after an event.
enum ConnectionAction: Equatable {
    /// Wait for the next event.
    case wait
    /// Read a request head from the received bytes, then call `headRead`, or `respond` if they are not a request.
    case readHead
    /// Write a part of the body to the service.
    case send(RequestBody.Piece)
    /// Flush what was written to the service.
    case flush
    /// Send the same request on a new connection to the service.
    case sendAgain
    /// Decide the request without the refresh that it waits for.
    case decideWithoutRefresh
    /// Respond with an error; see `ClientConnectionState.respond`.
    case refuse(RequestFailure)
    /// Close the sending side, and wait for the client to close the other: closing with unread bytes would make the
    /// client's TCP stack discard the response (RFC 9112 §9.6).
    case closeOutput
    /// Close the connection without completing the response, so that the client does not take a truncated response for
    /// a complete one.
    case abort
    /// Close the connection; the client waits for no response.
    case close
}

/// Why the gateway responds with an error to a request that it accepted, or that did not arrive completely.
enum RequestFailure: Equatable {
    case invalid(HTTPFault)
    /// The request did not arrive in time.
    case tooSlow
    /// The published keys are unavailable, or every address of the service is.
    case unavailable
    /// The service is full for a request of this priority; in seconds, when to try again.
    case full(retryAfter: Int)
    /// The connection to the service broke, or its response was malformed.
    case upstreamFailed
    /// The service did not respond in time.
    case upstreamTimedOut

    /// Whether the failure counts against the address of the service.
    var isOfUpstream: Bool {
        self == .upstreamFailed || self == .upstreamTimedOut
    }
}
