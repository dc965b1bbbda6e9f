import NIOCore
import NIOSSL

/// The handlers of client connections, by what the clients of a port speak.
struct ClientPipeline: Sendable {
    /// The certificate for TLS; nil where HTTP/1.1 is spoken without it.
    var certificates: ServerCertificates?

    /// Adds the handlers to the pipeline of a connection.
    ///
    /// - Parameters:
    ///   - origin: The other end of the connection.
    ///   - isProxy: Whether that is a trusted proxy, which writes into each request from whom it comes.
    func start(_ pipeline: ChannelPipeline, _ loop: EventLoopContext, _ origin: RequestOrigin, isProxy: Bool) throws {
        guard let certificates else {
            let connection = ClientConnection(loop: loop, origin: origin, isProxy: isProxy)
            return try pipeline.syncOperations.addHandler(connection)
        }
        try pipeline.syncOperations.addHandlers(
            NIOSSLServerHandler(context: certificates.current.context),
            TLSHandshake(loop: loop, origin: origin, isProxy: isProxy)
        )
    }
}
