import NIOCore
import NIOPosix
import Sockets
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct WebSocketClientTests {
    private var service: SocketService { .current }

    @Test(.sockets(EchoEndpoint())) func client_sendsReceivesAndCloses() async throws {
        let client = try await WebSocketClient.connect(service.url, headers: SocketService.identity())
        var messages = client.messages.makeAsyncIterator()
        for text in ["", "a", "안녕", String(repeating: "x", count: 60_000)] {
            try await client.send(text)
            #expect(await messages.next() == .text(ByteBuffer(string: text)))
        }
        try await client.ping()
        try await client.send(.binary, ByteBuffer(bytes: [0, 255]))
        #expect(await messages.next() == .binary(ByteBuffer(bytes: [0, 255])))
        #expect(await client.close() == .closedHere(.normal, reason: ""))
        #expect(await messages.next() == nil)
    }

    @Test func connect_serverClosesBeforeResponse_throws() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(OutputCloser()) }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let port = try #require(server.localAddress?.port)
        await #expect(throws: WebSocketClientError.closed) {
            try await WebSocketClient.connect("ws://127.0.0.1:\(port)/")
        }
        try await server.close()
    }

    @Test(.sockets(EchoEndpoint())) func refusedConnect_throwsStatus() async throws {
        await #expect(throws: WebSocketClientError.refused(status: 403)) {
            try await WebSocketClient.connect(service.url)
        }
        await #expect(throws: WebSocketClientError.refused(status: 404)) {
            try await WebSocketClient.connect(
                service.url + "/other",
                headers: SocketService.identity(at: SocketService.path + "/other")
            )
        }
        await #expect(throws: WebSocketClientError.invalidURL("wss://h/")) {
            try await WebSocketClient.connect("wss://h/")
        }
    }
}

/// Closes its side of the connection when it has read something, and leaves the other side open.
private final class OutputCloser: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.close(mode: .output, promise: nil) }
}
