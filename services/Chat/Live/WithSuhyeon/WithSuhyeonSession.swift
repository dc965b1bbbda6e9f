import Contracts
import FoundationEssentials
import NIOCore
import Sockets

/// One of With Suhyeon's sockets on the server, isolated to its event loop. Authenticates the client, handles its frames
/// one after the other, and executes the actions of `WithSuhyeonSocketState` (`WithSuhyeonSession+actions.swift`).
///
/// A task exists only while there is work. Received frames are handled even when the socket has closed meanwhile.
actor WithSuhyeonSession {
    nonisolated let id: UUID
    /// The ticket of the handshake; nil when it is malformed.
    nonisolated let ticket: TicketID?
    let openedAt: Date
    let connections: WithSuhyeonConnections
    nonisolated let eventLoop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    /// Nil before the socket is open, and after it has closed.
    private(set) var socket: NIOLoopBound<WebSocket>?
    /// Nil until auth has verified the ticket.
    private(set) var holder: AuthAPI.Ticket?
    var state: WithSuhyeonSocketState
    /// Whether the socket comes from another copy of the service.
    private let isArriving: Bool
    var lastOperation: Task<Void, Never>?
    /// Number of operations that have not ended.
    var operations = 0
    /// Takes the state when everything received has been handled; nil unless the socket moves to another copy.
    var leave: NIOLoopBound<(ByteBuffer?) -> Void>?
    private(set) var frames: [ByteBuffer] = []
    private(set) var isHandlingFrames = false
    private var allowance: FrameAllowance

    /// When this many frames are pending, reading is paused.
    private static let frameLimit = 32

    init(_ connections: WithSuhyeonConnections, ticket: TicketID?, openedAt: Date, on eventLoop: any EventLoop) {
        self.connections = connections
        self.id = UUID()
        self.ticket = ticket
        self.openedAt = openedAt
        self.eventLoop = eventLoop
        self.state = WithSuhyeonSocketState()
        self.isArriving = false
        self.allowance = FrameAllowance(now: eventLoop.now)
    }

    /// A socket that comes from another copy.
    init(_ connections: WithSuhyeonConnections, resuming state: Suspended, on eventLoop: any EventLoop) {
        self.connections = connections
        self.id = state.id
        self.ticket = state.ticket
        self.openedAt = state.openedAt
        self.eventLoop = eventLoop
        self.state = WithSuhyeonSocketState(resuming: state.socket)
        self.isArriving = true
        self.allowance = FrameAllowance(now: eventLoop.now)
    }

    /// Handles a notification on the event loop, after all earlier events.
    nonisolated func dispatch(_ event: WithSuhyeonSocketState.Event) {
        eventLoop.execute { self.assumeIsolated { $0.handle(notification: event) } }
    }

    /// Has no effect before authentication.
    func handle(_ event: WithSuhyeonSocketState.Event) {
        guard holder != nil else { return }
        for action in state.handle(event) { execute(action) }
        socket?.value.flush()
    }

    /// Writes a text frame, which is not flushed yet.
    func send(_ payload: ByteBuffer) {
        socket?.value.write(.text, payload)
    }

    // MARK: Opening and closing

    private func open(_ socket: NIOLoopBound<WebSocket>) {
        self.socket = socket
        guard let ticket else { return socket.value.close(.policyViolation, "userId must be a ticket") }
        _ = connections.spawn { await self.authenticate(ticket) }
    }

    private func authenticate(_ ticket: TicketID) async {
        do {
            guard let holder = try await connections.admit(self, ticket: ticket) else {
                return close(.policyViolation, "this is no ticket, or its session has ended")
            }
            // The gateway offers a socket that has not been confirmed to the next copy.
            if isArriving, socket == nil { return connections.remove(self, of: holder) }
            self.holder = holder
            handleFrames()
            if isArriving {
                socket?.value.confirmMove()
                handle(.resumed)
            } else if socket == nil {
                ended(isNormal: false)
            } else {
                handle(.opened)
            }
            suspendIfIdle()
        } catch {
            close(.tryAgainLater, "the ticket cannot be verified, try again")
        }
    }

    /// Closes the socket and drops the pending frames.
    func close(_ code: CloseCode, _ reason: String) {
        frames = []
        socket?.value.close(code, reason)
    }

    private func ended(isNormal: Bool) {
        socket = nil
        guard let holder else { return }
        connections.remove(self, of: holder)
        handle(.closed(isNormal: isNormal))
    }

    // MARK: Frames

    private func receive(_ message: WebSocketMessage) {
        guard allowance.take(now: eventLoop.now) else {
            socket?.value.close(.policyViolation, "too many frames")
            return
        }
        switch message {
        case .binary:
            DroppedFrame.binary.count()
        case .text(let bytes):
            frames.append(bytes)
            if frames.count >= Self.frameLimit { socket?.value.pauseReading() }
            handleFrames()
        }
    }

    private func handleFrames() {
        guard !isHandlingFrames, let holder, !frames.isEmpty else { return }
        isHandlingFrames = true
        _ = connections.spawn { await self.handleFrames(of: holder.account) }
    }

    private func handleFrames(of account: AccountID) async {
        while !frames.isEmpty {
            let bytes = frames.removeFirst()
            if frames.count < Self.frameLimit { socket?.value.resumeReading() }
            let outcome = await withFrameSpan("frame", destination: nil, account: "\(account)") {
                () async throws(DroppedFrame) in
                try await connections.frameHandler.handle(WithSuhyeonFrame(bytes), of: account)
            }
            switch outcome {
            case .success(let view?):
                send(WithSuhyeonPayload.created(view))
                socket?.value.flush()
            case .success(nil): break
            case .failure(let error): error.count()
            }
        }
        isHandlingFrames = false
        suspendIfIdle()
    }
}

/// Called on the event loop.
extension WithSuhyeonSession: WebSocketDelegate {
    nonisolated func opened(_ socket: WebSocket) {
        let socket = NIOLoopBound(socket, eventLoop: socket.eventLoop)
        assumeIsolated { $0.open(socket) }
    }

    nonisolated func received(_ message: WebSocketMessage) {
        assumeIsolated { $0.receive(message) }
    }

    nonisolated func receivedPong(_ payload: ByteBuffer) {
        guard let shown = RoomPosition(pingPayload: payload) else { return }
        assumeIsolated { $0.handle(.pongReceived(shown)) }
    }

    nonisolated func suspend(_ leave: @escaping (ByteBuffer?) -> Void) {
        let leave = NIOLoopBound(leave, eventLoop: eventLoop)
        assumeIsolated { $0.suspend(leave) }
    }

    nonisolated func closed(_ end: WebSocketEnd) {
        var isNormal = false
        if case .closedByPeer(let code, _) = end { isNormal = [nil, .normal, .goingAway].contains(code) }
        assumeIsolated { [isNormal] in $0.ended(isNormal: isNormal) }
    }
}
