import NIOCore
import NIOPosix
import Synchronization

/// A server on a loopback port that answers each line as a test says. Lines end with CRLF.
package final class ScriptedServer: Sendable {
    package typealias Answer = @Sendable (_ line: String) -> String?

    /// A greeting of NATS.
    package static let info = "INFO {\"server_id\":\"A\",\"max_payload\":1048576}\r\n"
    /// Answers as NATS does, as far as joining needs.
    package static let join: Answer = { $0.hasPrefix("PING") ? "PONG\r\n" : nil }

    package let port: Int
    private let channel: any Channel
    private let connections: Connections

    /// What all connections have received, in lines.
    package var lines: [String] { connections.state.withLock(\.lines) }
    /// The number of connections so far.
    package var count: Int { connections.state.withLock(\.count) }

    /// - Parameters:
    ///   - greeting: Sent to each connection at once.
    ///   - answer: Called with each line, without its end. The answer `close` ends the connection.
    package static func start(
        _ greeting: String? = info,
        port: Int = 0,
        answer: @escaping Answer = join
    ) async throws -> ScriptedServer {
        let connections = Connections()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(greeting, connections, answer))
                }
            }
            .bind(host: "127.0.0.1", port: port)
            .get()
        return ScriptedServer(channel, connections)
    }

    private init(_ channel: any Channel, _ connections: Connections) {
        self.channel = channel
        self.connections = connections
        port = channel.localAddress?.port ?? 0
    }

    /// Sends bytes to all open connections.
    package func send(_ text: String) {
        for channel in connections.state.withLock({ Array($0.open.values) }) {
            channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        }
    }

    package func closeConnections() {
        for channel in connections.state.withLock({ Array($0.open.values) }) { channel.close(promise: nil) }
    }

    package func stop() async throws {
        try await channel.close()
        closeConnections()
    }

    private final class Connections: Sendable {
        struct State {
            var open: [ObjectIdentifier: any Channel] = [:]
            var lines: [String] = []
            var count = 0
        }

        let state = Mutex(State())
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let greeting: String?
        private let connections: Connections
        private let answer: Answer
        private var rest = ""

        init(_ greeting: String?, _ connections: Connections, _ answer: @escaping Answer) {
            self.greeting = greeting
            self.connections = connections
            self.answer = answer
        }

        func channelActive(context: ChannelHandlerContext) {
            let channel = context.channel
            connections.state.withLock { state in
                state.open[ObjectIdentifier(channel)] = channel
                state.count += 1
            }
            if let greeting { channel.writeAndFlush(ByteBuffer(string: greeting), promise: nil) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            _ = connections.state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(context.channel)) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            rest += String(buffer: unwrapInboundIn(data))
            while let end = rest.firstRange(of: "\r\n") {
                let line = String(rest[..<end.lowerBound])
                rest = String(rest[end.upperBound...])
                connections.state.withLock { $0.lines.append(line) }
                switch answer(line) {
                case nil: break
                case "close": context.close(promise: nil)
                case let text?: context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
                }
            }
        }
    }
}
