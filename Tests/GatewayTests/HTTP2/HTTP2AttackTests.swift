import Contracts
import NIOCore
import NIOHPACK
import TestKit
import Testing

@testable import Gateway

/// Clients that break the rules, or use them against the gateway. Each is refused, and others are served.
@Suite(.timeLimit(.minutes(2)))
struct HTTP2AttackTests {
    private typealias Frame = HTTP2Client.Frame

    private func withClient(
        configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ attack: (HTTP2Client, TestUpstream) async throws -> Void
    ) async throws {
        let upstream = try await TestUpstream.answering()
        try await TestGateway.runWithTLS(upstream, configure: configure) { gateway in
            let other = try await HTTP2Client.connect(to: gateway.tlsPort)
            let client = try await HTTP2Client.connect(to: gateway.tlsPort)
            try await attack(client, upstream)
            await client.connection.close()
            try await other.send(other.headers("/token/validate", stream: 1))
            #expect(try await other.answer(1).status == 200, "others are served")
            await other.connection.close()
            try await eventually { gateway.gateway.core.clientLimits.count == 0 }
        }
    }

    /// ENHANCE_YOUR_CALM, or an end without a word.
    private func expectEnd(of client: HTTP2Client, code: UInt32? = nil) async {
        let found = await client.goAway()
        if let code { #expect(found == code) }
        #expect(client.connection.isEnded)
    }

    // MARK: Floods

    @Test func rapidReset_endsTheConnection() async throws {
        try await withClient { client, _ in
            // CVE-2023-44487.
            try? await client.send(
                (0..<1000).flatMap { number -> [Frame] in
                    let stream = UInt32(number * 2 + 1)
                    let reset = Frame(kind: .reset, stream: stream, payload: ByteBuffer(integer: UInt32(8)))
                    return [try? client.headers("/token/validate", stream: stream), reset].compactMap(\.self)
                }
            )
            await expectEnd(of: client)
        }
    }

    @Test func continuationFlood_endsTheConnection() async throws {
        try await withClient { client, upstream in
            // CVE-2024-27316: a header block without an end.
            var first = try client.headers("/token/validate", stream: 1)
            first.flags = Frame.endStream
            try? await client.send([first])
            let more = Frame(
                kind: .continuation,
                stream: 1,
                payload: Self.literal("x-a", String(repeating: "a", count: 60))
            )
            for _ in 0..<100 { try? await client.send(Array(repeating: more, count: 100)) }
            await expectEnd(of: client)
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test(arguments: [HTTP2Client.Kind.ping, .settings])
    func floodOfControlFrames_endsTheConnection(kind: HTTP2Client.Kind) async throws {
        try await withClient { client, _ in
            let frame = Frame(kind: kind, payload: kind == .ping ? ByteBuffer(repeating: 0, count: 8) : ByteBuffer())
            for _ in 0..<100 { try? await client.send(Array(repeating: frame, count: 100)) }
            await expectEnd(of: client)
        }
    }

    @Test func emptyDataFlood_endsTheConnection() async throws {
        try await withClient { client, _ in
            try await client.send(client.headers("/auth/login", method: "POST", stream: 1, ends: false))
            try? await client.send(Array(repeating: client.data("", stream: 1), count: 1000))
            await expectEnd(of: client)
        }
    }

    @Test func streamsBeyondLimit_areRefused() async throws {
        try await withClient(configure: { $0.limits.streams = 10 }) { client, _ in
            for number in 0..<11 {
                let stream = UInt32(number * 2 + 1)
                try await client.send(client.headers("/auth/login", method: "POST", stream: stream, ends: false))
            }
            let refused = try await client.answers([21])[21]
            #expect(refused?.reset == 7 || client.connection.isEnded, "REFUSED_STREAM")
        }
    }

    // MARK: Header blocks

    /// A field that the compressor does not keep (RFC 7541 §6.2.2).
    private static func literal(_ name: String, _ value: String) -> ByteBuffer {
        ByteBuffer(bytes: [0, UInt8(name.utf8.count)] + name.utf8 + [UInt8(value.utf8.count)] + value.utf8)
    }

    @Test func compressionBomb_isRefused() async throws {
        try await withClient { client, upstream in
            // One field of 4 kB in the table, and thousands of references to it of a byte each.
            var block = try client.headers("/token/validate", stream: 1).payload
            block.writeBytes([0x40, 3] + Array("x-a".utf8))
            block.writeBytes([0x7f, 0x81, 0x1e] + [UInt8](repeating: UInt8(ascii: "a"), count: 3968))
            block.writeBytes([UInt8](repeating: 0xbe, count: 10_000))
            let flags = Frame.endHeaders | Frame.endStream
            try? await client.send([Frame(kind: .headers, flags: flags, stream: 1, payload: block)])
            await expectEnd(of: client)
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test func headersBeyondLimit_areRefused() async throws {
        try await withClient { client, upstream in
            let field = String(repeating: "a", count: 15_000)
            let fields = (0..<3).map { ("x-\($0)", field) }
            var block = try client.headers("/token/validate", stream: 1, fields).payload
            let first = block.readSlice(length: 16_000) ?? ByteBuffer()
            try? await client.send(
                Frame(kind: .headers, flags: Frame.endStream, stream: 1, payload: first),
                Frame(kind: .continuation, stream: 1, payload: block.readSlice(length: 15_000) ?? ByteBuffer()),
                Frame(kind: .continuation, flags: Frame.endHeaders, stream: 1, payload: block)
            )
            let answer = try await client.answer(1)
            #expect([431, nil].contains(answer.status))
            #expect(upstream.requests.isEmpty)
        }
    }

    // MARK: Smuggling

    static let fields: [[(String, String)]] = [
        [("transfer-encoding", "chunked")], [("connection", "close")], [("upgrade", "websocket")],
        [("keep-alive", "1")], [("proxy-connection", "close")], [("te", "gzip")],
        [("x-a", "1\r\nx-madang-identity: forged")], [("x-a", "1\nb: 2")], [("x-a", "1\0")],
        [("x-a\r\nb", "1")], [("X-Upper", "1")], [("x a", "1")], [("", "1")], [("x-a:", "1")],
        [(":path", "/other")], [(":authority", "b")], [(":unknown", "1")],
        [("content-length", "5"), ("content-length", "6")], [("content-length", "+5")], [("content-length", "5, 5")],
    ]

    @Test(arguments: fields.indices)
    func forbiddenFields_areRefused(index: Int) async throws {
        try await withClient { client, upstream in
            try? await client.send([client.headers("/token/validate", stream: 1, Self.fields[index])])
            let answer = try await client.answer(1)
            #expect(answer.reset != nil || answer.status == 400 || client.connection.isEnded, "\(answer)")
            #expect(upstream.requests.isEmpty)
        }
    }

    static let pseudo: [[String: String]] = [
        [":path": "/a b"], [":path": "/a HTTP/1.1\r\nx: y"], [":path": "/a HTTP/1.1 "], [":path": ""], [":path": "*"],
        [":path": "https://localhost/token/validate"], [":path": "token"], [":method": "GET /x HTTP/1.1\r\n\r\nPOST"],
        [":method": "GET /token/validate"], [":method": ""], [":authority": "a b"], [":authority": "a\r\nx: y"],
        [":authority": "u@localhost"], [":authority": ""], [":method": "CONNECT"],
    ]

    @Test(arguments: pseudo.indices)
    func malformedRequests_areRefused(index: Int) async throws {
        try await withClient { client, upstream in
            let standard = [
                ":method": "GET", ":scheme": "https", ":authority": "localhost", ":path": "/token/validate",
            ]
            let fields = standard.merging(Self.pseudo[index]) { $1 }.sorted { $0.key < $1.key }.map { ($0, $1) }
            try? await client.send([client.block(fields, stream: 1)])
            let answer = try await client.answer(1)
            let isRefused = answer.reset != nil || [400, 404, 405].contains(answer.status) || client.connection.isEnded
            #expect(isRefused, "\(answer)")
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test(arguments: ["hell", "hello!"])
    func bodyOfOtherLength_isReset_andNeverComplete(body: String) async throws {
        try await withClient { client, upstream in
            let length = [("content-length", "5")]
            try await client.send(client.headers("/auth/login", method: "POST", stream: 1, length, ends: false))
            try? await client.send([client.data(body, stream: 1, ends: true)])
            let answer = try await client.answer(1)
            #expect(answer.reset != nil || client.connection.isEnded, "\(answer)")
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", "\0\0\0\0\0\0\0\0\0",
    ])
    func wrongPreface_endsTheConnection(bytes: String) async throws {
        let upstream = try await TestUpstream.answering()
        try await TestGateway.runWithTLS(upstream) { gateway in
            let connection = try await TLSClient.connect(to: gateway.tlsPort, protocols: ["h2"])
            try await connection.send(bytes + String(repeating: " ", count: 100))
            _ = await connection.readToEnd()
            #expect(upstream.requests.isEmpty)
        }
    }

    // MARK: Slowness

    @Test func responseThatIsNotRead_isReset() async throws {
        let text = String(repeating: "x", count: 1_000_000)
        let upstream = try await TestUpstream.answering { _ in TestUpstream.ok(text) }
        try await TestGateway.runWithTLS(upstream) {
            $0.limits.stallTime = .milliseconds(300)
        } test: { gateway in
            let client = try await HTTP2Client.connect(to: gateway.tlsPort)
            try await client.send(client.headers("/token/validate", stream: 1))
            var isReset = false
            while !isReset, let frame = await client.next() { isReset = frame.kind == .reset }
            #expect(isReset)
            await client.connection.close()
        }
    }

    @Test func bodyThatDoesNotArrive_isAnswered408() async throws {
        try await withClient {
            $0.limits.bodyTime = .milliseconds(300)
        } _: { client, _ in
            try await client.send(client.headers("/auth/login", method: "POST", stream: 1, ends: false))
            #expect(try await client.answer(1).status == 408)
        }
    }
}
