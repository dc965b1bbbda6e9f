import Authentication
import Contracts
import NIOCore

/// A WebSocket between a client and a service: its two ends and the time of the last traffic.
final class Tunnel: TimedConnection {
    let loop: EventLoopContext
    /// Who opened the tunnel.
    let origin: IPAddress?
    private(set) var endpoint: Endpoint?
    /// The service, also while no address of it has the tunnel.
    let serviceName: ServiceName?
    /// The session that opened the tunnel, if the request was authenticated.
    let session: String?
    let client: TunnelEnd
    private(set) var service: TunnelEnd
    /// The move to another copy of the service.
    private(set) var move: TunnelMove?
    private(set) var lastPassed: NIODeadline
    private var cutAt: NIODeadline?
    /// When the service was asked for an offer.
    private var askedAt: NIODeadline?
    private(set) var isOpen = false
    /// The status to close with if the tunnel stays in this process, which it was about to leave.
    private(set) var closeAfterwards: CloseStatus?

    /// - Parameter exchange: The accepted handshake.
    convenience init(_ exchange: HTTPExchange, from origin: RequestOrigin, on loop: EventLoopContext) {
        self.init(
            from: origin.address,
            to: exchange.candidates?.current,
            of: exchange.candidates?.current?.service,
            session: exchange.principal?.claims.session,
            on: loop
        )
    }

    /// - Parameters:
    ///   - fromClient: Where the frames of the client are.
    ///   - fromService: Where those of the service are.
    init(
        from origin: IPAddress?,
        to endpoint: Endpoint?,
        of serviceName: ServiceName?,
        session: String?,
        fromClient: FrameWalker = FrameWalker(),
        fromService: FrameWalker = FrameWalker(),
        lastPassed: NIODeadline = .now(),
        on loop: EventLoopContext
    ) {
        self.loop = loop
        self.origin = origin
        self.endpoint = endpoint
        self.serviceName = serviceName
        self.session = session
        self.lastPassed = lastPassed
        client = TunnelEnd(fromClient, isOfClient: true)
        service = TunnelEnd(fromService, isOfClient: false)
        client.tunnel = self
        connectEnds()
    }

    private func connectEnds() {
        service.tunnel = self
        client.partner = service
        service.partner = client
    }

    /// Replaces the HTTP handlers of two connections by the ends of the tunnel.
    ///
    /// - Parameters:
    ///   - early: The bytes that the client sent after its handshake.
    ///   - rest: The bytes that the service sent after its response.
    func open(
        _ clientContext: ChannelHandlerContext,
        early: ByteBuffer,
        _ serviceContext: ChannelHandlerContext,
        rest: ByteBuffer
    ) {
        guard open(clientContext.channel, serviceContext.channel) else { return }
        clientContext.pipeline.syncOperations.removeHandler(context: clientContext, promise: nil)
        serviceContext.pipeline.syncOperations.removeHandler(context: serviceContext, promise: nil)
        service.relay(rest)
        client.relay(early)
        client.flush()
        service.flush()
        clientContext.channel.read()
        serviceContext.channel.read()
    }

    /// Adds the ends of the tunnel to two connections.
    ///
    /// - Parameter standsStill: Whether they are still another process's, until `stay`.
    /// - Returns: Whether both are open.
    func open(_ clientChannel: any Channel, _ serviceChannel: any Channel, standsStill: Bool = false) -> Bool {
        if standsStill { for end in [client, service] { end.standStill() } }
        do {
            try install(client, in: clientChannel, longestRead: Self.longestClientRead)
            try install(service, in: serviceChannel, longestRead: Self.longestServiceRead)
        } catch {
            cut()
            return false
        }
        isOpen = true
        loop.tunnelOpened(self, endpoint)
        return true
    }

    /// In bytes.
    private static let longestClientRead = 4 * 1024
    private static let longestServiceRead = 32 * 1024

