import NIOCore
import Sockets
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct STOMPServerTests {
    static func client(_ host: SocketService, name: String? = "kim") async throws -> STOMPClient {
        try await STOMPClient.connect(
            host.url,
            headers: name.map { [("name", $0)] } ?? [],
            handshake: SocketService.identity()
        )
    }

    @Test func client_connectsSubscribesReceivesAndDisconnects() async throws {
        let service = Newsroom()
        try await SocketService.run(STOMPEndpoint(service)) { host in
            let client = try await Self.client(host)
            #expect(client.connected.headers["version"] == "1.2")
            #expect(client.connected.headers["heart-beat"] == "0,0")
            #expect(client.connected.headers["session"]?.contains(":") == false)

            let messages = try await client.subscribe("/topic/a")
            service.publish("{}", to: "/topic/a")
            var iterator = messages.makeAsyncIterator()
            let message = try #require(try await iterator.next())
            #expect(
                message
                    == STOMPFrame(
                        "MESSAGE",
                        [
                            ("destination", "/topic/a"), ("message-id", "1"), ("subscription", "/topic/a"),
                            ("content-type", "application/json"), ("content-length", "2"),
                        ],
                        body: ByteBuffer(string: "{}")
                    )
            )
            try await client.unsubscribe(id: "/topic/a")
            #expect(!service.hub.hasSubscribers("/topic/a"))
            #expect(try await client.disconnect() == .closedByPeer(.normal, reason: ""))
            await service.happened(4)
            #expect(service.log == ["connect kim", "subscribe /topic/a", "unsubscribe /topic/a", "disconnected kim"])
        }
    }

    @Test func silentServer_isGivenUp() async throws {
        let service = Newsroom(beforeConnect: { _ in try? await Task.sleep(for: .seconds(600)) })
        try await SocketService.run(STOMPEndpoint(service)) { host in
            let connect: @Sendable (TimeAmount) async throws -> Void = { time in
                _ = try await STOMPClient.connect(host.url, handshake: SocketService.identity(), longestSilence: time)
            }
            await #expect(throws: STOMPClientError.noAnswer) { try await connect(.milliseconds(50)) }
            let task = Task { try await connect(.minutes(1)) }
            try await Task.sleep(for: .milliseconds(50))
            task.cancel()
            await #expect(throws: STOMPClientError.noAnswer) { try await task.value }
        }
    }

    @Test func refusedClient_getsError_andIsDisconnected() async throws {
        let service = Newsroom()
        try await SocketService.run(STOMPEndpoint(service)) { host in
            let error = await #expect(throws: STOMPClientError.self) { try await Self.client(host, name: nil) }
            #expect(error?.message == "A name is needed; none is given")
            let client = try await Self.client(host)
            let refused = await #expect(throws: STOMPClientError.self) { _ = try await client.subscribe("/else") }
            #expect(refused?.message == "There is no such destination.")
            #expect(await client.end == .closedByPeer(.protocolError, reason: ""))
            await service.happened(2)
            #expect(service.log == ["connect kim", "disconnected kim"])
        }
    }
}
