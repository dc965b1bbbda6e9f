import NIOCore

/// When a connection is pinged, and when it is closed.
struct SocketIODeadlines {
    enum Due: Equatable {
        case ping
        /// Close, with the reason.
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

    /// The next due action; to be called again after the action.
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

    /// Records whether the connection has a namespace, or one is pending.
    mutating func has(namespaces: Bool, now: NIODeadline) {
        if namespaces {
            namespaceBy = nil
        } else if namespaceBy == nil {
            namespaceBy = now + limits.connect
        }
    }
}
