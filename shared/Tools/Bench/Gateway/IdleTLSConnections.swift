import NIOCore
import NIOPosix
import NIOSSL

/// HTTP/2 connections by TLS that have exchanged their settings and no request.
struct IdleTLSConnections: Sendable {
    private let channels: [any Channel]

    /// - Parameter authority: The certificate to trust, in PEM format.
    static func open(_ count: Int, to port: Int, trusting authority: String) async throws -> IdleTLSConnections {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
        configuration.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: configuration)
        var channels: [any Channel] = []
        for _ in 0..<count {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = try NIOSSLClientHandler(context: context, serverHostname: "localhost")
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .connect(host: "127.0.0.1", port: port)
                .get()
            // The preface, and SETTINGS without any (RFC 9113 §3.4, §6.5).
            var bytes = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            bytes.writeBytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
            try await channel.writeAndFlush(bytes)
            channels.append(channel)
        }
        return IdleTLSConnections(channels: channels)
    }

    func close() async {
        for channel in channels { try? await channel.close() }
    }
}
