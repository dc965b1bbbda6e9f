import Apps
import NIOCore

extension ClientConnection: TimedConnection {
    func tick(now: NIODeadline) {
        deadlines.now = now
        guard phase != .closed, let late = deadlines.late else { return }
        switch late {
        case .idle, .linger:
            clientGone()
        case .head:
            // A connection without a single received byte is closed without a response.
            inbound.readableBytes > 0 ? refuseUnreadable(.slow(nil)) : clientGone()
        case .body:
            guard let exchange else { return clientGone() }
            refuseInFlight(.slow(exchange.app))
        case .refresh:
            refreshIsLate()
        case .answer:
            answerIsLate()
        case .stall:
            stalled()
        }
    }

    private func answerIsLate() {
        guard let exchange else {
            guard phase == .deciding else { return clientGone() }
            refuse(.unavailable(nil), worker.gate.unknownRoute)
            return process()
        }
        if let endpoint = exchange.endpoint { worker.failed(endpoint) }
        refuseInFlight(.late(exchange.app))
        process()
    }

    private func stalled() {
        guard let exchange else { return clientGone() }
        exchange.upstream?.abandon()
        exchange.upstream = nil
        exchange.answerBegan ? abort(exchange) : answerIsLate()
    }

    func drain() {
        deadlines.now = .now()
        deadlines.drains()
    }

    func cut() {
        guard phase != .closed else { return }
        if let exchange { return abort(exchange) }
        clientGone()
    }
}
