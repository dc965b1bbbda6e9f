import NIOCore
import WebSocket

/// The server's side of one connection: pings, and clients in namespaces.
///
/// Lives on the connection's event loop. A task exists only while the service decides on a namespace; what is emitted to it
/// meanwhile is kept.
final class SocketIOSession<Service: SocketIOService>: WebSocketDelegate, SocketIOConnection {
    private struct Member {
        let socket: SocketIOSocket
        var phase: Phase
    }

    private enum Phase {
        case deciding(Task<Void, Never>?, kept: [SocketIOEvent])
        case connected(Service.Membership)
    }

    private let endpoint: SocketIOEndpoint<Service>
    private let visitor: Service.Visitor
    private let eventLoop: any EventLoop
    /// Nil before the connection is open, and when it is gone.
    private var socket: WebSocket?
    private var members: [Member] = []
    private var deadlines: SocketIODeadlines
    private var rate: SocketIORate
    var clockIndex = 0

    init(_ endpoint: SocketIOEndpoint<Service>, visitor: Service.Visitor, on eventLoop: any EventLoop) {
        self.endpoint = endpoint
        self.visitor = visitor
        self.eventLoop = eventLoop
        deadlines = SocketIODeadlines(endpoint.rules, stay: endpoint.service.stay(of: visitor), now: eventLoop.now)
        rate = SocketIORate(eventLoop.now)
    }

    // MARK: WebSocketDelegate

    func opened(_ socket: WebSocket) {
        self.socket = socket
        endpoint.add(self, of: visitor, on: eventLoop)
        socket.write(SocketIOFrame.open(id: SocketIOID.random(), endpoint.rules))
    }

    func received(_ message: WebSocketMessage) {
        do throws(WebSocketFailure) {
            guard !rate.exceeds(endpoint.rules.messagesPerSecond, now: eventLoop.now) else {
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
        // They mean something to other transports.
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
        // Nobody listens to these.
        case .event, .ack, .connectError, .binaryEvent, .binaryAck: break
        }
    }

    // MARK: Namespaces

    private func connect(_ namespace: String, _ payload: ByteBuffer?) throws(WebSocketFailure) {
        if let member = members.first(where: { $0.socket.namespace == namespace }) {
            // Who asks again is told again; who is not decided on yet is told soon.
            if case .connected = member.phase {
                socket?.write(SocketIOFrame.connected(namespace, id: member.socket.id))
            }
            return
        }
        guard members.count < endpoint.rules.namespaces else {
            throw WebSocketFailure(.policyViolation, "too many namespaces")
        }
        let client = SocketIOSocket(namespace: namespace, of: self, on: eventLoop)
        members.append(Member(socket: client, phase: .deciding(nil, kept: [])))
        deadlines.has(namespaces: true, now: eventLoop.now)
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let task = Task { [eventLoop, visitor, service = endpoint.service] in
            let answer: Result<Service.Membership, SocketIORefusal>
            do throws(SocketIORefusal) {
                answer = .success(try await service.connect(client, payload: payload, as: visitor))
            } catch {
                answer = .failure(error)
            }
            eventLoop.execute { bound.value.decided(client, answer) }
        }
        members[members.count - 1].phase = .deciding(task, kept: [])
    }

    private func decided(_ client: SocketIOSocket, _ answer: Result<Service.Membership, SocketIORefusal>) {
        guard let index = members.firstIndex(where: { $0.socket == client }) else {
            // They have left meanwhile.
            if case .success(let membership) = answer { endpoint.service.disconnected(client, membership) }
            return
        }
        switch (answer, members[index].phase) {
        case (.success(let membership), .deciding(_, let kept)):
            members[index].phase = .connected(membership)
            socket?.write(SocketIOFrame.connected(client.namespace, id: client.id))
            for event in kept { socket?.write(event.frame) }
        case (.failure(let refusal), _):
            members.remove(at: index)
            socket?.write(SocketIOFrame.refused(client.namespace, refusal.message))
            deadlines.has(namespaces: !members.isEmpty, now: eventLoop.now)
        case (.success, .connected): break
        }
        socket?.flush()
    }

    private func leave(at index: Int) {
        dismiss(members.remove(at: index))
        deadlines.has(namespaces: !members.isEmpty, now: eventLoop.now)
    }

    private func dismiss(_ member: Member) {
        switch member.phase {
        case .deciding(let task, _): task?.cancel()
        case .connected(let membership): endpoint.service.disconnected(member.socket, membership)
        }
    }

    // MARK: SocketIOConnection

    func emit(_ event: SocketIOEvent, to client: SocketIOSocket) {
        guard let index = members.firstIndex(where: { $0.socket == client }) else { return }
        switch members[index].phase {
        case .connected:
            socket?.write(event.frame)
            socket?.flush()
        case .deciding(let task, var kept):
            guard kept.count < endpoint.rules.keptEvents else { return close(.tryAgainLater, "fell too far behind") }
            kept.append(event)
            members[index].phase = .deciding(task, kept: kept)
        }
    }

    func disconnect(_ client: SocketIOSocket) {
        guard let index = members.firstIndex(where: { $0.socket == client }) else { return }
        socket?.write(SocketIOFrame.disconnected(client.namespace))
        socket?.flush()
        leave(at: index)
    }

    func close(_ code: CloseCode, _ reason: String) {
        socket?.close(code, reason)
    }

    func tick(_ now: NIODeadline) {
        switch deadlines.due(now) {
        case .ping:
            socket?.write(SocketIOFrame.ping)
            socket?.flush()
        case .end(let reason): close(.policyViolation, reason)
        case nil: break
        }
    }
}
