import Authentication
import Contracts
import Glibc
import TestKit
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct ForwardingTests {
    @Test func request_isForwardedWithIdentity_withoutHopByHopHeaders() async throws {
        let seats = try await TestUpstream.answering { _ in
            TestUpstream.ok("[1]", headers: "Server: x\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nETag: \"a\"\r\n")
        }
        try await TestGateway.run([.seats: [seats]]) { gateway in
            let token = try TestGateway.key.token()
            let answer = try #require(
                await gateway.call(
                    "/stations/?keyword=%EA%B0%95&line=2",
                    token: token,
                    headers: """
                        X-Madang-Identity: 1.gateway.seatcatcher.1.s.9.x\r\nX-Forwarded-For: 1.2.3.4\r\nTE: trailers\r\n\
                        Connection: X-Secret\r\nX-Secret: 1\r\nAccept: a\r\n
                        """
                )
            )
            #expect(answer.status == 200)
            #expect(answer.body == "[1]")
            #expect(answer["etag"] == ["\"a\""])
            #expect(answer["server"].isEmpty && answer["x-hop"].isEmpty)
            #expect(answer["x-content-type-options"] == ["nosniff"])
            #expect(answer["x-request-id"].first?.count == 16)

            let request = try #require(seats.requests.first)
            #expect(request.start == "GET /stations?keyword=%EA%B0%95&line=2 HTTP/1.1")
            #expect(request["host"] == ["madang"])
            #expect(request["accept"] == ["a"])
            for name in ["authorization", "x-forwarded-for", "te", "connection", "x-secret"] {
                #expect(request[name].isEmpty, "\(name)")
            }
            #expect(request["x-madang-client"] == ["127.0.0.1"])
            #expect(request["x-request-id"] == answer["x-request-id"])
            let value = try #require(request["x-madang-identity"].first)
            #expect(request["x-madang-identity"].count == 1)
            let identity = InternalIdentity(sent: value, in: request.start, to: .seats)
            #expect(identity == InternalIdentity(caller: .gateway, app: .seatcatcher, account: 42, session: "s1"))
        }
    }
}

// MARK: - Caches

extension ForwardingTests {
    @Test(arguments: [
        (true, "", ["no-store"]), (true, "Cache-Control: max-age=60\r\n", ["max-age=60"]), (false, "", []),
    ])
    func personalAnswer_isKeptByNoCache(isSignedIn: Bool, headers: String, expected: [String]) async throws {
        let service = try await TestUpstream.answering { _ in TestUpstream.ok("[1]", headers: headers) }
        try await TestGateway.run([.seats: [service], .auth: [service]]) { gateway in
            let token = isSignedIn ? try TestGateway.key.token() : nil
            let path = isSignedIn ? "/stations?keyword=a" : "/token/validate"
            let answer = try await gateway.call(path, token: token)
            #expect(answer?.status == 200)
            #expect(answer?["cache-control"] == expected)
        }
    }
}

// MARK: - Bodies

extension ForwardingTests {
    private func withAuth(
        _ answer: @escaping @Sendable (RawMessage) async throws -> String = { TestUpstream.ok($0.body) },
        _ test: (TestGateway, TestUpstream) async throws -> Void
    ) async throws {
        let auth = try await TestUpstream.answering(answer)
        try await TestGateway.run([.auth: [auth]]) { try await test($0, auth) }
    }

    private static let post = "POST /token/refresh HTTP/1.1\r\nHost: h\r\n"

    @Test func chunkedRequest_isReframed() async throws {
        try await withAuth { gateway, auth in
            for isSlow in [false, true] {
                let connection = try await gateway.connect()
                let request =
                    Self.post + "Transfer-Encoding: chunked\r\n\r\n005\r\nhello\r\n1\r\n!\r\n0\r\nX-Trailer: 1\r\n\r\n"
                try await isSlow ? connection.sendSlowly(request) : connection.send(request)
                #expect(await connection.readMessage()?.body == "hello!")
            }
            for request in auth.requests {
                #expect(request["transfer-encoding"] == ["chunked"])
                #expect(request["content-length"].isEmpty && request["x-trailer"].isEmpty)
            }
        }
    }

