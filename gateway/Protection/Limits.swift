import NIOCore

/// How much and how slowly a client or a service may send. Sizes in bytes.
struct Limits: Sendable {
    var headSize = 32 * 1024
    var headLines = 100
    var targetSize = 8 * 1024
    /// The largest body, by what a route takes.
    var documentSize = 1024 * 1024
    var uploadSize = 32 * 1024 * 1024
    /// What is read ahead of a client before it has to wait.
    var readAhead = 64 * 1024

    /// From the first byte of a head, or from accepting the connection, to the end of the head.
    var headTime = TimeAmount.seconds(10)
    /// Between two requests.
    var idleTime = TimeAmount.seconds(75)
    /// A body may take this long, plus its size at `bodyRate`.
    var bodyTime = TimeAmount.seconds(20)
    /// Bytes per second.
    var bodyRate = 1024
    var connectTime = TimeAmount.seconds(2)
    /// How often a connection to a service is tried for one request, if one address after the other fails.
    var connectAttempts = 3
    /// From the head of a request to the tokens that it is to go on with.
    var refreshTime = TimeAmount.seconds(2)
    /// The most requests of one session that wait for tokens.
    var refreshWaiters = 256
    /// From sending a request to the head of its answer.
    var answerTime = TimeAmount.seconds(30)
    /// Without a byte of an answer's body, on either side.
    var stallTime = TimeAmount.seconds(60)
    /// Without a byte in either direction of a WebSocket.
    var tunnelTime = TimeAmount.seconds(120)
    /// How long a client may go on sending after its connection was given up, so that it can read why.
    var lingerTime = TimeAmount.seconds(2)
    /// How long phones and services have to close their WebSockets then.
    var tunnelDrainTime = TimeAmount.seconds(3)
    /// How long an idle connection is kept when the gateway is about to end: a request may be on its way.
    var drainIdleTime = TimeAmount.seconds(1)
    var lingerSize = 4 * 1024 * 1024
    /// How long a connection to a service is kept unused.
    var upstreamIdleTime = TimeAmount.seconds(10)
    var upstreamIdleCount = 256
    /// How many connections to one address of a service an event loop opens at a time.
    var upstreamOpening = 8
    /// Between two looks at the clock for all of the above.
    var tick = TimeAmount.milliseconds(250)

    func bodySize(_ size: Route.BodySize) -> Int {
        switch size {
        case .document: documentSize
        case .upload: uploadSize
        }
    }
}
