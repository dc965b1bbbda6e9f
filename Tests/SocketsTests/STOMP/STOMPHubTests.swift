import HTTPTypes
import NIOCore
import Sockets
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct STOMPHubTests {
    private func bodies(_ stream: AsyncThrowingStream<STOMPFrame, any Error>, _ count: Int) async throws -> [String] {
        var bodies: [String] = []
        for try await frame in stream {
            bodies.append(String(buffer: frame.body))
            if bodies.count == count { break }
        }
        return bodies
    }

    @Test func messagesBetweenHoldAndOpen_areDeliveredOnce() async throws {
        let service = Newsroom(whileHeld: { service, _ in
            // The replay, which is read afterwards, contains these messages.
            service.publish("first", to: "/topic/replay")
            service.publish("second", to: "/topic/replay")
        })
        try await SocketService.run(STOMPEndpoint(service)) { host in
            let client = try await STOMPServerTests.client(host)
            let messages = try await client.subscribe("/topic/replay")
            service.publish("third", to: "/topic/replay")
            #expect(try await bodies(messages, 2) == ["so far 2", "third"])
        }
        let plain = Newsroom(whileHeld: { service, subscription in
            service.publish("kept", to: subscription.destination)
        })
        try await SocketService.run(STOMPEndpoint(plain)) { host in
            let client = try await STOMPServerTests.client(host)
            let messages = try await client.subscribe("/topic/a")
            plain.publish("later", to: "/topic/a")
            #expect(try await bodies(messages, 2) == ["kept", "later"])
        }
    }

    @Test func messagesOfTopic_haveSameOrderOnEverySocket() async throws {
        let service = Newsroom()
        try await SocketService.run(STOMPEndpoint(service)) { host in
            var streams: [AsyncThrowingStream<STOMPFrame, any Error>] = []
            for number in 0..<20 {
                let client = try await STOMPServerTests.client(host)
                // Half of the sockets share whole frames.
                streams.append(try await client.subscribe("/topic/a", id: number < 10 ? nil : "own \(number)"))
            }
            await withTaskGroup { group in
                for publisher in 0..<4 {
                    group.addTask { for number in 0..<50 { service.publish("\(publisher).\(number)", to: "/topic/a") } }
                }
            }
            let first = try await bodies(streams[0], 200)
            #expect(Set(first).count == 200)
            for stream in streams.dropFirst() { #expect(try await bodies(stream, 200) == first) }
        }
    }

    @Test func subscription_movesBetweenTopics() async throws {
        let service = Newsroom()
        let connected = Mutex<[(STOMPSubscription, STOMPConnection)]>([])
        let tracking = Tracking(service: service) { subscription, connection in
            connected.withLock { $0.append((subscription, connection)) }
        }
        try await SocketService.run(STOMPEndpoint(tracking)) { host in
            let client = try await STOMPServerTests.client(host)
            let messages = try await client.subscribe("/topic/train")
            let (subscription, connection) = try #require(connected.withLock { $0.first })
            let hub = service.hub
            service.publish("old car", to: "/topic/train")
            hub.hold(subscription, on: connection, topic: "car 2")
            hub.publish(STOMPMessage(id: 1, body: ByteBuffer(string: "in the snapshot")), to: "car 2")
            hub.publish(STOMPMessage(id: 2, body: ByteBuffer(string: "after it")), to: "car 2")
            let snapshot = STOMPMessage(id: 1, body: ByteBuffer(string: "snapshot"))
            hub.open(subscription, on: connection, topic: "car 2", replay: [snapshot], through: 1)
            hub.remove(subscription, on: connection, topic: "/topic/train")
            service.publish("after the end", to: "/topic/train")
            hub.publish(STOMPMessage(id: 3, body: ByteBuffer(string: "new car")), to: "car 2")
            #expect(try await bodies(messages, 4) == ["old car", "snapshot", "after it", "new car"])
            #expect(hub.topics == ["car 2"])
            try await client.disconnect()
        }
        #expect(service.hub.topics.isEmpty)
    }

    @Test func messageToOneSubscriber_isDeliveredOnce_andConfirmed() async throws {
        let service = Newsroom()
        let connected = Mutex<[(STOMPSubscription, STOMPConnection)]>([])
        let tracking = Tracking(service: service) { subscription, connection in
            connected.withLock { $0.append((subscription, connection)) }
        }
        try await SocketService.run(STOMPEndpoint(tracking)) { host in
            let one = try await STOMPServerTests.client(host)
            let other = try await STOMPServerTests.client(host)
            let toOne = try await one.subscribe("/topic/a")
            let toOther = try await other.subscribe("/topic/a")
            let delivered = AsyncStream<Void>.makeStream()
            let message = STOMPMessage(id: 1, body: ByteBuffer(string: "you")) { delivered.continuation.yield() }
            for (subscription, connection) in connected.withLock({ $0 }) {
                connection.deliver(message, to: subscription)
            }
            #expect(try await bodies(toOne, 1) == ["you"])
            #expect(try await bodies(toOther, 1) == ["you"])
            delivered.continuation.finish()
            var count = 0
            for await _ in delivered.stream { count += 1 }
            #expect(count == 1)
        }
    }

    @Test func slowReader_isDisconnected_andOthersContinue() async throws {
        var limits = STOMPLimits()
        limits.socket.unsentSize = 256 * 1024
        limits.socket.closeTime = .milliseconds(200)
        let service = Newsroom()
        try await SocketService.run(STOMPEndpoint(service, limits: limits)) { host in
            let live = try await STOMPServerTests.client(host)
            let messages = try await live.subscribe("/topic/a")
            let slow = try await RawConnection.connect(to: host.port, isReading: false)
            try await slow.send(Self.handshake)
            try await slow.send(Self.masked("CONNECT\naccept-version:1.2\nname:slow\n\n\0"))
            try await slow.send(Self.masked("SUBSCRIBE\nid:1\ndestination:/topic/a\n\n\0"))
            await service.happened(4)
            let body = String(repeating: "x", count: 60_000)
            var number = 0
            var iterator = messages.makeAsyncIterator()
            while !service.log.contains("disconnected slow") {
                service.publish("\(number) \(body)", to: "/topic/a")
                let frame = try #require(try await iterator.next())
                #expect(String(buffer: frame.body).hasPrefix("\(number) "))
                number += 1
            }
            await slow.close()
        }
    }

    @Test func closeAll_closesConnectionsOfOneAccount() async throws {
        let service = Newsroom()
        let endpoint = STOMPEndpoint(service)
        try await SocketService.run(endpoint) { host in
            let kim = try await STOMPServerTests.client(host, name: "kim")
            let lee = try await STOMPServerTests.client(host, name: "lee")
            let toKim = try await kim.subscribe("/topic/a")
            endpoint.closeAll(STOMPRefusal("Signed out.")) { $0 == "kim" }
            let error = await #expect(throws: STOMPClientError.self) { try await bodies(toKim, 1) }
            #expect(error?.message == "Signed out.")
            #expect(await kim.end == .closedByPeer(.protocolError, reason: ""))
            let toLee = try await lee.subscribe("/topic/a")
            service.publish("still here", to: "/topic/a")
            #expect(try await bodies(toLee, 1) == ["still here"])
        }
    }

    @Test func disconnectionDuringConnect_isReportedOnce() async throws {
        let gate = Rendezvous(2)
        let service = Newsroom(beforeConnect: { _ in await gate.arrive() })
        try await SocketService.run(STOMPEndpoint(service)) { host in
            let client = try await WebSocketClient.connect(host.url, headers: SocketService.identity())
            try await client.send("CONNECT\naccept-version:1.2\nname:kim\n\n\0")
            await client.close()
            await gate.arrive()
            await service.happened(2)
            #expect(service.log == ["connect kim", "disconnected kim"])
        }
    }

    private static var handshake: String {
        let fields = SocketService.identity().map { "\($0.0): \($0.1)\r\n" }.joined()
        return """
            GET \(SocketService.path) HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(fields)\r\n
            """
    }

    /// A short text message under a mask of zeros.
    private static func masked(_ text: String) -> ByteBuffer {
        ByteBuffer(bytes: [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8))
    }
}

/// A newsroom that also reports subscriptions to the test.
struct Tracking: STOMPService {
    let service: Newsroom
    let onSubscribe: @Sendable (STOMPSubscription, STOMPConnection) -> Void

    func connect(
        _ headers: STOMPHeaders,
        handshake: HTTPRequest,
        on connection: STOMPConnection
    ) async throws(STOMPRefusal) -> String {
        try await service.connect(headers, handshake: handshake, on: connection)
    }

    func account(of principal: String) -> String { service.account(of: principal) }

    func subscribe(
        _ subscription: STOMPSubscription,
        headers: STOMPHeaders,
        on connection: STOMPConnection,
        as principal: String
    ) async throws(STOMPRefusal) {
        onSubscribe(subscription, connection)
        try await service.subscribe(subscription, headers: headers, on: connection, as: principal)
    }

    func unsubscribe(_ subscription: STOMPSubscription, on connection: STOMPConnection, as principal: String) {}

    func send(
        _ destination: String,
        headers: STOMPHeaders,
        body: ByteBuffer,
        on connection: STOMPConnection,
        as principal: String
    ) async throws(STOMPRefusal) {}

    func disconnected(_ connection: STOMPConnection, as principal: String, hasMoved: Bool) {}
    func record(of principal: String) -> String { principal }
    func suspend(_ subscription: STOMPSubscription, on connection: STOMPConnection, as principal: String) -> Int64? {
        nil
    }
    func principal(of record: String) -> String { record }
    func check(_ principal: String, on connection: STOMPConnection) async throws {}
    func resume(
        _ subscription: STOMPSubscription,
        from position: Int64?,
        on connection: STOMPConnection,
        as principal: String
    ) async throws {}
}
