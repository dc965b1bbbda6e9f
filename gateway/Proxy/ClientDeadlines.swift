import NIOCore

/// The deadlines of a client connection. They are checked every `Limits.tick`, so that no request needs a timer of its
/// own.
struct ClientDeadlines {
    /// The kind of a missed deadline.
    enum Late {
        /// The next request did not begin.
        case idle
        /// A request head was not complete.
        case head
        /// A request body arrived too slowly.
        case body
        /// A refresh did not finish.
        case refresh
        /// The service did not begin its response.
        case answer
        /// The service or the client stalled in the middle of a message.
        case stall
        /// The client did not close the connection after the last response.
        case linger
    }

    /// The time of the event being handled. It is read once per event, because reading the clock costs more than the
    /// rest.
    var now: NIODeadline
    private let limits: Limits
    private var kind = Late.head
    private var end: NIODeadline
    /// When the current body began to arrive, shifted by the periods in which the body was not read.
    private var bodyStart: NIODeadline?
    private var heldSince: NIODeadline?

    /// Creates the deadlines of a new connection, which waits for a request head.
    init(_ limits: Limits) {
        self.limits = limits
        now = .now()
        end = now + limits.headTime
    }

    /// The kind of the deadline that has passed, or nil.
    var late: Late? {
        now > end ? kind : nil
    }

    /// Starts the timeout for the head at its first byte.
    mutating func headBegan() {
        if kind != .head { set(.head, limits.headTime) }
    }

    mutating func becameIdle() {
        bodyStart = nil
        heldSince = nil
        set(.idle, limits.idleTime)
    }

    /// Starts the timeout for work that does not depend on the client.
    mutating func waitingForUpstream() {
        set(.answer, limits.answerTime)
    }

    /// Starts the timeout for a token refresh.
    mutating func waitingForRefresh() {
        set(.refresh, limits.refreshTime)
    }

    /// Extends the timeout for the body in proportion to the number of bytes received.
    mutating func bodyAdvanced(to count: Int) {
        var start = bodyStart ?? now
        if let held = heldSince { start = start + (now - held) }
        heldSince = nil
        bodyStart = start
        kind = .body
        end = start + limits.bodyTime + .milliseconds(Int64(count) * 1000 / Int64(max(1, limits.bodyRate)))
    }

    /// Suspends the timeout for the body while the service does not accept more of it.
    mutating func bodyHeld() {
        guard heldSince == nil else { return }
        heldSince = now
        set(.stall, limits.stallTime)
    }

    mutating func requestSent() {
        if kind != .stall { set(.answer, limits.answerTime) }
    }

    /// Restarts the stall timeout after a part of the response was received or sent.
    mutating func answerAdvanced() {
        set(.stall, limits.stallTime)
    }

    mutating func lingers() {
        set(.linger, limits.lingerTime)
    }

    /// Shortens the idle timeout of the connection while the gateway drains.
    mutating func drains() {
        if kind == .idle { end = min(end, now + limits.drainIdleTime) }
    }

    private mutating func set(_ kind: Late, _ time: TimeAmount) {
        self.kind = kind
        end = now + time
    }
}
