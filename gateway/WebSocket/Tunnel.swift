import Authentication
import NIOCore

/// A WebSocket between a client and a service: its two ends and the time of the last traffic.
final class Tunnel: TimedConnection {
    private let loop: EventLoopContext
    private let endpoint: Endpoint?
    /// The session that opened the tunnel, if the request was authenticated.
    let session: String?
    let client = TunnelEnd()
    let service = TunnelEnd()
    private var lastPassed = NIODeadline.now()
    private var cutAt: NIODeadline?
    private var isOpen = false

    /// - Parameter exchange: The accepted handshake.
    init(_ exchange: HTTPExchange, on loop: EventLoopContext) {
        self.loop = loop
        session = exchange.principal?.claims.session
        endpoint = exchange.candidates?.current
        client.tunnel = self
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
        do {
            try install(client, in: clientContext, longestRead: 4 * 1024)
            try install(service, in: serviceContext, longestRead: 32 * 1024)
        } catch {
            return cut()
        }
        isOpen = true
        loop.tunnelOpened(self, endpoint)
        clientContext.pipeline.syncOperations.removeHandler(context: clientContext, promise: nil)
        serviceContext.pipeline.syncOperations.removeHandler(context: serviceContext, promise: nil)
        service.relay(rest)
        client.relay(early)
        client.flush()
        service.flush()
        clientContext.channel.read()
        serviceContext.channel.read()
    }

    /// Adds an end to a pipeline, with one read buffer that is kept for the lifetime of the connection. It is small
    /// because tunnels are many and clients send little. A service sends several messages at a time, so the buffer of a
    /// busy tunnel grows to take them with one read and one write.
    ///
    /// - Parameter longestRead: The maximum size of the buffer, in bytes.
    private func install(_ end: TunnelEnd, in context: ChannelHandlerContext, longestRead: Int) throws {
        try context.pipeline.syncOperations.addHandler(end)
        // A stream of HTTP/2 has no buffer of its own.
        guard context.channel is any SocketOptionProvider else { return }
        let allocator = AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 1024, maximum: longestRead)
        try context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        try context.channel.syncOptions?.setOption(.recvAllocator, value: allocator)
    }

    /// Records traffic.
    func recordTraffic() {
        lastPassed = .now()
    }

    /// Handles the end of one side; the other side is closed too.
    func ended() {
        guard isOpen else { return }
        isOpen = false
        loop.tunnelClosed(self, endpoint)
    }

    func tick(now: NIODeadline) {
        if now - lastPassed > loop.core.limits.tunnelTime || now > cutAt ?? .distantFuture { cut() }
    }

    func drain() {
        close(with: .goingAway)
    }

    /// Closes the tunnel because its session has ended.
    func revoke() {
        close(with: .policyViolation)
    }

    /// Sends a Close frame to both sides and gives them a short time to close.
    private func close(with status: CloseStatus) {
        guard cutAt == nil else { return }
        cutAt = .now() + loop.core.limits.tunnelDrainTime
        service.end(with: status.frame())
        client.end(with: status.frame(maskedBy: UInt32(truncatingIfNeeded: loop.ids.next())))
    }

    func cut() {
        client.close()
        service.close()
    }
}

/// The reasons for closing a WebSocket (RFC 6455 §7.4.1).
enum CloseStatus: UInt16 {
    case goingAway = 1001
    case policyViolation = 1008

    /// The Close frame with this status (RFC 6455 §5.5.1).
    ///
    /// - Parameter mask: The masking key of a client's frame; nil for a server's frame.
    func frame(maskedBy mask: UInt32? = nil) -> ByteBuffer {
        var frame = ByteBuffer()
        if let mask {
            frame.writeMultipleIntegers(UInt8(0x88), UInt8(0x82), mask)
            frame.writeInteger(rawValue ^ UInt16(truncatingIfNeeded: mask >> 16))
        } else {
            frame.writeMultipleIntegers(UInt8(0x88), UInt8(0x02), rawValue)
        }
        return frame
    }
}
