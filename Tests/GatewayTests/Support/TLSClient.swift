import NIOCore
import NIOPosix
import NIOSSL
import StackKit
import Synchronization
import TestKit

/// Connects to the gateway by TLS, as a phone does.
enum TLSClient {
    /// - Parameters:
    ///   - protocols: What the client speaks, by the names of ALPN.
    ///   - name: The host that the client names, and that the certificate must be valid for.
    ///   - first: Bytes before the handshake.
    static func connect(
        to port: Int,
        protocols: [String] = [],
        name: String? = "localhost",
        first: String = "",
        configure: (inout TLSConfiguration) -> Void = { _ in }
    ) async throws -> RawConnection {
        var configuration = TLSConfiguration.makeClientConfiguration()
        let authority = try TestCertificate.authority.get().certificate
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
        configuration.applicationProtocols = protocols
        configure(&configuration)
        let context = try NIOSSLContext(configuration: configuration)
        let connected = Mutex<RawConnection?>(nil)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if !first.isEmpty { channel.writeAndFlush(ByteBuffer(string: first), promise: nil) }
                    let handler = try NIOSSLClientHandler(context: context, serverHostname: name)
                    try channel.pipeline.syncOperations.addHandler(handler)
                    connected.withLock { [new = try RawConnection.add(to: channel)] in $0 = new }
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        guard let connection = connected.withLock(\.self) else { throw ChannelError.ioOnClosedChannel }
        _ = channel
        return connection
    }
}
