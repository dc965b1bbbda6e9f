package import HTTPTypes
package import NIOCore

/// The handler of clients that connect to namespaces. Events are sent to clients only; events from clients are ignored.
package protocol SocketIOService: Sendable {
    /// The originator of a connection.
    associatedtype Visitor: Codable, Sendable
    /// The state of a client in a namespace.
    associatedtype Membership: Sendable
    /// How far a membership has got, for another copy of the service.
    associatedtype Position: Codable, Sendable

    /// The originator of a handshake. Called on the connection's event loop, so it must not block.
    func visitor(_ handshake: HTTPRequest) -> Visitor

    /// The maximum duration of a visitor's connection; nil for no limit.
    func stay(of visitor: Visitor) -> TimeAmount?

    /// Handles a connection to a namespace. Events emitted to the socket before this returns are sent after the
    /// acceptance.
    ///
    /// - Parameter payload: The JSON object that the client sent, if any.
    func connect(
        _ socket: SocketIOSocket,
        payload: ByteBuffer?,
        as visitor: Visitor
    ) async throws(SocketIORefusal) -> Membership

    /// Handles the end of a membership: called once for every membership that `connect` or `resume` returned, unless
    /// `suspend` is, on the connection's event loop, so it must not block.
    func disconnected(_ socket: SocketIOSocket, _ membership: Membership)

    /// Ends a membership here, because the socket moves to another copy of the service. Nothing may be emitted to the
    /// socket afterwards. Called on the connection's event loop, so it must not block.
    func suspend(_ socket: SocketIOSocket, _ membership: Membership) -> Position

    /// Continues a membership that another copy has suspended. The client does not notice; it may be sent events at once.
    ///
    /// - Throws: If the client is no longer allowed in the namespace, from which it is disconnected then.
    func resume(
        _ socket: SocketIOSocket,
        from position: Position,
        as visitor: Visitor
    ) async throws(SocketIORefusal) -> Membership
}

/// Why a namespace is refused. The connection remains open for others.
package struct SocketIORefusal: Error, Sendable, Equatable {
    /// One sentence for users.
    package var message: String

    package init(_ message: String) {
        self.message = message
    }
}
