/// The state of a request that is forwarded to a service, and of its response.
struct ExchangeState {
    var request: RequestSide
    /// Whether the client was sent the head of the response.
    private(set) var hasResponse = false
    /// Whether the gateway applies chunked coding to the response, because the service delimits it by closing the
    /// connection.
    private(set) var isResponseChunked = false
    /// Whether the client's connection closes after the response.
    private(set) var closes: Bool

    init(_ request: RequestSide, closes: Bool) {
        self.request = request
        self.closes = closes
    }

    mutating func responseBegan(_ length: BodyLength, isDraining: Bool) {
        hasResponse = true
        isResponseChunked = length == .untilClose
        // The rest of the request body will not be read, so no further request can follow on this connection.
        if !request.body.isComplete || isDraining { closes = true }
    }

    /// Handles a response that failed or ended before it was complete.
    mutating func failed(_ failure: UpstreamFailure) -> ConnectionAction {
        guard !hasResponse else { return .abort }
        guard failure == .broken, request.mayBeSentAgain else { return .refuse(.upstreamFailed) }
        request.disconnected()
        return .sendAgain
    }
}
