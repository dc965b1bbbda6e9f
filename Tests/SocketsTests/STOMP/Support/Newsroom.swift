import HTTPTypes
import NIOCore
import Sockets
import Synchronization

/// A service for tests: every client with a name, in CONNECT or in the handshake, may connect. Topics have
/// subscriptions in a hub; a message to a topic is published there. Its endpoints stand for copies of it.
final class Newsroom: STOMPService {
    let hub = STOMPHub()
    private let state = Mutex(State())

    private struct State {
        var log: [String] = []
        var waiting: [(count: Int, CheckedContinuation<Void, Never>)] = []
        var last: Int64 = 0
        var published: [(topic: String, message: STOMPMessage)] = []
    }

    /// Called when a subscription is held and not open yet.
    let whileHeld: @Sendable (Newsroom, STOMPSubscription) async -> Void
    /// Called before the connection is decided.
    let beforeConnect: @Sendable (STOMPHeaders) async -> Void
    /// Called before a message is published.
    let beforeSend: @Sendable () async -> Void
    /// Called before a connection or a subscription of another copy is continued, with what it is.
    let beforeResume: @Sendable (STOMPConnection, String) async throws -> Void

    init(
        beforeConnect: @escaping @Sendable (STOMPHeaders) async -> Void = { _ in },
        beforeSend: @escaping @Sendable () async -> Void = {},
        beforeResume: @escaping @Sendable (STOMPConnection, String) async throws -> Void = { _, _ in },
        whileHeld: @escaping @Sendable (Newsroom, STOMPSubscription) async -> Void = { _, _ in }
    ) {
        self.beforeConnect = beforeConnect
        self.beforeSend = beforeSend
        self.beforeResume = beforeResume
        self.whileHeld = whileHeld
    }

    func connect(
        _ headers: STOMPHeaders,
        handshake: HTTPRequest,
        on connection: STOMPConnection
    ) async throws(STOMPRefusal) -> String {
        await beforeConnect(headers)
        let field = handshake.headerFields.first { $0.name.canonicalName == "name" }
        guard let name = headers["name"] ?? field?.value else { throw STOMPRefusal("A name is needed: none is given") }
        note("connect \(name)")
        return name
    }

    func account(of principal: String) -> String { principal }

    func subscribe(
        _ subscription: STOMPSubscription,
        headers: STOMPHeaders,
        on connection: STOMPConnection,
        as principal: String
    ) async throws(STOMPRefusal) {
        guard subscription.destination.hasPrefix("/topic/") else { throw STOMPRefusal("There is no such destination.") }
        hub.hold(subscription, on: connection, topic: subscription.destination)
        await whileHeld(self, subscription)
        let through = state.withLock { $0.last }
        let replay =
            subscription.destination.hasPrefix("/topic/replay")
            ? [STOMPMessage(id: through, body: ByteBuffer(string: "so far \(through)"))] : []
        hub.open(
            subscription,
            on: connection,
            topic: subscription.destination,
            replay: replay,
            through: replay.isEmpty ? .min : through
        )
        note("subscribe \(subscription.id)")
    }

    func unsubscribe(_ subscription: STOMPSubscription, on connection: STOMPConnection, as principal: String) {
        note("unsubscribe \(subscription.id)")
    }

    func send(
        _ destination: String,
        headers: STOMPHeaders,
        body: ByteBuffer,
        on connection: STOMPConnection,
        as principal: String
    ) async throws(STOMPRefusal) {
        guard destination.hasPrefix("/topic/") else { throw STOMPRefusal("There is no such destination.") }
        await beforeSend()
        publish(body, to: destination)
        note("send \(destination)")
    }

    func disconnected(_ connection: STOMPConnection, as principal: String, hasMoved: Bool) {
        note("\(hasMoved ? "moved" : "disconnected") \(principal)")
    }

    // MARK: Moves

    func record(of principal: String) -> String { principal }

    func suspend(
        _ subscription: STOMPSubscription,
        on connection: STOMPConnection,
        as principal: String
    ) -> Int64? {
        hub.positions(of: subscription, on: connection)[subscription.destination]
    }

    func principal(of record: String) -> String { record }

    func check(_ principal: String, on connection: STOMPConnection) async throws {
        try await beforeResume(connection, principal)
        note("check \(principal)")
    }

    func resume(
        _ subscription: STOMPSubscription,
        from position: Int64?,
        on connection: STOMPConnection,
        as principal: String
    ) async throws {
        hub.hold(subscription, on: connection, topic: subscription.destination)
        try await beforeResume(connection, subscription.id)
        let (missed, last) = state.withLock { state in
            let topic = state.published.filter { $0.topic == subscription.destination }.map(\.message)
            return (topic.filter { $0.id > position ?? .max }, state.last)
        }
        hub.open(
            subscription,
            on: connection,
            topic: subscription.destination,
            replay: missed,
            through: last
        )
    }

    /// Publishes with the next number.
    @discardableResult
    func publish(_ body: ByteBuffer, to topic: String) -> Int64 {
        state.withLock { state in
            state.last += 1
            let message = STOMPMessage(id: state.last, body: body)
            state.published.append((topic, message))
            hub.publish(message, to: topic)
            return state.last
        }
    }

    func publish(_ text: String, to topic: String) { publish(ByteBuffer(string: text), to: topic) }

    // MARK: Log

    var log: [String] { state.withLock { $0.log } }

    private func note(_ event: String) {
        let ready = state.withLock { state in
            state.log.append(event)
            let ready = state.waiting.filter { $0.count <= state.log.count }
            state.waiting.removeAll { $0.count <= state.log.count }
            return ready
        }
        for (_, continuation) in ready { continuation.resume() }
    }

    /// Waits until the log has a count of entries.
    func happened(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.log.count >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
