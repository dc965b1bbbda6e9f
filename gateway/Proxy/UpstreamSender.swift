import NIOCore

/// Sends the requests of a client connection to services, one at a time. A read that is not answered in time may be sent to
/// a second address as well; the first response counts, and the other one is dropped.
final class UpstreamSender {
    /// The connection that the current request was sent on.
    private(set) var connection: UpstreamConnection?
    /// The second one that it was sent on.
    private var hedge: UpstreamConnection?
    private let output = ChannelOutput()
    private let loop: EventLoopContext

    init(loop: EventLoopContext) {
        self.loop = loop
    }

    /// Writes the head of a request into the buffer. It is kept until the body begins, because the request may have to
    /// be sent again.
    func prepare(_ request: RequestReader, _ exchange: HTTPExchange, _ route: Route, _ origin: RequestOrigin) {
        output.clear(minimumCapacity: request.headSize + 512)
        UpstreamHeadWriter.write(request, exchange, route, origin, of: loop, to: &output.end)
    }

    /// Takes or opens a connection to the best address of the service.
    ///
    /// - Parameter mayReuse: Whether a connection that has served other requests may be used.
    func connect(_ exchange: HTTPExchange, mayReuse: Bool = true, for client: ClientConnection) {
        guard let pool = exchange.candidates?.next(now: client.now) else { return client.refuse(.unavailable) }
        if let limit = exchange.longestWait, let seconds = pool.endpoint.refuses(waitOver: limit, now: client.now) {
            return client.refuse(.full(retryAfter: seconds))
        }
        // A service accepts a WebSocket upgrade only as the first request of a connection.
        let mayReuse = mayReuse && exchange.upgrade == nil
        if mayReuse, let idle = pool.takeIdle() { return use(idle, isReused: true, exchange, for: client) }
        pool.connect(
            UpstreamPool.Waiting(mayReuse: mayReuse, isWanted: { client.isForwarding(exchange) }) { [self] in
                client.wake()
                connected($0, isReused: $1, pool, exchange, for: client)
            }
        )
    }

    private func connected(
        _ result: Result<UpstreamConnection, any Error>,
        isReused: Bool,
        _ pool: UpstreamPool,
        _ exchange: HTTPExchange,
        for client: ClientConnection
    ) {
        let isWanted = client.isForwarding(exchange)
        switch result {
        case .success(let connection):
            guard isWanted else { return pool.giveBack(connection, now: client.now) }
            use(connection, isReused: isReused, exchange, for: client)
        case .failure:
            loop.failed(pool.endpoint)
            guard isWanted else { return }
            exchange.candidates?.connectFailed()
            connect(exchange, for: client)
        }
        client.process()
    }

    private func use(
        _ connection: UpstreamConnection,
        isReused: Bool,
        _ exchange: HTTPExchange,
        for client: ClientConnection
    ) {
        self.connection = connection
        output.context = connection.begin(exchange.method, for: client)
        output.rewind()
        client.upstreamConnected(isReused: isReused, isWritable: connection.isWritable)
        guard exchange.mayBeHedged, let time = loop.core.limits.hedgeTime else { return }
        loop.hedges.countRead()
        loop.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in hedge(exchange, for: client) }
    }

    // MARK: A second address

    private func hedge(_ exchange: HTTPExchange, for client: ClientConnection) {
        let isWanted = { [self] in client.isForwarding(exchange) && exchange.status == 0 && hedge == nil }
        guard isWanted(), connection != nil, let pool = exchange.candidates?.alternative(now: .now()),
            loop.hedges.take()
        else { return }
        client.wake()
        if let idle = pool.takeIdle() { return hedge(exchange, on: idle, for: client) }
        pool.connect(
            UpstreamPool.Waiting(mayReuse: true, isWanted: isWanted) { [self] result, _ in
                client.wake()
                switch result {
                case .success(let connection) where isWanted(): hedge(exchange, on: connection, for: client)
                case .success(let connection): pool.giveBack(connection, now: client.now)
                case .failure: loop.failed(pool.endpoint)
                }
            }
        )
    }

    private func hedge(_ exchange: HTTPExchange, on second: UpstreamConnection, for client: ClientConnection) {
        hedge = second
        output.context = second.begin(exchange.method, for: client)
        output.rewind()
        output.flush()
    }

    /// Settles on the connection whose response begins.
    func choose(_ chosen: UpstreamConnection, _ exchange: HTTPExchange) {
        guard let hedge, let connection else { return }
        self.hedge = nil
        self.connection = chosen
        (hedge === chosen ? connection : hedge).giveUp()
        exchange.candidates?.current = chosen.pool.endpoint
    }

    /// Forgets one of two connections, which is lost.
    ///
    /// - Returns: Whether the other one goes on.
    func forget(_ lost: UpstreamConnection) -> Bool {
        guard let hedge else { return false }
        self.hedge = nil
        if connection === lost { connection = hedge }
        return true
    }

    func send(_ piece: RequestBody.Piece) {
        switch piece {
        case .bytes(let bytes): output.write(bytes, asChunk: false)
        case .chunk(let bytes): output.write(bytes, asChunk: true)
        case .lastChunk: output.end.writeStaticString(Chunk.last)
        }
    }

    func flush() {
        output.flush()
    }

    /// Forgets a connection that is lost. The request may be sent again.
    func disconnected() {
        connection = nil
        hedge?.abandon()
        hedge = nil
        output.context = nil
    }

    /// Forgets the connection and the request after the response.
    func release() {
        disconnected()
        output.shrink()
    }

    /// Closes the connection without waiting for the rest of the response.
    func abandon() {
        connection?.abandon()
        release()
    }
}
