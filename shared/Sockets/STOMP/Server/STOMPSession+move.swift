import NIOCore

/// The moves of a connection between copies of the service (`SocketMove`).
extension STOMPSession {
    // MARK: Leaving

    func suspend(_ leave: @escaping (ByteBuffer?) -> Void) {
        departure = leave
        departWhenIdle()
    }

    /// Leaves this copy if that is wanted and all frames that have come are handled.
    func departWhenIdle() {
        guard let leave = departure, pending == nil, !isClosed else { return }
        departure = nil
        switch phase {
        case .waiting(let handshake): leave(state(.waiting(handshake: handshake)).bytes)
        case .connecting, .done: leave(nil)
        case .connected(let principal): depart(as: principal, leave)
        }
    }

    private func depart(as principal: Service.Principal, _ leave: @escaping (ByteBuffer?) -> Void) {
        let client = State.Client(
            record: service.record(of: principal),
            version: outlet.version,
            beats: offer,
            subscriptions: outlet.subscriptions.values.map { subscription in
                State.Subscription(
                    id: subscription.id,
                    destination: subscription.destination,
                    position: service.suspend(subscription, on: connection, as: principal)
                )
            }
        )
        outlet.leaveHubs()
        // What was delivered before the service took the positions is waiting on the event loop.
        connection.eventLoop.assumeIsolated().execute { [self] in leave(state(.connected(client)).bytes) }
    }

    private func state(_ phase: State.Phase) -> State { State(phase, input: decoder.unread) }

    // MARK: Arriving

    /// Continues the connection of another copy.
    func arrive(_ state: State, on socket: WebSocket) {
        decoder.append(ByteBuffer(bytes: state.input))
        switch state.phase {
        case .waiting:
            socket.confirmMove()
            expectConnect()
            readFrames()
        case .connected(let client):
            phase = .connecting
            outlet.isArriving = true
            outlet.version = client.version
            decoder.version = client.version
            offer = client.beats
            resume(client)
        }
    }

    private func resume(_ client: State.Client) {
        let principal = service.principal(of: client.record)
        // Registered before the check, so that a concurrent revocation finds the connection.
        connections.add(connection, principal)
        let loop = connection.eventLoop
        let confirmed = NIOLoopBound({ [self] in confirmArrival(client, principal) }, eventLoop: loop)
        let ended = NIOLoopBound({ [self] (error: (any Error)?) in endArrival(error) }, eventLoop: loop)
        let (service, connection, time) = (service, connection, limits.resumeTime)
        let resume = { @Sendable () async throws in
            let deadline = ContinuousClock.now + time
            try await Self.repeating(until: deadline) { try await service.check(principal, on: connection) }
            guard try await loop.submit({ confirmed.value() }).get() else { return }
            for entry in client.subscriptions {
                let (subscription, position) = (entry.subscription, entry.position)
                try await Self.repeating(until: deadline) {
                    try await service.resume(subscription, from: position, on: connection, as: principal)
                }
            }
        }
        pending = Task {
            do {
                try await resume()
                loop.execute { ended.value(nil) }
            } catch {
                loop.execute { ended.value(error) }
            }
        }
    }

    /// Repeats a call after errors other than refusals, which a database that is away for a moment causes.
    private static func repeating(
        until deadline: ContinuousClock.Instant,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        while true {
            do {
                return try await body()
            } catch {
                guard !(error is STOMPRefusal), ContinuousClock.now < deadline, !Task.isCancelled else { throw error }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// - Returns: Whether the connection is still open.
    private func confirmArrival(_ client: State.Client, _ principal: Service.Principal) -> Bool {
        connected(principal)
        guard let socket = outlet.socket, socket.isOpen else { return false }
        outlet.isArriving = false
        socket.confirmMove()
        _ = beats.start(offer, least: limits.leastBeat, socket)
        for entry in client.subscriptions { outlet.add(entry.subscription) }
        return true
    }

    private func endArrival(_ error: (any Error)?) {
        pending = nil
        if let error { refuseArrival(error) }
        if isClosed { leave(hasMoved: false) } else { readFrames() }
        outlet.socket?.flush()
    }

    private func refuseArrival(_ error: any Error) {
        if case .connecting = phase { connections.remove(connection) }
        if let refusal = error as? STOMPRefusal {
            refuse(refusal, receipt: nil)
        } else if outlet.isArriving {
            phase = .done
            outlet.socket?.close(.tryAgainLater, "the connection cannot be checked at the moment")
        } else {
            refuse(STOMPRefusal("Try again in a moment."), receipt: nil)
        }
    }
}
