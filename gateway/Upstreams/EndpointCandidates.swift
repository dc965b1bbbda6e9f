import NIOCore

/// The addresses of a service that one request may be sent to. Those that have failed it are avoided.
struct EndpointCandidates {
    private let upstream: Upstream
    private let orUnready: Bool
    private let isSocket: Bool
    private let attempts: Int
    private var tried: [Endpoint] = []
    /// Nothing has been sent when a connection attempt fails, so any request may be sent to another address.
    private var failedConnects = 0
    /// The address that the request was sent to last, or that answers it.
    var current: Endpoint?

    /// - Parameters:
    ///   - orUnready: Whether an address that is down may be used if no other is left.
    ///   - isSocket: Whether a WebSocket is to be opened.
    ///   - attempts: The maximum number of connection attempts.
    ///   - endpoint: An address that is not tried first.
    init(_ upstream: Upstream, orUnready: Bool, isSocket: Bool, attempts: Int, avoiding endpoint: Endpoint? = nil) {
        self.upstream = upstream
        self.orUnready = orUnready
        self.isSocket = isSocket
        self.attempts = attempts
        tried = endpoint.map { [$0] } ?? []
    }

    /// Records a failed connection attempt to the current address.
    mutating func connectFailed() {
        if let current { tried.append(current) }
        failedConnects += 1
    }

    /// The pool of the best address, or nil. After a failed connection attempt an address may be used that was down at its
    /// last check, since a replacement that has just started is not known to be ready. If every address has failed this
    /// request, all are eligible again, since the failure may have been a short overload.
    mutating func next(now: NIODeadline) -> UpstreamPool? {
        var pool = pick(orUnready: orUnready, now: now)
        if pool == nil, failedConnects > 0 { pool = pick(orUnready: true, now: now) }
        if pool == nil, (1..<attempts).contains(failedConnects) {
            tried = []
            pool = pick(orUnready: orUnready, now: now)
        }
        if let pool { current = pool.endpoint }
        return pool
    }

    /// The pool of another address than the current one, if it is in good health.
    func alternative(now: NIODeadline) -> UpstreamPool? {
        guard let current, let pool = upstream.pick(except: tried + [current], now: now),
            pool.endpoint.state(now: now) == .available
        else { return nil }
        return pool
    }

    private func pick(orUnready: Bool, now: NIODeadline) -> UpstreamPool? {
        upstream.pick(except: tried, orUnready: orUnready, isSocket: isSocket, now: now)
    }
}
