package import NIOCore

/// The handler of clients' frames. The frames of one connection are handled in order: while a call is pending, later
/// frames of that connection wait.
package protocol STOMPService: Sendable {
    /// The authenticated client of a connection.
    associatedtype Principal: Sendable

    /// Handles CONNECT.
    func connect(
        _ headers: STOMPHeaders,
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

    /// Handles the end of the connection: called once for every principal that `connect` returned, after all other
    /// calls of the connection, and on its event loop, so it must not block.
    func disconnected(_ connection: STOMPConnection, as principal: Principal)
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
