import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import NIOCore
import Sockets
import Synchronization
import TestKit
import Testing

/// The shutdown of a server with open sockets.
@Suite(.timeLimit(.minutes(1))) struct DrainTests {
    @Test func shutdown_closesSockets_withoutWaitingForSilentOnes() async throws {
        let ends = AsyncStream<WebSocketEnd>.makeStream()
        let kept = Mutex<[RawConnection]>([])
        var endpoint = EchoEndpoint()
        endpoint.limits.closeTime = .milliseconds(100)
        endpoint.onEnd = { ends.continuation.yield($0) }
        let polite = Mutex<WebSocketClient?>(nil)
        try await SocketService.run(endpoint) { service in
            let client = try await WebSocketClient.connect(service.url, headers: SocketService.identity())
            polite.withLock { $0 = client }
            let rude = try await RawConnection.open(service)
            let silent = try await RawConnection.connect(to: service.port)
            let half = try await RawConnection.connect(to: service.port)
            try await half.send("GET /")
            kept.withLock { $0 = [rude, silent, half] }
        }
        // The server has ended although only one client answered.
        let client = try #require(polite.withLock { $0 })
        #expect(await client.end == .closedByPeer(.goingAway, reason: "the server is going away"))
        let rude = try #require(kept.withLock { $0.first })
        #expect(await rude.readFrame()?.payload.prefix(2) == [0x03, 0xe9])
        var received = ends.stream.makeAsyncIterator()
        for _ in 0..<2 { #expect(await received.next() == .closedHere(.goingAway, reason: "the server is going away")) }
    }

    @Test func silentConnection_isClosed() async throws {
        let application = Application(
            router: Router(),
            server: .http1WithWebSockets(handshakeTime: .milliseconds(100)) { _ in .refuse(.notFound) },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            logger: .quiet
        )
        try await application.test(.live) { client in
            let silent = try await RawConnection.connect(to: client.port ?? 0)
            #expect(await silent.readToEnd().isEmpty)
        }
    }
}
