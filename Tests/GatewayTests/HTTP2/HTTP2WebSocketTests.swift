import Contracts
import NIOCore
import TestKit
import Testing

@testable import Gateway

/// WebSockets on streams of HTTP/2 (RFC 8441).
@Suite(.timeLimit(.minutes(2)))
struct HTTP2WebSocketTests {
    /// A service that accepts handshakes and then sends back what it receives.
    private static func echo(status: String = "101 Switching Protocols") async throws -> TestUpstream {
        try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                let key = Array((request["sec-websocket-key"].first ?? "").utf8)
                let accept = String(decoding: UpgradeRequest.accept(forKey: key), as: UTF8.self)
                try await connection.send(
                    """
                    HTTP/1.1 \(status)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                    Sec-WebSocket-Accept: \(accept)\r\nSec-WebSocket-Protocol: v12.stomp\r\n\r\n
                    """
                )
                while let bytes = await connection.read({ bytes in
                    bytes.readableBytes > 0 ? bytes.readSlice(length: bytes.readableBytes) : nil
                }) {
                    try await connection.send(bytes)
                }
                try await connection.closeOutput()
            }
        }
    }

    private static func handshake(
        _ client: HTTP2Client,
        stream: UInt32,
        _ fields: [(String, String)] = [("sec-websocket-version", "13")],
        protocol name: String = "websocket",
        ends: Bool = false
    ) throws -> HTTP2Client.Frame {
        let pseudo = [
            (":method", "CONNECT"), (":protocol", name), (":scheme", "https"), (":path", "/seatcatcher"),
            (":authority", "localhost"),
        ]
        return try client.block(pseudo + fields, stream: stream, ends: ends)
    }

    @Test func stream_carriesBothDirections_besideRequests() async throws {
        try await TestGateway.runWithTLS(Self.echo()) { gateway in
            let client = try await HTTP2Client.connect(to: gateway.tlsPort)
            let fields = [("sec-websocket-version", "13"), ("sec-websocket-protocol", "v12.stomp")]
            try await client.send(Self.handshake(client, stream: 1, fields), client.data("early", stream: 1))
            let opened = try await client.answers([1]) { $0[1]?.body == "early" }[1]
            #expect(opened?.status == 200 && opened?.isEnded == false)
            #expect(opened?.fields["sec-websocket-protocol"] == "v12.stomp")
            for name in ["sec-websocket-accept", "upgrade", "connection"] { #expect(opened?.fields[name] == nil) }

            try await client.send(client.headers("/nothing", stream: 3))
            #expect(try await client.answer(3).status == 404)

            let text = String(repeating: "x", count: 60_000)
            for piece in 0..<4 {
                let part = text.dropFirst(piece * 15_000).prefix(15_000)
                try await client.send(client.data(String(part), stream: 1, ends: piece == 3))
            }
            let answer = try await client.answer(1)
            #expect(answer.body == text && answer.isEnded && answer.reset == nil, "the end passes in both directions")
            await client.connection.close()
            try await eventually { try await gateway.gateway.loops.map { $0.tunnelCount }.reduce(0, +) == 0 }
        }
    }

    @Test(arguments: [
        ([("sec-websocket-version", "13")], "chat", false), ([("sec-websocket-version", "12")], "websocket", false),
        ([], "websocket", false), ([("sec-websocket-version", "13"), ("content-length", "5")], "websocket", false),
    ])
    func invalidHandshake_isRefused(fields: [(String, String)], name: String, ends: Bool) async throws {
        try await TestGateway.runWithTLS(Self.echo()) { gateway in
            let client = try await HTTP2Client.connect(to: gateway.tlsPort)
            try await client.send(Self.handshake(client, stream: 1, fields, protocol: name, ends: ends))
            let answer = try await client.answer(1)
            #expect([400, 404, 426].contains(answer.status) || answer.reset != nil, "\(answer)")
            await client.connection.close()
        }
    }

    @Test func refusalOfTheService_isReturned() async throws {
        let upstream = try await TestUpstream.answering { _ in
            "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno"
        }
        try await TestGateway.runWithTLS(upstream) { gateway in
            let client = try await HTTP2Client.connect(to: gateway.tlsPort)
            try await client.send(Self.handshake(client, stream: 1))
            let answer = try await client.answer(1)
            #expect(answer.status == 403 && answer.body == "no")
            await client.connection.close()
        }
    }

    @Test func resetStream_closesTheServicesEnd() async throws {
        try await TestGateway.runWithTLS(Self.echo()) { gateway in
            let client = try await HTTP2Client.connect(to: gateway.tlsPort)
            try await client.send(Self.handshake(client, stream: 1))
            #expect(try await client.answers([1]) { $0[1]?.status != nil }[1]?.status == 200)
            try await client.send(.init(kind: .reset, stream: 1, payload: ByteBuffer(integer: UInt32(8))))
            try await eventually { try await gateway.gateway.loops.map { $0.tunnelCount }.reduce(0, +) == 0 }
            await client.connection.close()
        }
    }

    @Test func endThatTheClientDoesNotTake_isReset() async throws {
        try await TestGateway.runWithTLS(Self.echo()) {
            $0.limits.lingerTime = .milliseconds(200)
        } test: { gateway in
            let client = try await HTTP2Client.connect(to: gateway.tlsPort)
            try await client.send(Self.handshake(client, stream: 1))
            #expect(try await client.answers([1]) { $0[1]?.status != nil }[1]?.status == 200)
            // The echo is larger than the window, which the client does not open.
            let part = String(repeating: "x", count: 15_000)
            for _ in 0..<3 { try await client.send(client.data(part, stream: 1)) }
            while let frame = await client.next(), frame.kind != .windowUpdate || frame.stream != 1 {}
            try await client.send(client.data(part, stream: 1), client.data(part, stream: 1, ends: true))
            var isReset = false
            while !isReset, let frame = await client.next() { isReset = frame.kind == .reset && frame.stream == 1 }
            #expect(isReset)
            await client.connection.close()
        }
    }

    @Test func drain_sendsCloseFrame() async throws {
        try await TestGateway.runWithTLS(Self.echo()) { gateway in
            let client = try await HTTP2Client.connect(to: gateway.tlsPort)
            try await client.send(Self.handshake(client, stream: 1))
            #expect(try await client.answers([1]) { $0[1]?.status != nil }[1]?.status == 200)
            await gateway.shutDown()
            let answer = try await client.answers([1]) { $0[1]?.body.isEmpty == false || $0[1]?.isEnded == true }[1]
            #expect(answer?.body.utf8.first == 0x88 || answer?.body.isEmpty == false, "a Close frame (RFC 6455 §5.5.1)")
            await client.connection.close()
        }
    }
}
