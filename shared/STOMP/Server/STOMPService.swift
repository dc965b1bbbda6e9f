package import NIOCore

/// What a server does with the frames of its clients. The frames of one connection come strictly in their order: while a
/// call is pending, later frames of that connection wait.
package protocol STOMPService: Sendable {
    /// Who is connected.
    associatedtype Principal: Sendable

    /// A client wants to connect.
    func connect(
        _ headers: STOMPHeaders,
        on connection: STOMPConnection
    ) async throws(STOMPRefusal) -> Principal

    /// A client wants to receive what is sent to a destination.
    ///
    /// - Parameter headers: all of the SUBSCRIBE frame.
    func subscribe(
        _ subscription: STOMPSubscription,
        headers: STOMPHeaders,
        on connection: STOMPConnection,
        as principal: Principal
    ) async throws(STOMPRefusal)

    /// A client wants no more of it. Every `STOMPHub` has dropped the subscription already. Called on the connection's
    /// event loop, so it must not block.
    func unsubscribe(_ subscription: STOMPSubscription, on connection: STOMPConnection, as principal: Principal)

    /// A client sends something.
    func send(
        _ destination: String,
        headers: STOMPHeaders,
        body: ByteBuffer,
        on connection: STOMPConnection,
        as principal: Principal
    ) async throws(STOMPRefusal)

    /// The connection is gone, for whatever reason: called once for every principal that `connect` returned, after all
    /// other calls of the connection, and on its event loop, so it must not block.
    func disconnected(_ connection: STOMPConnection, as principal: Principal)
}

/// A subscription of one connection. Its `id` is the client's, and unique within the connection.
package struct STOMPSubscription: Sendable, Hashable {
    package let id: String
    /// Exactly as the client wrote it.
    package let destination: String

    package init(id: String, destination: String) {
        self.id = id
        self.destination = destination
    }
}

/// Why a frame is refused: it becomes an ERROR frame, and the connection is closed, as the specification demands.
package struct STOMPRefusal: Error, Sendable, Equatable {
    /// One sentence for a person. A colon or a line end in it, which some clients cannot read, is replaced.
    package var message: String
    /// The receipt that the refused frame asked for, where the refusal is of its form.
    var receipt: String?

    package init(_ message: String) {
        self.init(message, receipt: nil)
    }

    init(_ message: String, receipt: String?) {
        self.message = message
        self.receipt = receipt
    }

    /// Fit for a header.
    var text: String {
        String(message.map { $0 == ":" ? ";" : $0.isNewline ? " " : $0 })
    }
}
