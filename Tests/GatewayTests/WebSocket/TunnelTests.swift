import Contracts
import NIOCore
import TestKit
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct TunnelTests {
    /// A service that switches protocols and then runs the test's script.
    private func service(
        answer: String = WebSocketText.switching,
        then: @escaping TestUpstream.Script = TestUpstream.echo
    ) async throws -> TestUpstream {
        try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                let good = request["upgrade"] == ["websocket"] && request["connection"] == ["Upgrade"]
                guard good else { return try await connection.send("HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n") }
                try await connection.send(answer)
                if answer.hasPrefix("HTTP/1.1 101") { return try await then(connection) }
            }
        }
    }

    @Test func tunnel_carriesBothDirections_andHalfCloses() async throws {
        let seats = try await service()
        try await TestGateway.run([.seats: [seats]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(WebSocketText.handshake())
            let answer = try #require(await connection.readMessage())
            #expect(answer.status == 101)
            #expect(answer["sec-websocket-accept"] == [WebSocketText.accept])
            #expect(answer["upgrade"] == ["websocket"])
            for size in [1, 100, 10_000, 1_000_000] {
                let text = String(repeating: "x", count: size)
                async let echo = connection.read { $0.readString(length: size) }
                try await connection.send(text)
                #expect(await echo == text)
            }
            try await connection.send("last")
            try await connection.closeOutput()
            #expect(await connection.readToEnd() == "last")
        }
    }

    @Test func bytesWithHandshake_areForwarded() async throws {
        let seats = try await service(answer: WebSocketText.switching + "early")
        try await TestGateway.run([.seats: [seats]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(WebSocketText.handshake() + "eager")
            #expect(await connection.readMessage()?.status == 101)
            #expect(await connection.read { $0.readString(length: 10) } == "earlyeager")
        }
    }

    @Test(arguments: [
        ("https://h", 101), ("http://H:8080", 101), ("https://evil.example", 403), ("null", 403),
        ("https://h.evil", 403),
    ])
    func handshakeOfForeignPage_isRefused(origin: String, status: Int) async throws {
        let seats = try await service()
        try await TestGateway.run([.seats: [seats]]) { gateway in
            let answer = try await gateway.exchange(WebSocketText.handshake(headers: "Origin: \(origin)\r\n"))
            #expect(answer?.status == status)
        }
    }

    @Test func handshake_usesItsOwnUpstreamConnection() async throws {
        let seats = try await TestUpstream.answering()
        let handshake = WebSocketText.handshake()
        try await TestGateway.run([.seats: [seats]]) { gateway in
            for _ in 0..<3 { _ = try await gateway.exchange(handshake) }
            #expect(seats.connectionCount == 3)
        }
    }

    @Test func refusedHandshake_isForwardedUnchanged() async throws {
        let seats = try await service(answer: "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno") { _ in }
        try await TestGateway.run([.seats: [seats]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(WebSocketText.handshake())
            let answer = try #require(await connection.readMessage())
            #expect(answer.status == 403 && answer.body == "no")
        }
    }

    @Test(
        arguments: [
            WebSocketText.switching.replacing("s3pP", with: "s3pQ"),
            WebSocketText.switching.replacing("Upgrade: websocket\r\n", with: ""),
            WebSocketText.switching.replacing("Connection: Upgrade\r\n", with: ""),
        ]
    )
    func invalidSwitchingResponse_returns503(_ answer: String) async throws {
        let seats = try await service(answer: answer) { _ in }
        try await TestGateway.run([.seats: [seats]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(WebSocketText.handshake())
            #expect(await connection.readMessage()?.status == 503)
        }
    }

    @Test func invalidHandshake_isRefusedByGateway() async throws {
        let seats = try await service()
        try await TestGateway.run([.seats: [seats], .chat: [seats]]) { gateway in
            let plain = try #require(await gateway.call("/seatcatcher"))
            #expect(plain.status == 426 && plain["upgrade"] == ["websocket"])
            let old = WebSocketText.handshake().replacing("Version: 13", with: "Version: 12")
            let version = try #require(await gateway.exchange(old))
            #expect(version.status == 426 && version["sec-websocket-version"] == ["13"])
            let key = WebSocketText.handshake().replacing("dGhl", with: "dGh*")
            #expect(try await gateway.exchange(key)?.status == 400)
            #expect(try await gateway.exchange(WebSocketText.handshake("/socket.io/"))?.status == 420)
            // A handshake to a route without WebSocket is handled as a plain request.
            let other = try await gateway.exchange(WebSocketText.handshake("/token/validate"))
            #expect(other?.status == 503, "no auth service is configured")
        }
    }

    @Test func handshakeOfAppWithKey_reachesServiceWithAnyToken() async throws {
        let chat = try await service(answer: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n") { _ in }
        let key = "SeSACKey: anlaka-dev-key\r\n"
        try await TestGateway.run([.chat: [chat]]) { gateway in
            for token in ["", "Authorization: bad\r\n", "Authorization: \(try TestGateway.key.token(.anlaka))\r\n"] {
                let answer = try await gateway.exchange(
                    WebSocketText.handshake("/socket.io/?transport=websocket&EIO=4", headers: key + token)
                )
                #expect(answer?.status == 403)
            }
        }
    }

    @Test func idleTunnel_isClosed() async throws {
        let seats = try await service()
        try await TestGateway.run([.seats: [seats]], configure: { $0.limits.tunnelTime = .milliseconds(100) }) {
            gateway in
            let connection = try await gateway.connect()
            try await connection.send(WebSocketText.handshake())
            #expect(await connection.readMessage()?.status == 101)
            #expect(await connection.readToEnd().isEmpty)
        }
    }

    @Test func tunnel_upstreamReset_closesClient() async throws {
        let seats = try await service { connection in
            _ = await connection.read { $0.readString(length: 1) }
            await connection.reset()
        }
        try await TestGateway.run([.seats: [seats]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(WebSocketText.handshake())
            #expect(await connection.readMessage()?.status == 101)
            try await connection.send("x")
            #expect(await connection.readToEnd().isEmpty)
        }
    }

    @Test func tunnel_gatewayShutdown_sendsCloseFramesToBothSides() async throws {
        let received = AsyncStream<[UInt8]>.makeStream()
        let seats = try await service { connection in
            // Half of a frame of four bytes; the gateway's own frame must wait for the rest.
            try await connection.send(ByteBuffer(bytes: [0x82, 0x04, 1, 2]))
            received.continuation.yield(await connection.read { $0.readBytes(length: 8) } ?? [])
            try await connection.send(ByteBuffer(bytes: [3, 4, 0x82, 0x01, 9]))
            _ = await connection.readToEnd()
            await connection.close()
        }
        try await TestGateway.run([.seats: [seats]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(WebSocketText.handshake())
            #expect(await connection.readMessage()?.status == 101)
            #expect(await connection.read { $0.readBytes(length: 4) } == [0x82, 0x04, 1, 2])
            await gateway.shutDown()

            var frames = received.stream.makeAsyncIterator()
            let frame = try #require(await frames.next())
            #expect(frame.prefix(2) == [0x88, 0x82])
            #expect([frame[6] ^ frame[2], frame[7] ^ frame[3]] == [0x03, 0xe9])
            #expect(await connection.read { $0.readBytes(length: 6) } == [3, 4, 0x88, 0x02, 0x03, 0xe9])
            await connection.close()
        }
    }

    @Test func slowReader_slowsDownSender() async throws {
        let piece = ByteBuffer(repeating: 5, count: 64 * 1024)
        let sent = Counted()
        let seats = try await service { connection in
            for _ in 0..<1500 {
                try await connection.send(piece)
                sent.add(piece.readableBytes)
            }
            try await connection.closeOutput()
        }
        try await TestGateway.run([.seats: [seats]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.channel.setOption(.autoRead, value: false).get()
            try await connection.send(WebSocketText.handshake())
            #expect(try await sent.settled() < 24 * 1024 * 1024)
            try await connection.startReading()
            #expect(await connection.readMessage()?.status == 101)
            #expect(await connection.readToEnd().utf8.count == 1500 * 64 * 1024)
        }
    }
}
