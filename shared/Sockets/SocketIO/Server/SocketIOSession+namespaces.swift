import FoundationEssentials
import NIOCore

extension SocketIOSession {
    /// Handles a client's request for a namespace by calling the service.
    ///
    /// - Throws: If the limit on namespaces is exceeded.
    func connect(_ namespace: String, _ payload: ByteBuffer?) throws(WebSocketFailure) {
        if let member = members.first(where: { $0.socket.namespace == namespace }) {
            // A repeated request is answered again; a pending one is answered once it is decided.
            switch member.phase {
            case .connected, .resuming: socket?.write(SocketIOFrame.connected(namespace, id: member.socket.id))
            case .deciding, .suspended: break
            }
            return
        }
        guard members.count < endpoint.rules.namespaces else {
            throw WebSocketFailure(.policyViolation, "too many namespaces")
        }
        let client = SocketIOSocket(namespace: namespace, of: self, on: eventLoop)
        members.append(Member(socket: client, phase: .deciding(nil, kept: [])))
        deadlines.has(namespaces: true, now: eventLoop.now)
        let task = decide(about: client) { [visitor, service = endpoint.service] () throws(SocketIORefusal) in
            try await service.connect(client, payload: payload, as: visitor)
        }
        members[members.count - 1].phase = .deciding(task, kept: [])
    }

    /// Continues a membership that another copy has suspended.
    func resume(_ member: State.Member) {
        let client = SocketIOSocket(id: member.id, namespace: member.namespace, of: self, on: eventLoop)
        members.append(Member(socket: client, phase: .resuming(nil)))
        deadlines.has(namespaces: true, now: eventLoop.now)
        let position = member.position
        let task = decide(about: client) { [visitor, service = endpoint.service] () throws(SocketIORefusal) in
            try await service.resume(client, from: position, as: visitor)
        }
        members[members.count - 1].phase = .resuming(task)
    }

    private func decide(
        about client: SocketIOSocket,
        _ ask: @escaping @Sendable () async throws(SocketIORefusal) -> Service.Membership
    ) -> Task<Void, Never> {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        return Task { [eventLoop] in
            let answer = await withFrameSpan("Socket.IO join", destination: client.namespace, account: nil, ask)
            eventLoop.execute { bound.value.decided(client, answer) }
        }
    }

    private func decided(_ client: SocketIOSocket, _ answer: Result<Service.Membership, SocketIORefusal>) {
        defer { suspendIfDecided() }
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
        case (.success(let membership), .resuming):
            members[index].phase = .connected(membership)
        case (.failure(let refusal), let phase):
            members.remove(at: index)
            let isRefused = if case .deciding = phase { true } else { false }
            socket?.write(
                isRefused
                    ? SocketIOFrame.refused(client.namespace, refusal.message)
                    : SocketIOFrame.disconnected(client.namespace)
            )
            deadlines.has(namespaces: !members.isEmpty, now: eventLoop.now)
        case (.success, .connected), (.success, .suspended): break
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
        case .deciding(let task, _), .resuming(let task): task?.cancel()
        case .connected(let membership): endpoint.service.disconnected(member.socket, membership)
        case .suspended: break
        }
    }

    // MARK: Moving to another copy

    /// Suspends the members of a socket that moves when no connection is being decided, and passes the state on.
    func suspendIfDecided() {
        guard let leave, members.allSatisfy(\.isDecided) else { return }
        self.leave = nil
        for index in members.indices {
            guard case .connected(let membership) = members[index].phase else { continue }
            members[index].phase = .suspended(endpoint.service.suspend(members[index].socket, membership))
        }
        // What was emitted before is written first.
        eventLoop.assumeIsolated().execute { [self] in
            let state = State(
                visitor: visitor,
                pingTime: deadlines.pingTime(eventLoop.now).nanoseconds / 1_000_000,
                members: members.compactMap(\.suspended)
            )
            leave((try? JSONEncoder().encode(state)).map { ByteBuffer(bytes: $0) })
        }
    }
}

extension SocketIOSession.Member {
    fileprivate var isDecided: Bool {
        switch phase {
        case .deciding, .resuming: false
        case .connected, .suspended: true
        }
    }

    fileprivate var suspended: SocketIOSession.State.Member? {
        guard case .suspended(let position) = phase else { return nil }
        return .init(namespace: socket.namespace, id: socket.id, position: position)
    }
}

extension SocketIOSession: SocketIOConnection {
    func emit(_ event: SocketIOEvent, to client: SocketIOSocket) {
        guard let index = members.firstIndex(where: { $0.socket == client }) else { return }
        switch members[index].phase {
        case .resuming, .connected, .suspended:
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
