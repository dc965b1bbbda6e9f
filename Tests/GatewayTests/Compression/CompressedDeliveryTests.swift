import Contracts
import NIOCore
import TestKit
import Testing
import Values

@testable import Gateway

/// Compressed responses on their way: in pieces, on streams of HTTP/2, and to and from peers that fail.
@Suite(.timeLimit(.minutes(2)))
struct CompressedDeliveryTests {
    private static let head =
        "HTTP/1.1 200 OK\r\n\(CompressionTests.json)Content-Length: \(CompressionTests.content.utf8.count)\r\n\r\n"

    private static func request(_ token: String, _ headers: String = "Accept-Encoding: gzip\r\n") -> String {
        "GET /stations HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(token)\r\n\(headers)\r\n"
    }

    /// A service that plays a script for each request.
    private static func service(
        _ script: @escaping @Sendable (RawConnection) async throws -> Void
    ) async throws -> TestUpstream {
        try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                try await script(connection)
            }
            await connection.close()
        }
    }

    private static func heldSizes(_ gateway: TestGateway) async throws -> [Int] {
        try await gateway.gateway.loops.map { $0.compressor.heldSize }
    }

    @Test func pieces_areCompressedTogether() async throws {
        let service = try await Self.service { connection in
            try await connection.send(Self.head)
            let bytes = ByteBuffer(string: CompressionTests.content)
            for start in stride(from: 0, to: bytes.readableBytes, by: 997) {
                let size = min(997, bytes.readableBytes - start)
                try await connection.send(bytes.getSlice(at: start, length: size) ?? ByteBuffer())
            }
        }
        try await TestGateway.run([.seats: [service]]) { gateway in
            let connection = try await gateway.connect()
            let token = try TestGateway.key.token()
            for _ in 0..<3 {
                try await connection.send(Self.request(token))
                #expect(CompressionTests.isCompressed(try #require(await connection.readMessage())))
            }
            #expect(try await Self.heldSizes(gateway) == [0, 0])
        }
    }

    @Test func responsesOfUnknownLength_areNotCompressed() async throws {
        let service = try await Self.service { connection in
            let size = String(CompressionTests.content.utf8.count, radix: 16)
            try await connection.send(
                "HTTP/1.1 200 OK\r\n\(CompressionTests.json)Transfer-Encoding: chunked\r\n\r\n"
                    + "\(size)\r\n\(CompressionTests.content)\r\n0\r\n\r\n"
            )
        }
        try await TestGateway.run([.seats: [service]]) { gateway in
            let token = try TestGateway.key.token()
            let answer = try #require(await gateway.exchange(Self.request(token)))
            #expect(CompressionTests.isPlain(answer) && answer["transfer-encoding"] == ["chunked"])
        }
    }

    @Test func pipelinedRequests_areAnsweredInOrder() async throws {
        try await CompressionTests.run { gateway, token in
            let connection = try await gateway.connect()
            let requests = (0..<40).map { Self.request(token, $0.isMultiple(of: 3) ? "" : "Accept-Encoding: gzip\r\n") }
            try await connection.send(requests.joined())
            for number in 0..<40 {
                let answer = try #require(await connection.readMessage())
                let isPlain = number.isMultiple(of: 3)
                #expect(isPlain ? CompressionTests.isPlain(answer) : CompressionTests.isCompressed(answer))
            }
        }
    }

    @Test func streamsOfHTTP2_areCompressed() async throws {
        let service = try await TestUpstream.answering { request in
            let headers = CompressionTests.json + "ETag: \"a\"\r\n"
            guard request.start.hasPrefix("HEAD ") else {
                return TestUpstream.ok(CompressionTests.content, headers: headers)
            }
            return "HTTP/1.1 200 OK\r\nContent-Length: \(CompressionTests.content.utf8.count)\r\n\(headers)\r\n"
        }
        try await TestGateway.runWithTLS(service) { gateway in
            let client = try await HTTP2Client.connect(to: gateway.tlsPort)
            let authorization = ("authorization", "Bearer \(try TestGateway.key.token())")
            let gzip = [authorization, ("accept-encoding", "gzip, br")]
            try await client.send(
                client.headers("/stations", stream: 1, gzip),
                client.headers("/stations", stream: 3, [authorization]),
                client.headers("/stations", method: "HEAD", stream: 5, gzip),
                client.headers("/docs", stream: 7, gzip)
            )
            let answers = try await client.answers([1, 3, 5, 7])
            let (compressed, plain, head) = (
                try #require(answers[1]), try #require(answers[3]), try #require(answers[5])
            )
            #expect(compressed.status == 200 && gunzip(compressed.content) == CompressionTests.content)
            #expect(compressed.fields["content-encoding"] == "gzip" && compressed.fields["etag"] == "W/\"a\"")
            #expect(compressed.fields["content-length"] == "\(compressed.content.readableBytes)")
            #expect(plain.body == CompressionTests.content && plain.fields["content-encoding"] == nil)
            #expect(plain.fields["etag"] == "\"a\"" && plain.fields["vary"] == "Accept-Encoding")
            #expect(head.status == 200 && head.isEnded && head.content.readableBytes == 0)
            for name in ["content-encoding", "etag", "vary"] { #expect(head.fields[name] == compressed.fields[name]) }
            #expect(gunzip(answers[7]?.content ?? ByteBuffer())?.contains("<html") == true)
            await client.connection.close()
        }
    }
}

