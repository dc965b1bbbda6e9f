import Contracts
import TestKit
import Testing

@testable import Gateway

/// Requests that two parsers would delimit differently. None may reach a service, whole or in part.
@Suite(.timeLimit(.minutes(2)))
struct SmugglingTests {
    private static let start = "POST /token/refresh HTTP/1.1\r\nHost: h\r\n"
    private static let hidden = "GET /internal/secret HTTP/1.1\r\nHost: h\r\n\r\n"

    static let vectors: [String] = [
        // Two lengths.
        start + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
        start + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + hidden,
        start + "Content-Length: 0\r\nContent-Length: 46\r\n\r\n" + hidden,
        start + "Content-Length: 46\r\nContent-Length: 46\r\n\r\n" + hidden,
        start + "Content-Length: 0, 46\r\n\r\n" + hidden,
        start + "Content-Length: +46\r\n\r\n" + hidden,
        start + "Content-Length: 4 6\r\n\r\n" + hidden,
        // Encodings that are not quite `chunked`.
        start + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + hidden,
        start + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + hidden,
        start + "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n" + hidden,
        start + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + hidden,
        start + "Transfer-Encoding:\u{b}chunked\r\n\r\n0\r\n\r\n" + hidden,
        start + "Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n\r\n0\r\n\r\n" + hidden,
        start + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + hidden,
        start + "X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
        start + "X: y\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
        start + "X: y\u{0}\r\nContent-Length: 0\r\n\r\n" + hidden,
        start + " Content-Length: 46\r\n\r\n" + hidden,
        start + "Content-Length\u{0}: 46\r\n\r\n" + hidden,
        // Lines and targets.
        "GET /token/validate HTTP/1.1\nHost: h\n\n" + hidden,
        "GET /token/validate HTTP/1.1\r\nHost: h\r\n\n" + hidden,
        "GET /token/validate HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n",
        "GET http://i/token/validate HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /token/validate HTTP/1.1 HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /token/../internal HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /token/%2e%2e/internal HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /token%2fvalidate HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /token%5cvalidate HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /token/validate%00 HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /token/validate%0d%0aX:y HTTP/1.1\r\nHost: h\r\n\r\n",
    ]

    /// A fault in the body is found after the head was accepted, so the service may have received the head; it must
    /// not receive the end of the body, nor any part of the hidden request.
    static let bodies: [String] = [
        "5\r\nhello\r\n0\r\n\nGET", "5\nhello\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n", "5;a=b\r\nhello\r\n0\r\n\r\n",
        "0x5\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n", "5 \r\nhello\r\n0\r\n\r\n",
        "fffffffffffffffff\r\nhello",
        "5\r\nhello\r\n0\r\nX y\r\n\r\n", "\r\n0\r\n\r\n",
    ]

    @Test(arguments: vectors)
    func ambiguousRequest_returns400_andReachesNoService(_ vector: String) async throws {
        try await withGateway { gateway, upstream in
            for isSlow in [false, true] {
                let connection = try await gateway.connect()
                // The gateway may answer and close before everything was sent.
                try? await isSlow ? connection.sendSlowly(vector) : connection.send(vector)
                let answer = try #require(await connection.readMessage())
                #expect(answer.status == 400)
                #expect(answer["connection"] == ["close"])
                #expect(await connection.readToEnd().isEmpty)
                await connection.close()
            }
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test(arguments: bodies)
    func malformedChunkedBody_returns400_andIsNotCompleted(_ body: String) async throws {
        try await withGateway { gateway, upstream in
            for isSlow in [false, true] {
                let connection = try await gateway.connect()
                try await connection.send(Self.start + "Transfer-Encoding: chunked\r\n\r\n")
                try? await isSlow ? connection.sendSlowly(body + Self.hidden) : connection.send(body + Self.hidden)
                let answer = try #require(await connection.readMessage())
                #expect(answer.status == 400)
                #expect(await connection.readToEnd().isEmpty)
                await connection.close()
            }
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test func bytesAfterRequest_areSeparateRequest() async throws {
        try await withGateway { gateway, upstream in
            let connection = try await gateway.connect()
            try await connection.sendSlowly(Self.start + "Content-Length: 5\r\n\r\nhello" + Self.hidden)
            #expect(await connection.readMessage()?.status == 200)
            #expect(await connection.readMessage()?.status == 404)
            #expect(upstream.requests.map(\.body) == ["hello"])
        }
    }

    private func withGateway(_ test: (TestGateway, TestUpstream) async throws -> Void) async throws {
        let upstream = try await TestUpstream.answering()
        try await TestGateway.run([.auth: [upstream]]) { try await test($0, upstream) }
        await upstream.stop()
    }
}
