import NIOCore

/// The server's side of one connection: pings, and the memberships of namespaces.
///
/// It lives on the connection's event loop. A task exists only while the service decides about a namespace; events
/// emitted to it meanwhile are buffered.
final class SocketIOSession<Service: SocketIOService>: WebSocketDelegate {
    /// A client in a namespace, or connecting to it.
    struct Member {
        let socket: SocketIOSocket
        var phase: Phase
    }

    enum Phase {
        case deciding(Task<Void, Never>?, kept: [SocketIOEvent])
        /// The client was connected by another copy; events are sent.
        case resuming(Task<Void, Never>?)
        case connected(Service.Membership)
        /// Another copy continues from here.
        case suspended(Service.Position)
    }

    typealias State = SocketIOState<Service.Visitor, Service.Position>

    let endpoint: SocketIOEndpoint<Service>
    let visitor: Service.Visitor
    let eventLoop: any EventLoop
    /// nil before the connection is open and after it has closed.
    private(set) var socket: WebSocket?
    var members: [Member] = []
    var deadlines: SocketIODeadlines
    private var allowance: FrameAllowance
    var clockIndex = 0
    /// The members that another copy has suspended; nil for a new connection, and when it is open.
    private var arriving: [State.Member]?
    /// Takes the state when the members are suspended; nil unless the socket moves.
    var leave: ((ByteBuffer?) -> Void)?

    init(_ endpoint: SocketIOEndpoint<Service>, visitor: Service.Visitor, on eventLoop: any EventLoop) {
        self.endpoint = endpoint
        self.visitor = visitor
        self.eventLoop = eventLoop
        deadlines = SocketIODeadlines(endpoint.rules, stay: endpoint.service.stay(of: visitor), now: eventLoop.now)
        allowance = FrameAllowance(endpoint.rules.messages, now: eventLoop.now)
    }

    /// A connection that comes from another copy.
    convenience init(_ endpoint: SocketIOEndpoint<Service>, resuming state: State, on eventLoop: any EventLoop) {
        self.init(endpoint, visitor: state.visitor, on: eventLoop)
        deadlines = SocketIODeadlines(
            endpoint.rules,
            stay: endpoint.service.stay(of: visitor),
            pingTime: .milliseconds(state.pingTime),
            now: eventLoop.now
        )
        arriving = state.members
    }

    // MARK: WebSocketDelegate

    func opened(_ socket: WebSocket) {
        self.socket = socket
        endpoint.add(self, of: visitor, on: eventLoop)
        if let arriving {
            self.arriving = nil
            socket.confirmMove()
            for member in arriving { resume(member) }
        } else {
            socket.write(SocketIOFrame.open(id: SocketIOID.random(), endpoint.rules))
        }
    }

    func received(_ message: WebSocketMessage) {
        do throws(WebSocketFailure) {
            guard allowance.take(now: eventLoop.now) else {
                throw WebSocketFailure(.policyViolation, "too many messages")
            }
            guard case .text(let text) = message else {
                throw WebSocketFailure(.unacceptableData, "binary data is not spoken here")
            }
            try take(EnginePacket(text))
        } catch {
            close(error.code, error.reason)
        }
    }

    func suspend(_ leave: @escaping (ByteBuffer?) -> Void) {
        self.leave = leave
        suspendIfDecided()
    }

    func closed(_ end: WebSocketEnd) {
        guard socket != nil else { return }
        socket = nil
        leave = nil
        endpoint.remove(self, on: eventLoop)
        let gone = members
        members = []
        for member in gone { dismiss(member) }
    }

    // MARK: Packets

    private func take(_ packet: EnginePacket) throws(WebSocketFailure) {
        switch packet.kind {
        case .message: try take(SocketIOPacket(packet.payload))
        case .ping: socket?.write(SocketIOFrame.pong(packet.payload))
        case .pong: deadlines.answered()
        case .close: close(.normal, "")
        // Meaningful for other transports only.
        case .upgrade, .noop: break
        case .open: throw WebSocketFailure(.protocolError, "only a server opens")
        }
    }

    private func take(_ packet: SocketIOPacket) throws(WebSocketFailure) {
        switch packet.kind {
        case .connect: try connect(packet.namespace, packet.payload)
        case .disconnect:
            guard let index = members.firstIndex(where: { $0.socket.namespace == packet.namespace }) else { return }
            leave(at: index)
        // Packets from clients are ignored.
        case .event, .ack, .connectError, .binaryEvent, .binaryAck: break
        }
    }
}
