package import HTTPTypes
package import NIOCore

/// The handler of clients' frames. The frames of one connection are handled in order: while a call is pending, later
/// frames of that connection wait.
package protocol STOMPService: Sendable {
    /// The authenticated client of a connection.
    associatedtype Principal: Sendable
    /// What another copy of the service needs to know of a principal.
    associatedtype Record: Codable & Sendable
    /// What a subscription has got.
    associatedtype Position: Codable & Sendable

    /// Handles CONNECT.
    ///
    /// - Parameter handshake: The request that opened the socket.
    func connect(
        _ headers: STOMPHeaders,
        handshake: HTTPRequest,
        on connection: STOMPConnection
    ) async throws(STOMPRefusal) -> Principal

    /// The account of a client; its connections share an allowance of frames (`STOMPLimits.accountFrames`).
    func account(of principal: Principal) -> String

    /// Handles SUBSCRIBE.
    ///
    /// - Parameter headers: All headers of the SUBSCRIBE frame.
    func subscribe(
        _ subscription: STOMPSubscription,
        headers: STOMPHeaders,
        on connection: STOMPConnection,
        as principal: Principal
    ) async throws(STOMPRefusal)

    /// Handles UNSUBSCRIBE. Every `STOMPHub` has removed the subscription already. Called on the connection's event
    /// loop, so it must not block.
    func unsubscribe(_ subscription: STOMPSubscription, on connection: STOMPConnection, as principal: Principal)

    /// Handles SEND.
    func send(
        _ destination: String,
        headers: STOMPHeaders,
        body: ByteBuffer,
        on connection: STOMPConnection,
        as principal: Principal
    ) async throws(STOMPRefusal)

    /// Handles the end of the connection: called once for every principal that `connect` returned or `check` accepted,
    /// after all other calls of the connection, and on its event loop, so it must not block.
    ///
    /// - Parameter hasMoved: Whether another copy of the service continues the connection.
    func disconnected(_ connection: STOMPConnection, as principal: Principal, hasMoved: Bool)

    // MARK: Moves to another copy

    func record(of principal: Principal) -> Record

    /// Ends the deliveries to a subscription, because its connection moves. Called on the connection's event loop, so it
    /// must not block. The subscription leaves every hub after the call.
    ///
    /// - Returns: What has been delivered before the call, for `resume` at the other copy.
    func suspend(
        _ subscription: STOMPSubscription,
        on connection: STOMPConnection,
        as principal: Principal
    ) -> Position?

    /// The principal of a connection that comes from another copy.
    func principal(of record: Record) -> Principal

    /// Checks what `connect` checks, except for credentials.
    ///
    /// - Throws: `STOMPRefusal` if the principal may not connect; after other errors the call is repeated.
    func check(_ principal: Principal, on connection: STOMPConnection) async throws

    /// Continues a subscription of another copy: delivers what has been published after its position.
    ///
    /// - Parameter position: What `suspend` has returned at the other copy.
    /// - Throws: `STOMPRefusal` if the subscription is refused; after other errors the call is repeated.
    func resume(
        _ subscription: STOMPSubscription,
        from position: Position?,
        on connection: STOMPConnection,
        as principal: Principal
    ) async throws
}

/// A subscription of one connection. The client chooses its `id`, which is unique within the connection.
package struct STOMPSubscription: Sendable, Hashable {
    package let id: String
    /// The destination exactly as the client wrote it.
    package let destination: String

    package init(id: String, destination: String) {
        self.id = id
        self.destination = destination
    }
}

/// Why a frame is refused. It is sent as an ERROR frame, and the connection is closed, as the specification requires.
package struct STOMPRefusal: Error, Sendable, Equatable {
    /// One sentence for users. Colons and line ends, which some clients cannot parse, are replaced.
    package var message: String
    /// The receipt that the refused frame requested, if the frame could be parsed.
    var receipt: String?

    package init(_ message: String) {
        self.init(message, receipt: nil)
    }

    init(_ message: String, receipt: String?) {
        self.message = message
        self.receipt = receipt
    }

    /// The message with characters that are valid in a header.
    var text: String {
        String(message.map { $0 == ":" ? ";" : $0.isNewline ? " " : $0 })
    }
}
