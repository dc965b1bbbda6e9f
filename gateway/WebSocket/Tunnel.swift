import NIOCore

/// A WebSocket between a phone and a service: two ends, and the time since something last passed.
final class Tunnel: TimedConnection {
    private let worker: Worker
    private let endpoint: Endpoint?
    let client = TunnelEnd()
    let service = TunnelEnd()
    private var lastPassed = NIODeadline.now()
    private var cutAt: NIODeadline?
    private var hasEnded = false

    init(worker: Worker, endpoint: Endpoint?) {
        self.worker = worker
        self.endpoint = endpoint
        client.tunnel = self
        service.tunnel = self
        client.partner = service
        service.partner = client
        worker.tunnelOpened(self, endpoint)
    }

    /// Something passed.
    func isAlive() {
        lastPassed = .now()
    }

    /// One of the ends is gone; the other follows.
    func ended() {
        guard !hasEnded else { return }
        hasEnded = true
        worker.tunnelClosed(self, endpoint)
    }

    func tick(now: NIODeadline) {
        if now - lastPassed > worker.core.limits.tunnelTime || now > cutAt ?? .distantFuture { cut() }
    }

    /// Tells both sides that the gateway goes away (RFC 6455 §7.4.1, 1001), and gives them a moment to close.
    func drain() {
        guard cutAt == nil else { return }
        cutAt = .now() + worker.core.limits.tunnelDrainTime
        service.end(with: CloseFrame.goingAway())
        client.end(with: CloseFrame.goingAway(maskedBy: UInt32(truncatingIfNeeded: worker.ids.next())))
    }

    func cut() {
        client.close()
        service.close()
    }
}

/// A Close frame with status 1001 (RFC 6455 §5.5.1).
enum CloseFrame {
    private static let code: UInt32 = 1001

    /// - Parameter mask: the key that a client's frame must be masked by; nil for a server's frame.
    static func goingAway(maskedBy mask: UInt32? = nil) -> ByteBuffer {
        var frame = ByteBuffer()
        if let mask {
            frame.writeMultipleIntegers(UInt8(0x88), UInt8(0x82), mask)
            frame.writeInteger(UInt16(truncatingIfNeeded: code ^ (mask >> 16)))
        } else {
            frame.writeMultipleIntegers(UInt8(0x88), UInt8(0x02), UInt16(code))
        }
        return frame
    }
}