    /// Adds an end to a pipeline, with one read buffer that is kept for the lifetime of the connection. It is small
    /// because tunnels are many and clients send little. A service sends several messages at a time, so the buffer of a
    /// busy tunnel grows to take them with one read and one write.
    ///
    /// - Parameter longestRead: The maximum size of the buffer, in bytes.
    private func install(_ end: TunnelEnd, in channel: any Channel, longestRead: Int) throws {
        try channel.pipeline.syncOperations.addHandler(end)
        // A stream of HTTP/2 has no buffer of its own.
        guard channel is any SocketOptionProvider else { return }
        let allocator = AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 1024, maximum: longestRead)
        try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        try channel.syncOptions?.setOption(.recvAllocator, value: allocator)
    }

    /// Records traffic.
    func recordTraffic() {
        lastPassed = .now()
    }

    /// Handles the end of one side; the other side is closed too.
    func ended() {
        guard isOpen else { return }
        isOpen = false
        move?.end()
        move = nil
        loop.tunnelClosed(self, endpoint)
    }

    func tick(now: NIODeadline) {
        if now - lastPassed > loop.core.limits.tunnelTime || now > cutAt ?? .distantFuture { cut() }
        move?.tick(now: now)
    }

    func drain() {
        close(with: loop.isMoving ? .serviceRestart : .goingAway)
    }

    /// Closes the tunnel because its session has ended.
    func revoke() {
        close(with: .policyViolation)
    }

    /// Whether a Close frame has been sent, or will be after the current frame.
    var isClosing: Bool { cutAt != nil }

    /// Sends a Close frame to both sides and gives them a short time to close.
    func close(with status: CloseStatus) {
        guard !isClosing else { return }
        guard !client.isLeaving, !service.isLeaving else {
            closeAfterwards = status
            return
        }
        cutAt = .now() + loop.core.limits.tunnelDrainTime
        move?.end()
        move = nil
        service.end(with: status.frame())
        client.end(with: status.frame(maskedBy: UInt32(truncatingIfNeeded: loop.ids.next())))
    }

    func cut() {
        client.close()
        service.close()
    }

    // MARK: Moving to another copy of the service

    /// Leaves a copy that serves the tunnel badly: asks it to offer the socket to another one, or closes the tunnel, so that
    /// the client connects again, if that cannot reach it.
    func leave(_ why: Endpoint.Failing, now: NIODeadline) {
        guard !isClosing, move == nil, !client.isLeaving, !service.isLeaving else { return }
        switch why {
        case .unreachable:
            close(with: .serviceRestart)
            service.abandon()
        case .unready:
            guard client.isBetweenFrames, now - (askedAt ?? .uptimeNanoseconds(0)) > loop.core.limits.moveTime else {
                return
            }
            askedAt = now
            service.write(loop.frame(GatewayFrame(opcode: SocketMove.pause, payload: ByteBuffer())))
            service.flush()
        }
    }

    /// Handles a frame of `SocketMove` from the service.
    ///
    /// - Parameter rest: The bytes behind it.
    func received(_ frame: GatewayFrame, rest: inout ByteBuffer) {
        switch frame.opcode {
        case SocketMove.pause where move == nil && !isClosing:
            guard let serviceName, frame.payload.readableBytes == SocketMove.tokenSize else { return }
            let move = TunnelMove(self, of: serviceName, token: frame.payload)
            self.move = move
            loop.moves.add(move)
        case SocketMove.state:
            // It is the last frame of this copy.
            if move?.received(state: frame.payload) == true { rest.clear() }
        default: break
        }
    }

    /// Gives the connection to the service up, for another one.
    ///
    /// - Returns: The address that it was to.
    func detachService() -> Endpoint? {
        service.detach()
        service = TunnelEnd(FrameWalker(), isOfClient: false)
        connectEnds()
        loop.tunnelMoved(from: endpoint, to: nil)
        defer { endpoint = nil }
        return endpoint
    }

    /// Goes on with another connection to the service.
    ///
    /// - Parameter rest: What has been received on it already.
    func attachService(_ context: ChannelHandlerContext, at endpoint: Endpoint, rest: ByteBuffer) {
        do {
            try install(service, in: context.channel, longestRead: Self.longestServiceRead)
        } catch {
            context.close(promise: nil)
            return cut()
        }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        self.endpoint = endpoint
        loop.tunnelMoved(from: nil, to: endpoint)
        move = nil
        service.relay(rest)
        client.flush()
        client.passMessages()
        context.channel.read()
    }
}

/// The reasons for closing a WebSocket (RFC 6455 §7.4.1, and the registry of IANA that it creates for 1012).
enum CloseStatus: UInt16 {
    case goingAway = 1001
    case protocolError = 1002
    case policyViolation = 1008
    case serviceRestart = 1012

    /// The Close frame with this status (RFC 6455 §5.5.1).
    ///
    /// - Parameter mask: The masking key of a client's frame; nil for a server's frame.
    func frame(maskedBy mask: UInt32? = nil) -> ByteBuffer {
        GatewayFrame(opcode: 0x8, payload: ByteBuffer(integer: rawValue)).bytes(maskedBy: mask)
    }
}
