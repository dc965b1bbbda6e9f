import NIOCore

/// A WebSocket between a client and a service: its two ends and the time of the last traffic.
final class Tunnel: TimedConnection {
    private let worker: EventLoopContext
    private let endpoint: Endpoint?
    /// The session that opened the tunnel, if the request was authenticated.
    let session: String?
    let client = TunnelEnd()
    let service = TunnelEnd()
    private var lastPassed = NIODeadline.now()
    private var cutAt: NIODeadline?
    private var isOpen = false

    init(worker: EventLoopContext, endpoint: Endpoint?, session: String?) {
        self.worker = worker
        self.session = session
        self.endpoint = endpoint
        client.tunnel = self
        service.tunnel = self
        client.partner = service
        service.partner = client
    }

    /// Registers the tunnel once both ends are installed.
    func opened() {
        isOpen = true
        worker.tunnelOpened(self, endpoint)
    }

    /// Records traffic.
    func isAlive() {
        lastPassed = .now()
    }

    /// Handles the end of one side; the other side is closed too.
    func ended() {
        guard isOpen else { return }
        isOpen = false
        worker.tunnelClosed(self, endpoint)
    }

    func tick(now: NIODeadline) {
        if now - lastPassed > worker.core.limits.tunnelTime || now > cutAt ?? .distantFuture { cut() }
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
        cutAt = .now() + worker.core.limits.tunnelDrainTime
        service.end(with: status.frame())
        client.end(with: status.frame(maskedBy: UInt32(truncatingIfNeeded: worker.ids.next())))
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
