import Authentication
import Contracts
import FoundationEssentials
import NIOCore
import Sockets
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1)), .sockets(EchoEndpoint())) struct HandshakeTests {
    private var service: SocketService { .current }

    private func answer(_ request: String, at service: SocketService) async throws -> String {
        let connection = try await RawConnection.connect(to: service.port)
        try await connection.send(request)
        let head = await connection.readHead() ?? ""
        if !head.hasPrefix("HTTP/1.1 101") {
            #expect(head.lowercased().contains("connection: close\r\n"), "\(request)")
            #expect(await connection.readToEnd().isEmpty)
        }
        await connection.close()
        return head
    }

    private static func with(_ identity: InternalIdentity?, now: Date = .now) -> String {
        let value = identity?.signed("GET", SocketService.path, to: .seats, now: now)
        return Wire.handshake(value.map { [(InternalIdentity.header, $0)] } ?? [])
    }

    @Test func handshake_isAnsweredByRFC6455() async throws {
        let head = try await answer(Wire.handshake, at: service)
        #expect(head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
        let fields = head.lowercased()
        #expect(fields.contains("upgrade: websocket\r\n") && fields.contains("connection: upgrade\r\n"))
        #expect(head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        #expect(!fields.contains("sec-websocket-protocol") && !fields.contains("sec-websocket-extensions"))
        let query = Wire.handshake(at: "\(SocketService.path)?a=b")
        #expect(try await answer(query, at: service).hasPrefix("HTTP/1.1 101"))
    }

    @Test(arguments: [
        ("v10.stomp, v11.stomp", "v11.stomp"), ("v11.stomp,v12.stomp", "v12.stomp"), ("graphql", nil),
        ("v12.stomper", nil),
    ]) func subprotocol_isNegotiated(_ offer: String, _ agreed: String?) async throws {
        let offering = "Upgrade: websocket\r\nSec-WebSocket-Protocol: \(offer)\r\n"
        let head = try await answer(Wire.handshake.replacing("Upgrade: websocket\r\n", with: offering), at: service)
        #expect(head.hasPrefix("HTTP/1.1 101"))
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-protocol:") }
        #expect(line.map { String($0.dropFirst("sec-websocket-protocol: ".count)) } == agreed)
    }

    @Test func handshake_withoutGatewayIdentity_isRefused() async throws {
        let app = InternalIdentity(caller: .gateway, app: .seatcatcher)
        let elsewhere = [(InternalIdentity.header, app.signed("GET", SocketService.path, to: .chat))]
        for request in [
            Self.with(nil), Self.with(app, now: Date.now - 3600), Self.with(InternalIdentity(caller: .estate)),
            Self.with(app).replacing("\(InternalIdentity.header): 2.", with: "\(InternalIdentity.header): 1."),
            Self.with(app).replacing(SocketService.path, with: "\(SocketService.path)?a=b"),
            Wire.handshake(elsewhere), Wire.handshake(SocketService.identity() + SocketService.identity()),
        ] {
            let requestHead = try await answer(request, at: service)
            #expect(requestHead.hasPrefix("HTTP/1.1 403 "))
        }
        let other = Self.with(InternalIdentity(caller: .gateway, app: .moup))
        let otherHead = try await answer(other, at: service)
        #expect(otherHead.hasPrefix("HTTP/1.1 404 "))
        let placeHead = try await answer(Wire.handshake(at: "/other"), at: service)
        #expect(placeHead.hasPrefix("HTTP/1.1 404 "))
    }

    @Test(arguments: [
        ("Version: 13", "Version: 8", "426"), ("Sec-WebSocket-Version: 13\r\n", "", "426"), ("GET ", "POST ", "400"),
        ("dGhlIHNhbXBsZSBub25jZQ==", "short", "400"), ("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ!=", "400"),
        ("Host: h\r\n", "Host: h\r\nContent-Length: 1\r\n", "400"), ("HTTP/1.1", "HTTP/1.1 x", "400"),
    ]) func malformedHandshake_isRefused(_ part: String, _ wrong: String, _ status: String) async throws {
        let phone = InternalIdentity(caller: .gateway, app: .seatcatcher)
        let identity = phone.signed(wrong == "POST " ? "POST" : "GET", SocketService.path, to: .seats)
        let request =
            Wire.handshake([(InternalIdentity.header, identity)]).replacing(part, with: wrong)
            + (wrong.contains("Length") ? "x" : "")
        let head = try await answer(request, at: service)
        #expect(head.hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test func plainRequests_areServed() async throws {
        let line = SocketService.identity(at: "/plain").map { "\($0.0): \($0.1)\r\n" }.joined()
        let connection = try await RawConnection.connect(to: service.port)
        for _ in 0..<3 {
            try await connection.send("GET /plain HTTP/1.1\r\nHost: h\r\n\(line)\r\n")
            #expect(await connection.readHead()?.hasPrefix("HTTP/1.1 200 ") == true)
            #expect(await connection.read { $0.readString(length: 5) } == "plain")
        }
        // A connection that has served plain requests does not become a socket.
        try await connection.send(Wire.handshake)
        #expect(await connection.readHead()?.hasPrefix("HTTP/1.1 400 ") == true)
        #expect(await connection.readToEnd().isEmpty)
    }

    @Test func framesWithHandshake_areRead() async throws {
        let connection = try await RawConnection.connect(to: service.port)
        var bytes = ByteBuffer(string: Wire.handshake)
        bytes.writeBytes(Wire.text("eager").bytes)
        try await connection.send(bytes)
        #expect(await connection.readHead()?.hasPrefix("HTTP/1.1 101") == true)
        #expect(await connection.readFrame()?.payload == Array("eager".utf8))
        await connection.close()
    }

    @Test func handshake_byteByByte_isAccepted() async throws {
        let connection = try await RawConnection.connect(to: service.port)
        try await connection.sendSlowly(Wire.handshake)
        #expect(await connection.readHead()?.hasPrefix("HTTP/1.1 101") == true)
        await connection.close()
    }

    @Test func partialHandshakes_doNotAffectOtherConnections() async throws {
        let live = try await WebSocketClient.connect(service.url, headers: SocketService.identity())
        var messages = live.messages.makeAsyncIterator()
        try await withThrowingTaskGroup(of: RawConnection.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    let connection = try await RawConnection.connect(to: service.port)
                    let bytes = Wire.handshake.utf8.prefix(number % Wire.handshake.utf8.count)
                    if !bytes.isEmpty { try await connection.send(String(Substring(bytes))) }
                    return connection
                }
            }
            var open: [RawConnection] = []
            for try await connection in group {
                open.append(connection)
                guard open.count.isMultiple(of: 200) else { continue }
                try await live.send("still here")
                #expect(await messages.next() == .text(ByteBuffer(string: "still here")))
            }
        }
        await live.close()
    }
}