    @Test func responses_ofEveryFraming_areForwarded() async throws {
        let answers = [
            "/a": "HTTP/1.1 204 No Content\r\n\r\n",
            "/b": "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\nETag: x\r\n\r\n",
            "/c": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            "/d": "HTTP/1.1 201 \r\nContent-Length: 0\r\nX-Content-Type-Options: own\r\n\r\n",
            "/e":
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok",
        ]
        try await withAuth { request in
            answers.first { request.start.contains("?\($0.key) ") }?.value ?? TestUpstream.ok("?")
        } _: { gateway, auth in
            // All run on one connection: the wrong end of one response would break the next.
            let connection = try await gateway.connect()
            func get(_ name: String) async throws -> RawMessage? {
                try await connection.send("GET /token/validate?\(name) HTTP/1.1\r\nHost: h\r\n\r\n")
                return await connection.readMessage()
            }
            let empty = try #require(await get("/a"))
            #expect(empty.status == 204 && empty["content-length"].isEmpty && empty["transfer-encoding"].isEmpty)
            #expect(try await get("/b")?["content-length"] == ["9"])
            #expect(try await get("/c")?.body == "abcde")
            let created = try #require(await get("/d"))
            #expect(created.start == "HTTP/1.1 201 ")
            #expect(created["x-content-type-options"] == ["own"])
            #expect(try await get("/e")?.body == "ok")
            #expect(auth.requests.count == 5)
            #expect(auth.connectionCount == 1)
        }
    }

    @Test func headRequest_getsNoBody() async throws {
        try await withAuth { _ in
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        } _: { gateway, _ in
            let connection = try await gateway.connect()
            for _ in 0..<2 {
                try await connection.send("HEAD /token/validate HTTP/1.1\r\nHost: h\r\n\r\n")
                let answer = try #require(await connection.readMessage(isBodyless: true))
                #expect(answer.status == 200 && answer["content-length"] == ["5"])
            }
        }
    }

    @Test func responseUntilClose_isChunked() async throws {
        let auth = try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                try await connection.send("HTTP/1.1 200 OK\r\n\r\nhello ")
                try await connection.send("world")
                await connection.close()
            }
        }
        try await TestGateway.run([.auth: [auth]]) { gateway in
            let connection = try await gateway.connect()
            for _ in 0..<3 {
                try await connection.send("GET /token/validate HTTP/1.1\r\nHost: h\r\n\r\n")
                let answer = try #require(await connection.readMessage())
                #expect(answer.body == "hello world")
                #expect(answer["transfer-encoding"] == ["chunked"])
            }
        }
    }

    @Test func pipelinedRequests_areServedInOrder() async throws {
        try await withAuth { gateway, auth in
            let connection = try await gateway.connect()
            let requests = (0..<50).map { number in
                number.isMultiple(of: 7)
                    ? "GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n"
                    : Self.post + "Content-Length: 2\r\n\r\n\(number + 10)"
            }
            try await connection.send(requests.joined())
            for number in 0..<50 {
                let answer = try #require(await connection.readMessage())
                #expect(answer.status == (number.isMultiple(of: 7) ? 404 : 200))
                if answer.status == 200 { #expect(answer.body == "\(number + 10)") }
            }
            #expect(auth.connectionCount == 1)
        }
    }

    @Test func expectContinue_getsContinueUnlessRefused() async throws {
        try await withAuth { gateway, auth in
            let connection = try await gateway.connect()
            try await connection.send(Self.post + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n")
            #expect(await connection.readMessage()?.status == 100)
            try await connection.send("hello")
            #expect(await connection.readMessage()?.body == "hello")
            #expect(auth.requests.first?["expect"].isEmpty == true)

            // The body is not requested when the gateway refuses by the head.
            try await connection.send(
                "PATCH /user/me HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"
            )
            #expect(await connection.readMessage()?.status == 401)
            #expect(await connection.readToEnd().isEmpty)
        }
    }

    @Test func refusal_withSmallBody_keepsConnection() async throws {
        try await withAuth { gateway, auth in
            let connection = try await gateway.connect()
            try await connection.send("PATCH /user/me HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhel")
            #expect(await connection.readMessage()?.status == 401)
            try await connection.send("lo" + Self.post + "Content-Length: 0\r\n\r\n")
            #expect(await connection.readMessage()?.status == 200)
            #expect(auth.requests.count == 1)
        }
    }

    @Test func connectionClose_isHonoured() async throws {
        try await withAuth { gateway, _ in
            let connection = try await gateway.connect()
            try await connection.send("GET /token/validate HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            let answer = try #require(await connection.readMessage())
            #expect(answer["connection"] == ["close"])
            #expect(await connection.readToEnd().isEmpty)
        }
    }

    @Test func earlyResponse_isForwarded_andCloses() async throws {
        let auth = try await TestUpstream.playing { connection in
            guard let head = await connection.readHead() else { return }
            if head.contains("/readyz") { return try await connection.send(TestUpstream.ok("")) }
            try await connection.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
            _ = await connection.readToEnd()
        }
        try await TestGateway.run([.auth: [auth]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(Self.post + "Content-Length: 100000\r\n\r\nsome")
            let answer = try #require(await connection.readMessage())
            #expect(answer.status == 403 && answer.body == "no")
            #expect(answer["connection"] == ["close"])
            #expect(await connection.readToEnd().isEmpty)
        }
    }
}
