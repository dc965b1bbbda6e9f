import NIOCore

/// The current deadline of a client connection. It is checked every `Limits.tick`, so that no request needs a timer of
/// its own.
struct ClientDeadlines {
    enum Kind {
        /// The next request begins.
        case idle
        /// A request head is complete.
        case head
        /// A request body arrives fast enough.
        case body
        /// A refresh finishes.
        case refresh
        /// The service begins its response, or the published keys are fetched.
        case response
        /// The service or the client continues in the middle of a message.
        case stall
        /// The client closes the connection after the last response.
        case linger
    }

    /// The time of the event being handled. It is read once per event, because reading the clock costs more than the
    /// rest.
    var now: NIODeadline
    let limits: Limits
    private var kind = Kind.head
    private var end: NIODeadline
    /// When the current body began to arrive, shifted by the periods in which the body was not read.
    private var bodyStart: NIODeadline?
    private var heldSince: NIODeadline?

    /// Creates the deadlines of a new connection, which waits for a request head.
    init(_ limits: Limits, now: NIODeadline) {
        self.limits = limits
        self.now = now
        end = now + limits.headTime
    }

    /// The kind of the deadline that has passed, or nil.
    var missed: Kind? {
        now > end ? kind : nil
    }

    /// Replaces the deadline.
    mutating func arm(_ kind: Kind) {
        self.kind = kind
        end = now + time(kind)
    }

    private func time(_ kind: Kind) -> TimeAmount {
        switch kind {
        case .idle: limits.idleTime
        case .head: limits.headTime
        case .body: limits.bodyTime
        case .refresh: limits.refreshTime
        case .response: limits.answerTime
        case .stall: limits.stallTime
        case .linger: limits.lingerTime
        }
    }

    /// Starts the timeout for the head at its first byte, unless it runs already.
    mutating func armHead() {
        if kind != .head { arm(.head) }
    }

    /// Starts the timeout of a connection between two requests. It is short while the gateway drains.
    mutating func armIdle(isDraining: Bool) {
        bodyStart = nil
        heldSince = nil
        arm(.idle)
        if isDraining { drain() }
    }

    /// Shortens the timeout of a connection between two requests.
    mutating func drain() {
        if kind == .idle { end = min(end, now + limits.drainIdleTime) }
    }

    /// Extends the timeout for the body in proportion to the number of bytes received.
    mutating func armBody(_ count: Int) {
        var start = bodyStart ?? now
        if let held = heldSince { start = start + (now - held) }
        heldSince = nil
        bodyStart = start
        kind = .body
        end = start + limits.bodyTime + .milliseconds(Int64(count) * 1000 / Int64(max(1, limits.bodyRate)))
    }

    /// Suspends the timeout for the body while the service does not accept more of it.
    mutating func holdBody() {
        guard heldSince == nil else { return }
        heldSince = now
        arm(.stall)
    }
}
