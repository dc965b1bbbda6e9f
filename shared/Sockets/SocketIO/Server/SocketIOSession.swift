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
        case connected(Service.Membership)
    }

    let endpoint: SocketIOEndpoint<Service>
    let visitor: Service.Visitor
    let eventLoop: any EventLoop
    /// nil before the connection is open and after it has closed.
    private(set) var socket: WebSocket?
    var members: [Member] = []
    var deadlines: SocketIODeadlines
    private var allowance: FrameAllowance
    var clockIndex = 0

    init(_ endpoint: SocketIOEndpoint<Service>, visitor: Service.Visitor, on eventLoop: any EventLoop) {
        self.endpoint = endpoint
        self.visitor = visitor
        self.eventLoop = eventLoop
        deadlines = SocketIODeadlines(endpoint.rules, stay: endpoint.service.stay(of: visitor), now: eventLoop.now)
        allowance = FrameAllowance(endpoint.rules.messages, now: eventLoop.now)
    }

    // MARK: WebSocketDelegate

    func opened(_ socket: WebSocket) {
        self.socket = socket
        endpoint.add(self, of: visitor, on: eventLoop)
        socket.write(SocketIOFrame.open(id: SocketIOID.random(), endpoint.rules))
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

    func closed(_ end: WebSocketEnd) {
        guard socket != nil else { return }
        socket = nil
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
