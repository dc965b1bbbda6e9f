import NIOCore

/// Until when the next thing must have happened on a client connection. Looked at every `Limits.tick`, so that a request
/// costs no timer.
struct ClientDeadlines {
    /// What did not happen in time.
    enum Late {
        /// The next request did not begin.
        case idle
        /// A head was not whole.
        case head
        /// A body came too slowly.
        case body
        /// A refresh was not done.
        case refresh
        /// The service did not begin its answer.
        case answer
        /// The service or the phone stands still in the middle of a message.
        case stall
        /// The phone has not closed after the last answer.
        case linger
    }

    /// When the event came that is being handled. Set once per event, since asking for the time costs more than the rest.
    var now: NIODeadline
    private let limits: Limits
    private var kind = Late.head
    private var end: NIODeadline
    /// When the body that is being read began to come, put off by the times in which nobody asked for it.
    private var bodyStart: NIODeadline?
    private var heldSince: NIODeadline?

    /// A fresh connection: a head is expected.
    init(_ limits: Limits) {
        self.limits = limits
        now = .now()
        end = now + limits.headTime
    }

    /// What is late, if anything.
    var late: Late? {
        now > end ? kind : nil
    }

    /// Bytes of a head came; the time runs from the first.
    mutating func headBegan() {
        if kind != .head { set(.head, limits.headTime) }
    }

    mutating func becameIdle() {
        bodyStart = nil
        heldSince = nil
        set(.idle, limits.idleTime)
    }

    /// Something is done that the phone cannot hurry.
    mutating func waitingForUpstream() {
        set(.answer, limits.answerTime)
    }

    /// New tokens are fetched for the phone.
    mutating func waitingForRefresh() {
        set(.refresh, limits.refreshTime)
    }

    /// The phone is asked for its body, and has sent so many bytes of it: the more, the longer it may take.
    mutating func bodyAdvanced(to count: Int) {
        var start = bodyStart ?? now
        if let held = heldSince { start = start + (now - held) }
        heldSince = nil
        bodyStart = start
        kind = .body
        end = start + limits.bodyTime + .milliseconds(Int64(count) * 1000 / Int64(max(1, limits.bodyRate)))
    }

    /// The service does not take the body as fast as it comes, so the phone is not asked for more.
    mutating func bodyHeld() {
        guard heldSince == nil else { return }
        heldSince = now
        set(.stall, limits.stallTime)
    }

    mutating func requestSent() {
        if kind != .stall { set(.answer, limits.answerTime) }
    }

    /// A part of the answer came, or the phone took one.
    mutating func answerAdvanced() {
        set(.stall, limits.stallTime)
    }

    mutating func lingers() {
        set(.linger, limits.lingerTime)
    }

    /// Idle connections are not waited for as long as usual.
    mutating func drains() {
        if kind == .idle { end = min(end, now + limits.drainIdleTime) }
    }

    private mutating func set(_ kind: Late, _ time: TimeAmount) {
        self.kind = kind
        end = now + time
    }
}
