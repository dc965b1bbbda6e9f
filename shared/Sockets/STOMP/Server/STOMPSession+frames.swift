import HTTPTypes
import NIOCore

extension STOMPSession {
    /// Handles a frame.
    ///
    /// Acknowledgements and transactions are refused instead of ignored, because a client that relies on redelivery or
    /// atomicity would not get it.
    func take(_ frame: STOMPFrame) throws(STOMPRefusal) {
        do throws(STOMPRefusal) {
            switch (phase, frame.command) {
            case (.waiting(let handshake), "CONNECT"), (.waiting(let handshake), "STOMP"): try connect(frame, handshake)
            case (.waiting, _): throw STOMPRefusal("CONNECT comes first.")
            case (_, "CONNECT"), (_, "STOMP"): throw STOMPRefusal("The connection is connected already.")
            case (.connected(let principal), "SUBSCRIBE"): try subscribe(frame, principal)
            case (.connected(let principal), "UNSUBSCRIBE"): try unsubscribe(frame, principal)
            case (.connected(let principal), "SEND"): try send(frame, principal)
            case (_, "DISCONNECT"): disconnect(frame)
            case (_, "ACK"), (_, "NACK"):
                throw STOMPRefusal("Messages are not acknowledged here; subscribe with ack auto.")
            case (_, "BEGIN"), (_, "COMMIT"), (_, "ABORT"): throw STOMPRefusal("There are no transactions here.")
            default: throw STOMPRefusal("There is no such command.")
            }
        } catch {
            throw STOMPRefusal(error.message, receipt: frame.headers["receipt"])
        }
    }

    private func empty(_ frame: STOMPFrame) throws(STOMPRefusal) {
        guard frame.body.readableBytes == 0 else { throw STOMPRefusal("Only SEND has a body.") }
    }

    private func header(_ name: String, of frame: STOMPFrame) throws(STOMPRefusal) -> String {
        guard let value = frame.headers[name], !value.isEmpty else {
            throw STOMPRefusal("\(frame.command) needs the header \(name).")
        }
        return value
    }

    // MARK: CONNECT

    private func connect(_ frame: STOMPFrame, _ handshake: HTTPRequest) throws(STOMPRefusal) {
        try empty(frame)
        guard let version = STOMPVersion(accepted: frame.headers["accept-version"]) else {
            throw STOMPRefusal("The versions spoken are 1.2, 1.1 and 1.0.")
        }
        offer = try STOMPBeats.Offer(frame.headers["heart-beat"])
        phase = .connecting
        outlet.version = version
        decoder.version = version
        let (service, connection, headers) = (service, connection, frame.headers)
        ask(frame) { () async throws(STOMPRefusal) in
            try await service.connect(headers, handshake: handshake, on: connection)
        } then: { [self] principal in
            connected(principal)
            guard let socket = outlet.socket else { return }
            let agreed = beats.start(offer, least: limits.leastBeat, socket)
            socket.write(
                STOMPEncoder.frame(
                    "CONNECTED",
                    [
                        ("version", version.rawValue), ("heart-beat", agreed), ("session", String(connection.id)),
                        ("server", "madang"),
                    ],
                    version: version
                )
            )
        }
    }

    // MARK: SUBSCRIBE, UNSUBSCRIBE, SEND

    private func subscribe(_ frame: STOMPFrame, _ principal: Service.Principal) throws(STOMPRefusal) {
        try empty(frame)
        let destination = try header("destination", of: frame)
        // Version 1.0 may omit the id.
        let id = outlet.version == .v10 ? frame.headers["id"] ?? destination : try header("id", of: frame)
        guard ["auto", nil].contains(frame.headers["ack"]) else {
            throw STOMPRefusal("Messages are not acknowledged here; subscribe with ack auto.")
        }
        if let old = outlet.subscriptions[id] {
            guard old.destination == destination else { throw STOMPRefusal("There is a subscription with this id.") }
            // SeatCatcher's app may repeat a subscription without unsubscribing, as after a refusal.
            _ = outlet.remove(id: id)
            service.unsubscribe(old, on: connection, as: principal)
        }
        guard outlet.subscriptions.count < limits.subscriptions else {
            throw STOMPRefusal("There are too many subscriptions.")
        }
        let subscription = STOMPSubscription(id: id, destination: destination)
        outlet.add(subscription)
        let (service, connection) = (service, connection)
        ask(frame, about: destination) { () async throws(STOMPRefusal) in
            try await service.subscribe(subscription, headers: frame.headers, on: connection, as: principal)
        } then: { (_: Void) in
        }
    }

    /// Handles UNSUBSCRIBE. An unknown id is not an error, because ending a subscription is idempotent.
    private func unsubscribe(_ frame: STOMPFrame, _ principal: Service.Principal) throws(STOMPRefusal) {
        try empty(frame)
        let isOld = outlet.version == .v10 && frame.headers["id"] == nil
        if let subscription = outlet.remove(id: try header(isOld ? "destination" : "id", of: frame)) {
            service.unsubscribe(subscription, on: connection, as: principal)
        }
        confirm(frame)
    }

    private func send(_ frame: STOMPFrame, _ principal: Service.Principal) throws(STOMPRefusal) {
        let destination = try header("destination", of: frame)
        guard frame.headers["transaction"] == nil else { throw STOMPRefusal("There are no transactions here.") }
        let (service, connection) = (service, connection)
        ask(frame, about: destination) { () async throws(STOMPRefusal) in
            try await service.send(
                destination,
                headers: frame.headers,
                body: frame.body,
                on: connection,
                as: principal
            )
        } then: { (_: Void) in
        }
    }

    // MARK: DISCONNECT

    private func disconnect(_ frame: STOMPFrame) {
        confirm(frame)
        phase = .done
        outlet.socket?.close(.normal)
    }
}
