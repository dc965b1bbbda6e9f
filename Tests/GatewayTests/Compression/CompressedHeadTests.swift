import Contracts
import NIOCore
import TestKit
import Testing

@testable import Gateway

/// Validators, HEAD and 304 of compressed responses, and the gateway's own pages.
@Suite(.timeLimit(.minutes(1)))
struct CompressedHeadTests {
    private static let gzip = "Accept-Encoding: gzip\r\n"

    @Test(arguments: [("\"a\"", "W/\"a\""), ("W/\"a\"", "W/\"a\"")])
    func entityTag_ofCompressedContent_isWeak(tag: String, weak: String) async throws {
        try await CompressionTests.run(headers: CompressionTests.json + "ETag: \(tag)\r\n") { gateway, token in
            let plain = try #require(await gateway.call("/stations", token: token))
            #expect(plain["etag"] == [tag])
            let compressed = try #require(await gateway.call("/stations", token: token, headers: Self.gzip))
            #expect(compressed["etag"] == [weak] && CompressionTests.isCompressed(compressed))
        }
    }

    @Test func head_hasTheHeadersOfGet() async throws {
        try await CompressionTests.run(headers: CompressionTests.json + "ETag: \"a\"\r\n") { gateway, token in
            let connection = try await gateway.connect()
            func ask(_ method: String, _ headers: String) async throws -> RawMessage {
                try await connection.send(
                    "\(method) /stations HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(token)\r\n\(headers)\r\n"
                )
                return try #require(await connection.readMessage(isBodyless: method == "HEAD"))
            }
            // All run on one connection: a body after HEAD would break the next.
            for headers in ["", Self.gzip, "Accept-Encoding: gzip;q=\r\n"] {
                let (get, head) = (try await ask("GET", headers), try await ask("HEAD", headers))
                #expect(head.status == 200)
                for name in ["content-type", "content-encoding", "vary", "etag", "cache-control"] {
                    #expect(head[name] == get[name], "\(name)")
                }
                // What the compressed content's length would be is not known (RFC 9110 §9.3.2).
                #expect(head["content-length"] == (headers == Self.gzip ? [] : get["content-length"]))
            }
        }
    }

    @Test func notModified_namesTheTagThatTheClientHas() async throws {
        let service = try await TestUpstream.answering { _ in
            "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nContent-Length: 0\r\n\r\n"
        }
        try await TestGateway.run([.seats: [service]]) { gateway in
            for tag in ["\"a\"", "W/\"a\"", "\"b\", W/\"a\""] {
                let headers = Self.gzip + "If-None-Match: \(tag)\r\n"
                let answer = try #require(
                    await gateway.call("/stations", token: TestGateway.key.token(), headers: headers)
                )
                #expect(answer.status == 304 && answer["etag"] == [tag.contains("W/") ? "W/\"a\"" : "\"a\""])
                #expect(answer["vary"] == ["Accept-Encoding"])
                #expect(answer["content-encoding"].isEmpty && answer["content-length"].isEmpty)
                #expect(service.requests.last?["if-none-match"] == [tag])
            }
        }
    }

    @Test func pagesOfTheGateway_areCompressed() async throws {
        try await TestGateway.run { gateway in
            for path in ["/docs", "/docs/style.css", "/docs/moup"] {
                let plain = try #require(await gateway.call(path))
                #expect(plain["content-encoding"].isEmpty && plain["vary"] == ["Accept-Encoding"])
                let answer = try #require(await gateway.call(path, headers: Self.gzip))
                #expect(CompressionTests.isCompressed(answer, plain.body), "\(path)")
                #expect(answer.content.readableBytes < plain.content.readableBytes)
                let tag = try #require(plain["etag"].first)
                #expect(answer["etag"] == ["W/\(tag)"])
                let head = try #require(await gateway.call(path, method: "HEAD", headers: Self.gzip))
                for name in ["content-encoding", "content-length", "etag", "vary"] {
                    #expect(head[name] == answer[name])
                }
                let known = try #require(
                    await gateway.call(path, headers: Self.gzip + "If-None-Match: W/\(tag)\r\n")
                )
                #expect(known.status == 304 && known["etag"] == ["W/\(tag)"] && known["vary"] == ["Accept-Encoding"])
                #expect(known["content-encoding"].isEmpty && known["content-length"].isEmpty)
            }
            let health = try #require(await gateway.call("/health", headers: Self.gzip))
            #expect(health.body == "ok" && health["vary"].isEmpty)
        }
    }

    @Test func webPageOfAnotherOrigin_isToldApart() async throws {
        try await CompressionTests.run(configure: { $0.corsOrigins = ["https://a.example"] }) { gateway, token in
            for headers in ["", "Origin: https://a.example\r\n"] {
                let answer = try await gateway.call("/stations", token: token, headers: Self.gzip + headers)
                #expect(answer?["vary"].sorted() == ["Accept-Encoding", "Origin"])
            }
        }
    }
}
