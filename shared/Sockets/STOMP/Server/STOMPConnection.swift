package import NIOCore

/// A client's connection, as seen by a service. Thread-safe.
package final class STOMPConnection: Sendable, Hashable {
    /// Unique within the process.
    package let id: UInt64
    package let eventLoop: any EventLoop
    let outlet: NIOLoopBound<STOMPOutlet>

    init(id: UInt64, outlet: STOMPOutlet, eventLoop: any EventLoop) {
        self.id = id
        self.eventLoop = eventLoop
        self.outlet = NIOLoopBound(outlet, eventLoop: eventLoop)
    }

    /// Sends a message to one subscription, after everything that was published or delivered before; no effect if the
    /// subscription has ended.
    ///
    /// - Parameter unsent: The message is dropped if more than this number of bytes are waiting to be sent.
    package func deliver(
        _ message: STOMPMessage,
        to subscription: STOMPSubscription,
        unlessUnsent unsent: Int? = nil
    ) {
        eventLoop.execute { [outlet] in
            guard outlet.value.has(subscription), let socket = outlet.value.socket else { return }
            if let unsent, socket.unsent > unsent { return }
            let isFirst = !socket.hasUnflushed
            var writer = STOMPMessageWriter(message)
            writer.write(to: outlet.value, for: subscription)
            // The flush is deferred, so that other messages pending on this event loop share the system call.
            if isFirst { socket.eventLoop.execute { outlet.value.socket?.flush() } }
        }
    }

    /// Sends messages to one subscription, and returns when the socket has accepted all of them, so that large amounts
    /// can be sent in portions. The connection of a client that does not accept them in time is closed.
    ///
    /// - Throws: `STOMPRefusal` if the subscription or the connection has ended.
    package func deliver(
        _ messages: [STOMPMessage],
        to subscription: STOMPSubscription
    ) async throws(STOMPRefusal) {
        let taken = eventLoop.makePromise(of: Void.self)
        eventLoop.execute { [outlet] in
            guard outlet.value.has(subscription), let last = messages.last else {
                return messages.isEmpty ? taken.succeed() : taken.fail(ChannelError.ioOnClosedChannel)
            }
            for message in messages.dropLast() {
                var writer = STOMPMessageWriter(message)
                writer.write(to: outlet.value, for: subscription)
            }
            var writer = STOMPMessageWriter(last)
            writer.write(to: outlet.value, for: subscription, promise: taken)
            outlet.value.socket?.flush()
        }
        let slow = eventLoop.scheduleTask(in: Self.takingTime) { [outlet] in
            outlet.value.refuse(STOMPRefusal("You read too slowly."))
        }
        defer { slow.cancel() }
        do {
            try await taken.futureResult.get()
        } catch {
            throw STOMPRefusal("The subscription has ended.")
        }
    }

    /// The timeout of a delivery with back-pressure.
    private static let takingTime = TimeAmount.seconds(30)

    /// Closes the connection with an ERROR frame.
    package func close(_ refusal: STOMPRefusal) {
        eventLoop.execute { [outlet] in outlet.value.refuse(refusal) }
    }

    package static func == (one: STOMPConnection, other: STOMPConnection) -> Bool {
        one.id == other.id
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

/// The sending side of a connection, on its event loop.
final class STOMPOutlet {
    /// nil after the connection has closed.
    private(set) var socket: WebSocket?
    var version = STOMPVersion.v12
    private(set) var subscriptions: [String: STOMPSubscription] = [:]
    /// The entries of the subscriptions in hubs.
    var places: [STOMPPlace] = []
    /// Whether the connection comes from another copy, which nothing may be sent to before the principal is checked.
    var isArriving = false
    /// Whether subscriptions may not enter hubs, because the connection moves to another copy.
    private(set) var isLeaving = false

    func open(_ socket: WebSocket) {
        self.socket = socket
    }

    func has(_ subscription: STOMPSubscription) -> Bool {
        socket != nil && subscriptions[subscription.id] == subscription
    }

    func add(_ subscription: STOMPSubscription) {
        subscriptions[subscription.id] = subscription
    }

    /// - Returns: The removed subscription with this id.
    func remove(id: String) -> STOMPSubscription? {
        guard let subscription = subscriptions.removeValue(forKey: id) else { return nil }
        for place in places where place.subscription == subscription { place.leave() }
        places.removeAll { $0.subscription == subscription }
        return subscription
    }

    /// Ends the deliveries of hubs.
    func leaveHubs() {
        isLeaving = true
        for place in places { place.leave() }
        places = []
    }

    /// Handles the end of the connection.
    func close() {
        socket = nil
        subscriptions = [:]
        leaveHubs()
    }

    /// Sends an ERROR frame and closes the connection.
    func refuse(_ refusal: STOMPRefusal, receipt: String? = nil) {
        guard let socket, socket.isOpen else { return }
        // The client does not get frames yet, but this code.
        if isArriving { return socket.close(.policyViolation, refusal.text) }
        var headers: [(name: StaticString, value: String)] = [("message", refusal.text)]
        if let receipt = receipt ?? refusal.receipt { headers.append(("receipt-id", receipt)) }
        socket.write(STOMPEncoder.frame("ERROR", headers, version: version))
        // The reason of a Close frame is limited to 123 bytes; the ERROR frame contains the full message.
        socket.close(.protocolError)
    }
}
