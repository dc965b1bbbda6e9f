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

    /// - Parameter pingTime: The time before the first ping; by default the interval, which is its maximum.
    init(_ limits: SocketIOLimits, stay: TimeAmount?, pingTime: TimeAmount? = nil, now: NIODeadline) {
        self.limits = (limits.pingInterval, limits.pingTimeout, limits.connectTime)
        pingAt = now + max(min(pingTime ?? limits.pingInterval, limits.pingInterval), .zero)
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

    /// The time before the next ping.
    func pingTime(_ now: NIODeadline) -> TimeAmount { pingAt - now }

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
