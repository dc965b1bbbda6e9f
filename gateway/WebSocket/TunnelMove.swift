import Contracts
import NIOCore

/// The move of a tunnel from a copy of its service that has offered it to another copy (`SocketMove`).
final class TunnelMove {
    private enum Phase {
        /// Other moves come first.
        case waiting
        /// The copy is asked for the socket's state after the client's current message, from which on messages are held.
        case leaving(until: NIODeadline)
        /// Another copy is searched for.
        case arriving(until: NIODeadline)
        case ended
    }

    private weak var tunnel: Tunnel?
    private let loop: EventLoopContext
    private let service: ServiceName
    private let token: ByteBuffer
    private var phase = Phase.waiting
    private var state = ByteBuffer()
    private var candidates: EndpointCandidates?
    private var arrival: SocketArrival?

    init(_ tunnel: Tunnel, of service: ServiceName, token: ByteBuffer) {
        self.tunnel = tunnel
        self.loop = tunnel.loop
        self.service = service
        self.token = token
    }

    /// - Returns: Whether the move is wanted.
    func begin() -> Bool {
        guard case .waiting = phase, let tunnel else { return false }
        phase = .leaving(until: .now() + loop.core.limits.moveTime)
        tunnel.client.holdMessages { [self] in askForState() }
        return true
    }

    private func askForState() {
        guard case .leaving = phase, let tunnel else { return }
        tunnel.service.write(loop.frame(GatewayFrame(opcode: SocketMove.pause, payload: token)))
        tunnel.service.flush()
    }

    /// - Returns: Whether it was expected.
    func received(state: ByteBuffer) -> Bool {
        guard case .leaving(let deadline) = phase, let tunnel else { return false }
        phase = .arriving(until: deadline)
        self.state = state
        candidates = loop.candidates(of: service, avoiding: tunnel.detachService())
        connect()
        return true
    }

    func tick(now: NIODeadline) {
        switch phase {
        case .leaving(let deadline), .arriving(let deadline):
            if now > deadline { fail() } else { arrival?.tick(now: now) }
        case .waiting, .ended: break
        }
    }

    /// Ends the move with its tunnel, or because it is complete.
    func end() {
        let hasBegun = isUnderWay
        phase = .ended
        arrival?.abandon()
        arrival = nil
        if hasBegun { loop.moves.ended() }
    }

    private func fail() {
        loop.moves.failedCount += 1
        tunnel?.close(with: .serviceRestart)
    }

    private var isUnderWay: Bool {
        switch phase {
        case .leaving, .arriving: true
        case .waiting, .ended: false
        }
    }

    private var isArriving: Bool {
        if case .arriving = phase { true } else { false }
    }

    // MARK: At another copy

    /// Connects to the best address. When all have failed, a pause follows, and then the copy that ended may be back.
    private func connect() {
        guard isArriving else { return }
        guard let pool = candidates?.next(now: .now()) else {
            _ = loop.eventLoop.assumeIsolated().scheduleTask(in: loop.core.limits.tick) { [self] in
                candidates = loop.candidates(of: service, avoiding: nil)
                connect()
            }
            return
        }
        pool.connect(
            UpstreamPool.Waiting(mayReuse: false, isWanted: { self.isArriving }) { [self] result, _ in
                switch result {
                case .success(let connection): shakeHands(connection, at: pool.endpoint)
                case .failure:
                    loop.failed(pool.endpoint)
                    tryNext()
                }
            }
        )
    }

    private func tryNext() {
        candidates?.connectFailed()
        connect()
    }

    private func shakeHands(_ connection: UpstreamConnection, at endpoint: Endpoint) {
        guard isArriving, let context = connection.leave() else { return connection.close() }
        let deadline = NIODeadline.now() + loop.core.limits.moveAttemptTime
        let arrival = SocketArrival(of: state, until: deadline, loop) { [self] outcome in
            self.arrival = nil
            guard isArriving, let tunnel else { return }
            switch outcome {
            case .confirmed(let context, let rest):
                loop.moves.count += 1
                end()
                tunnel.attachService(context, at: endpoint, rest: rest)
            case .closed(.policyViolation): tunnel.close(with: .policyViolation)
            case .closed, .failed: tryNext()
            }
        }
        self.arrival = arrival
        do {
            try context.pipeline.syncOperations.addHandler(arrival)
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
            arrival.begin(with: endpoint, key: loop.keys[service])
        } catch {
            arrival.abandon()
            tryNext()
        }
    }
}

/// The moves of an event loop's tunnels, a few at a time: a client's messages are held for milliseconds only, and the
/// other copies are not overwhelmed, when a copy with thousands of sockets ends.
final class TunnelMoves {
    private var waiting = CircularBuffer<TunnelMove>()
    private var running = 0
    /// The numbers of tunnels that have moved, and of those that no copy took in time.
    var count = 0
    var failedCount = 0

    private static let limit = 32

    func add(_ move: TunnelMove) {
        waiting.append(move)
        beginNext()
    }

    func ended() {
        running -= 1
        beginNext()
    }

    private func beginNext() {
        while running < Self.limit, let move = waiting.popFirst() {
            running += 1
            if !move.begin() { running -= 1 }
        }
    }
}
