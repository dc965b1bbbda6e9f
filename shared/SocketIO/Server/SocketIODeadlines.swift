import NIOCore

/// When a connection is pinged, and when it has to end.
struct SocketIODeadlines {
    enum Due: Equatable {
        case ping
        /// With the reason.
        case end(String)
    }

    private let limits: (interval: TimeAmount, timeout: TimeAmount, connect: TimeAmount)
    private var pingAt: NIODeadline
    private var pongBy: NIODeadline?
    private var namespaceBy: NIODeadline?
    private let stayUntil: NIODeadline?

    init(_ limits: SocketIOLimits, stay: TimeAmount?, now: NIODeadline) {
        self.limits = (limits.pingInterval, limits.pingTimeout, limits.connectTime)
        pingAt = now + limits.pingInterval
        namespaceBy = now + limits.connectTime
        stayUntil = stay.map { now + $0 }
    }

    /// What is due now; asked again after it was done.
    mutating func due(_ now: NIODeadline) -> Due? {
        if let stayUntil, now >= stayUntil { return .end("the access token has expired") }
        if let namespaceBy, now >= namespaceBy { return .end("connected to no namespace") }
        if let pongBy {
            return now >= pongBy ? .end("a ping was not answered") : nil
        }
        guard now >= pingAt else { return nil }
        pingAt = now + limits.interval
        pongBy = now + limits.timeout
        return .ping
    }

    mutating func answered() {
        pongBy = nil
    }

    /// Whether the connection has a namespace, or one is being decided on.
    mutating func has(namespaces: Bool, now: NIODeadline) {
        if namespaces {
            namespaceBy = nil
        } else if namespaceBy == nil {
            namespaceBy = now + limits.connect
        }
    }
}

/// Counts what a client sends.
struct SocketIORate {
    private var began: NIODeadline
    private var count = 0

    init(_ now: NIODeadline) {
        began = now
    }

    /// - Returns: whether it is too much.
    mutating func exceeds(_ limit: Int, now: NIODeadline) -> Bool {
        if now - began >= .seconds(1) {
            began = now
            count = 0
        }
        count += 1
        return count > limit
    }
}
