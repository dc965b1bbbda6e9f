import Apps
import NIOCore

/// The limits on sizes, in bytes, and times of client and upstream messages.
struct Limits: Sendable {
    var headSize = 32 * 1024
    var headLines = 100
    var targetSize = 8 * 1024
    /// The maximum body sizes, by the kind of body a route accepts.
    var documentSize = 1024 * 1024
    var uploadSize = 32 * 1024 * 1024
    /// The maximum number of unprocessed bytes read from a client.
    var readAhead = 64 * 1024

    /// The maximum number of concurrent streams of an HTTP/2 connection, and its flow-control windows: how much of a request's
    /// body is on its way on one stream, and on all of them.
    var streams = 100
    var streamWindow = 64 * 1024
    var connectionWindow = 256 * 1024

    /// From the first byte of a head, or from accepting the connection, to the end of the head; also for a TLS handshake.
    var headTime = TimeAmount.seconds(10)
    /// Between two requests.
    var idleTime = TimeAmount.seconds(75)
    /// The time for a body, in addition to its size divided by `bodyRate`.
    var bodyTime = TimeAmount.seconds(20)
    /// Bytes per second.
    var bodyRate = 1024
    var connectTime = TimeAmount.seconds(1)
    /// The maximum number of connection attempts for one request, across addresses.
    var connectAttempts = 3
    /// From the head of a request to the renewed tokens it waits for.
    var refreshTime = TimeAmount.seconds(2)
    /// The maximum number of requests of one session that wait for tokens.
    var refreshWaiters = 256
    /// How long the outcome of a refresh is reused: the cool-down that Anlaka's client announces (Anlaka contract 3.2).
    var refreshReuse = Duration.milliseconds(500)
    /// From sending a request to the head of its response.
    var answerTime = TimeAmount.seconds(30)
    /// The expected wait in a service from which it is too full for requests of low priority; for those of normal priority it
    /// is `answerTime`, in which they would not be answered.
    var lowPriorityWait = TimeAmount.seconds(10)
    /// After what time without a response a read is also sent to another copy; nil for never.
    var hedgeTime: TimeAmount?
    /// Without a byte of the response body, on either side.
    var stallTime = TimeAmount.seconds(60)
    /// Without a byte in either direction of a WebSocket.
    var tunnelTime = TimeAmount.seconds(120)
    /// For how long a gateway that gives its connections away waits for requests in flight after the last group; their
    /// connections are closed after them.
    var handoverTime = Duration.seconds(4)
    /// From the first held message of a WebSocket that moves to another copy of its service to the confirmation of that
    /// copy, and the part of it that one copy may take.
    var moveTime = TimeAmount.seconds(10)
    var moveAttemptTime = TimeAmount.seconds(4)
    /// How long the input of a closing connection is discarded, so that the client can read the response.
    var lingerTime = TimeAmount.seconds(2)
    /// How long clients and services have to close their WebSockets while the gateway drains.
    var tunnelDrainTime = TimeAmount.seconds(3)
    /// How long an idle connection is kept while the gateway drains, because a request may be on its way.
    var drainIdleTime = TimeAmount.seconds(1)
    var lingerSize = 4 * 1024 * 1024
    /// How long an unused connection to a service is kept.
    var upstreamIdleTime = TimeAmount.seconds(10)
    var upstreamIdleCount = 256
    /// The maximum number of connections that an event loop opens concurrently to one address of a service.
    var upstreamOpening = 8
    /// The interval between checks of these deadlines.
    var tick = TimeAmount.milliseconds(250)

    /// The longest expected wait with which a request is sent to a service; nil for any.
    func longestWait(_ priority: Operation.Priority) -> TimeAmount? {
        switch priority {
        case .low: lowPriorityWait
        case .normal: answerTime
        case .high: nil
        }
    }

    func bodySize(_ size: Operation.Body) -> Int {
        switch size {
        case .document: documentSize
        case .upload: uploadSize
        }
    }
}
