import NIOCore

extension SocketIOSession {
    /// Handles a client's request for a namespace by calling the service.
    ///
    /// - Throws: If the limit on namespaces is exceeded.
    func connect(_ namespace: String, _ payload: ByteBuffer?) throws(WebSocketFailure) {
        if let member = members.first(where: { $0.socket.namespace == namespace }) {
            // A repeated request is answered again; a pending one is answered once it is decided.
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
            // The client left the namespace meanwhile.
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

    /// Removes a client from a namespace.
    func leave(at index: Int) {
        dismiss(members.remove(at: index))
        deadlines.has(namespaces: !members.isEmpty, now: eventLoop.now)
    }

    /// Notifies the service that a client has left.
    func dismiss(_ member: Member) {
        switch member.phase {
        case .deciding(let task, _): task?.cancel()
        case .connected(let membership): endpoint.service.disconnected(member.socket, membership)
        }
    }
}

extension SocketIOSession: SocketIOConnection {
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
