package import HTTPTypes
package import NIOCore

/// What a server does with clients that connect to its namespaces. Clients hear; what they send is not listened to.
package protocol SocketIOService: Sendable {
    /// Who has opened a connection.
    associatedtype Visitor: Sendable
    /// What is remembered of a client in a namespace.
    associatedtype Membership: Sendable

    /// Who sent a handshake. Called on the connection's event loop, so it must not block.
    func visitor(_ handshake: HTTPRequest) -> Visitor

    /// How long a visitor may stay; nil for as long as they like.
    func stay(of visitor: Visitor) -> TimeAmount?

    /// A client wants to connect to a namespace. What is emitted to the socket before this returns follows the acceptance.
    ///
    /// - Parameter payload: a JSON object, where the client has sent one.
    func connect(
        _ socket: SocketIOSocket,
        payload: ByteBuffer?,
        as visitor: Visitor
    ) async throws(SocketIORefusal) -> Membership

    /// A client has left a namespace, for whatever reason: called once for every membership that `connect` returned, on the
    /// connection's event loop, so it must not block.
    func disconnected(_ socket: SocketIOSocket, _ membership: Membership)
}

/// Why a namespace is refused. The connection stays for others.
package struct SocketIORefusal: Error, Sendable, Equatable {
    /// One sentence for a person.
    package var message: String

    package init(_ message: String) {
        self.message = message
    }
}