// MARK: - Failures

extension CompressedDeliveryTests {
    @Test func clientThatLeaves_releasesWhatIsHeld() async throws {
        let service = try await Self.service { connection in
            try await connection.send(Self.head + "[")
            _ = await connection.readToEnd()
        }
        try await TestGateway.run([.seats: [service]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(Self.request(TestGateway.key.token()))
            let size = CompressionTests.content.utf8.count
            try await eventually("the response is held") { try await Self.heldSizes(gateway).contains(size) }
            await connection.reset()
            try await eventually("nothing is held") { try await Self.heldSizes(gateway) == [0, 0] }
        }
    }

    @Test func serviceThatEndsEarly_endsTheConnection() async throws {
        let service = try await Self.service { connection in
            try await connection.send(Self.head + CompressionTests.content.dropLast())
            await connection.close()
        }
        try await TestGateway.run([.seats: [service]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(Self.request(TestGateway.key.token()))
            // A part of a response would be taken for the whole of it.
            #expect(await connection.readToEnd() == "")
            #expect(try await Self.heldSizes(gateway) == [0, 0])
        }
    }

    @Test func bytesAfterTheContent_areNotSent() async throws {
        let service = try await Self.service { connection in
            try await connection.send(Self.head + CompressionTests.content + "HTTP/1.1 200 OK\r\n\r\nmore")
        }
        try await TestGateway.run([.seats: [service]]) { gateway in
            let token = try TestGateway.key.token()
            for _ in 0..<2 {
                let answer = try #require(await gateway.exchange(Self.request(token)))
                #expect(CompressionTests.isCompressed(answer))
            }
        }
    }

    @Test func clientThatDoesNotRead_isSentNoMore() async throws {
        // Random digits halve their size, so that each response is about 100 kB.
        var numbers = SplitMix(state: 1)
        let digits = Array("0123456789abcdef".utf8)
        let content = String(decoding: (0..<200_000).map { _ in digits[Int(numbers.next() & 15)] }, as: UTF8.self)
        let count = BackPressureTests.slack / 100_000 + 200
        let asked = Counted()
        let service = try await TestUpstream.answering { _ in
            asked.add(1)
            return TestUpstream.ok(content, headers: CompressionTests.json)
        }
        let configure: (inout GatewayConfiguration) -> Void = {
            $0.rates.address = .unlimited
            $0.rates.account = .unlimited
        }
        try await TestGateway.run([.seats: [service]], configure: configure) { gateway in
            let connection = try await gateway.connect(isReading: false)
            let token = try TestGateway.key.token()
            let flood = Task { try await connection.send(String(repeating: Self.request(token), count: count)) }
            let taken = try await asked.settled()
            #expect(taken * 100_000 < BackPressureTests.slack)
            try await connection.startReading()
            for _ in 0..<count {
                let answer = try #require(await connection.readMessage())
                try #require(answer["content-encoding"] == ["gzip"])
            }
            try await flood.value
            #expect(try await Self.heldSizes(gateway) == [0, 0])
        }
    }
}
