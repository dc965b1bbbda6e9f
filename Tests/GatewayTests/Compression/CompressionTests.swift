import Contracts
import NIOCore
import TestKit
import Testing

@testable import Gateway

/// Responses of services, compressed for clients that take gzip.
@Suite(.timeLimit(.minutes(2)))
struct CompressionTests {
    static let json = "Content-Type: application/json; charset=utf-8\r\n"
    static let content = "[" + (0..<200).map { "{\"id\":\($0),\"name\":\"강남\"}" }.joined(separator: ",") + "]"

    /// A gateway whose services all answer the same.
    static func run(
        headers: String = json,
        content: String = content,
        configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ test: (TestGateway, _ token: String) async throws -> Void
    ) async throws {
        let service = try await TestUpstream.answering { request in
            let length = "Content-Length: \(content.utf8.count)\r\n"
            let head = "HTTP/1.1 200 OK\r\n\(length)\(headers)\r\n"
            return request.start.hasPrefix("HEAD ") ? head : head + content
        }
        try await TestGateway.run([.seats: [service], .auth: [service]], configure: configure) {
            try await test($0, TestGateway.key.token())
        }
    }

    static func isCompressed(_ answer: RawMessage, _ expected: String = content) -> Bool {
        answer.status == 200 && answer["content-encoding"] == ["gzip"] && gunzip(answer.content) == expected
            && answer["content-length"] == ["\(answer.content.readableBytes)"] && answer["transfer-encoding"].isEmpty
            && answer["vary"] == ["Accept-Encoding"]
    }

    static func isPlain(_ answer: RawMessage, _ expected: String = content) -> Bool {
        answer["content-encoding"].isEmpty && answer.body == expected
    }

    @Test func client_choosesTheCoding() async throws {
        try await Self.run { gateway, token in
            let cases: [(String, Bool)] = [
                ("Accept-Encoding: gzip, deflate, br\r\n", true), ("Accept-Encoding: *\r\n", true), ("", false),
                ("Accept-Encoding: gzip;q=0\r\n", false), ("Accept-Encoding: gzip;q=nonsense\r\n", false),
                ("Accept-Encoding: identity;q=0\r\n", false),
                ("Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n", true),
            ]
            for (headers, isCompressed) in cases {
                let answer = try #require(await gateway.call("/stations", token: token, headers: headers))
                #expect(answer.status == 200 && answer["content-type"] == ["application/json; charset=utf-8"])
                #expect(answer["cache-control"] == ["no-store"] && answer["vary"] == ["Accept-Encoding"])
                #expect(isCompressed ? Self.isCompressed(answer) : Self.isPlain(answer), "\(headers)")
            }
        }
    }

    @Test(arguments: [
        "application/problem+json", "Text/HTML;charset=utf-8", "text/css", "application/javascript",
        "text/javascript", "application/openapi+json", "application/json ; x=1",
    ])
    func types_thatShrink_areCompressed(_ type: String) async throws {
        try await Self.run(headers: "Content-Type: \(type)\r\n") { gateway, token in
            let answer = try await gateway.call("/stations", token: token, headers: "Accept-Encoding: gzip\r\n")
            #expect(try Self.isCompressed(#require(answer)))
        }
    }

    @Test(arguments: [
        "", "Content-Type: image/png\r\n", "Content-Type: text/event-stream\r\n", "Content-Type: application/jsonl\r\n",
        json + "Cache-Control: no-transform\r\n", json + "Cache-Control: public\r\nCache-Control: x, No-Transform\r\n",
        json + "Content-Encoding: br\r\n", json + "Set-Cookie: a=b\r\n",
    ])
    func otherResponses_areLeftAlone(_ headers: String) async throws {
        try await Self.run(headers: headers) { gateway, token in
            let request = "Accept-Encoding: gzip\r\n"
            let answer = try #require(await gateway.call("/stations", token: token, headers: request))
            #expect(answer.status == 200 && answer.body == Self.content && answer["vary"].isEmpty)
            #expect(answer["content-encoding"] == (headers.contains("br") ? ["br"] : []))
        }
    }

    @Test(arguments: [(1024, false), (1025, true), (256 * 1024, true), (256 * 1024 + 1, false)])
    func size_decides(size: Int, isCompressed: Bool) async throws {
        let content = String(repeating: "1", count: size)
        try await Self.run(content: content) { gateway, token in
            let request = "Accept-Encoding: gzip\r\n"
            let answer = try #require(await gateway.call("/stations", token: token, headers: request))
            #expect(isCompressed ? Self.isCompressed(answer, content) : Self.isPlain(answer, content))
            #expect(answer["vary"].isEmpty == !isCompressed)
        }
    }

    @Test(arguments: [201, 206, 400, 404, 500])
    func statuses_exceptParts_areCompressed(_ status: Int) async throws {
        let service = try await TestUpstream.answering { _ in
            TestUpstream.ok(Self.content, headers: Self.json).replacing("200 OK", with: "\(status) Some")
        }
        try await TestGateway.run([.seats: [service]]) { gateway in
            let token = try TestGateway.key.token()
            let request = "Accept-Encoding: gzip\r\n"
            let answer = try #require(await gateway.call("/stations", token: token, headers: request))
            #expect(answer.status == status)
            #expect(answer["content-encoding"].isEmpty == (status == 206))
        }
    }

    @Test func responsesOfAuth_areNotCompressed() async throws {
        try await Self.run { gateway, token in
            for (method, path) in [("GET", "/token/validate"), ("POST", "/token/refresh"), ("GET", "/user/me")] {
                let request = "Accept-Encoding: gzip\r\n"
                let answer = try #require(
                    await gateway.call(path, method: method, token: token, headers: request, body: "")
                )
                #expect(answer.status == 200 && Self.isPlain(answer) && answer["vary"].isEmpty, "\(path)")
            }
        }
    }

    @Test func responseWithRenewedTokens_isNotCompressed_andNot304() async throws {
        let service = try await TestUpstream.answering { _ in TestUpstream.ok(Self.content, headers: Self.json) }
        let auth = try await TestAuth(refreshing: { try SilentRefreshTests.renewed($0.app) }).serve()
        try await TestGateway.run([.seats: [service], .auth: [auth]]) { gateway in
            let headers = "RefreshToken: \(try SilentRefreshTests.refresh())\r\nAccept-Encoding: gzip\r\n"
            let answer = try #require(await gateway.call("/stations", headers: headers + "If-None-Match: \"a\"\r\n"))
            #expect(answer.status == 200 && answer["x-access-token"].count == 1)
            #expect(Self.isPlain(answer) && answer["vary"].isEmpty)
            #expect(service.requests.last?["if-none-match"] == [])
            let token = try TestGateway.key.token()
            _ = try await gateway.call("/stations", token: token, headers: "If-None-Match: \"a\"\r\n")
            #expect(service.requests.last?["if-none-match"] == ["\"a\""])
        }
    }

    @Test func settingOff_compressesNothing() async throws {
        try await Self.run(configure: { $0.gzip = false }) { gateway, token in
            for path in ["/stations", "/docs/style.css"] {
                let request = "Accept-Encoding: gzip\r\n"
                let answer = try #require(await gateway.call(path, token: token, headers: request))
                #expect(answer.status == 200 && answer["content-encoding"].isEmpty && answer["vary"].isEmpty)
            }
        }
    }
}
