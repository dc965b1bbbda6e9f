import NIOCore

/// A WebSocket between a phone and a service: two ends, and the time since something last passed.
final class Tunnel: TimedConnection {
    private let worker: Worker
    private let endpoint: Endpoint?
    /// The session that opened it, where the gateway vouched for one.
    let session: String?
    let client = TunnelEnd()
    let service = TunnelEnd()
    private var lastPassed = NIODeadline.now()
    private var cutAt: NIODeadline?
    private var isOpen = false

    init(worker: Worker, endpoint: Endpoint?, session: String?) {
        self.worker = worker
        self.session = session
        self.endpoint = endpoint
        client.tunnel = self
        service.tunnel = self
        client.partner = service
        service.partner = client
    }

    /// Both ends are in their places.
    func opened() {
        isOpen = true
        worker.tunnelOpened(self, endpoint)
    }

    /// Something passed.
    func isAlive() {
        lastPassed = .now()
    }

    /// One of the ends is gone; the other follows.
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

    /// The session that opened it has ended.
    func revoke() {
        close(with: .policyViolation)
    }

    /// Tells both sides why, and gives them a moment to close.
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

/// Why a WebSocket is closed (RFC 6455 §7.4.1).
enum CloseStatus: UInt16 {
    case goingAway = 1001
    case policyViolation = 1008

    /// The Close frame that says so (RFC 6455 §5.5.1).
    ///
    /// - Parameter mask: the key that a client's frame must be masked by; nil for a server's frame.
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
