package import NIOCore

/// A client in one namespace, as seen by a service. Thread-safe; the calls of one caller take effect in order.
package final class SocketIOSocket: Sendable, Hashable {
    package let id: String
    package let namespace: String
    package let eventLoop: any EventLoop
    private let connection: NIOLoopBound<any SocketIOConnection>

    init(
        id: String = SocketIOID.random(),
        namespace: String,
        of connection: any SocketIOConnection,
        on eventLoop: any EventLoop
    ) {
        self.id = id
        self.namespace = namespace
        self.eventLoop = eventLoop
        self.connection = NIOLoopBound(connection, eventLoop: eventLoop)
    }

    /// Sends an event of the socket's namespace; no effect if the client has left.
    package func emit(_ event: SocketIOEvent) {
        eventLoop.execute { [self] in connection.value.emit(event, to: self) }
    }

    /// Disconnects the client from the namespace.
    package func disconnect() {
        eventLoop.execute { [self] in connection.value.disconnect(self) }
    }

    /// Closes the whole connection.
    package func close(_ code: CloseCode, _ reason: String) {
        eventLoop.execute { [self] in connection.value.close(code, reason) }
    }

    package static func == (one: SocketIOSocket, other: SocketIOSocket) -> Bool {
        one === other
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// A connection with its namespaces, on its event loop.
protocol SocketIOConnection: AnyObject {
    /// Its index in the list of its clock.
    var clockIndex: Int { get set }

    func emit(_ event: SocketIOEvent, to socket: SocketIOSocket)
    func disconnect(_ socket: SocketIOSocket)
    func close(_ code: CloseCode, _ reason: String)
    /// Performs the actions that are due.
    func tick(_ now: NIODeadline)
}

/// Generates the ids of connections and sockets.
enum SocketIOID {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// 20 characters, 120 random bits.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(decoding: (0..<20).map { _ in digits[Int.random(in: 0..<64, using: &generator)] }, as: UTF8.self)
    }
}
