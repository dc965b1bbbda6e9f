import Contracts
import NIOCore
import TestKit
import Testing

@testable import Gateway

/// Limits of size, time and rate.
@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
    private func withGateway(
        configure: (inout GatewayConfiguration) -> Void,
        _ test: (TestGateway, TestUpstream) async throws -> Void
    ) async throws {
        let upstream = try await TestUpstream.answering { TestUpstream.ok("\($0.body.utf8.count)") }
        let services = Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, [upstream]) })
        try await TestGateway.run(services, configure: configure) { try await test($0, upstream) }
    }

    private static let get = "GET /token/validate HTTP/1.1\r\nHost: h\r\n"

    @Test func head_beyondLimits_isRefused() async throws {
        try await withGateway {
            $0.limits.headSize = 2048
            $0.limits.headLines = 20
            $0.limits.targetSize = 500
        } _: { gateway, upstream in
            let long = String(repeating: "a", count: 3000)
            let many = (0..<30).map { "X-\($0): 1\r\n" }.joined()
            for (request, status) in [
                (Self.get + "X: \(long)\r\n\r\n", 431), (Self.get + many + "\r\n", 431),
                ("GET /\(long.prefix(600)) HTTP/1.1\r\nHost: h\r\n\r\n", 414), ("GET /\(long)", 431),
                ("GET / HTTP/1.0\r\n\r\n", 505),
            ] {
                let answer = try #require(await gateway.exchange(request))
                #expect(answer.status == status)
                #expect(answer["connection"] == ["close"])
            }
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test func body_beyondLimit_isRefusedInFormatOfApp() async throws {
        try await withGateway {
            $0.limits.documentSize = 1000
            $0.limits.uploadSize = 100_000
        } _: { gateway, upstream in
            let post = "POST /token/refresh HTTP/1.1\r\nHost: h\r\n"
            func status(_ request: String) async throws -> Int? { try await gateway.exchange(request)?.status }
            let body = String(repeating: "b", count: 1000)
            #expect(try await status(post + "Content-Length: 1000\r\n\r\n" + body) == 200)
            #expect(try await status(post + "Content-Length: 1001\r\n\r\n") == 413)
            #expect(try await status(post + "Content-Length: 999999999999999999\r\n\r\n") == 413)
            let chunk = "3e8\r\n\(body)\r\n"
            #expect(try await status(post + "Transfer-Encoding: chunked\r\n\r\n\(chunk)0\r\n\r\n") == 200)
            #expect(try await status(post + "Transfer-Encoding: chunked\r\n\r\n\(chunk)1\r\nx\r\n0\r\n\r\n") == 413)
            #expect(upstream.requests.count == 2)

            let token = try TestGateway.key.token(.anlaka)
            let headers = "SeSACKey: anlaka-dev-key\r\n"
            let large = String(repeating: "b", count: 50_000)
            let file = try await gateway.call(
                "/v1/posts/files",
                method: "POST",
                token: token,
                headers: headers,
                body: large
            )
            #expect(file?.status == 200 && file?.body == "50000")
            let post2 = try await gateway.call("/v1/posts", method: "POST", token: token, headers: headers, body: large)
            #expect(post2?.status == 400, "Anlaka's contract has no 413")
            #expect(post2?.body.hasPrefix(#"{"message":"#) == true)
        }
    }

    @Test func slowHead_returns408() async throws {
        try await withGateway {
            $0.limits.headTime = .seconds(1)
        } _: { gateway, upstream in
            let connection = try await gateway.connect()
            try await connection.send("GET /token/validate HTTP/1.1\r\nHo")
            #expect(await connection.readMessage()?.status == 408)
            #expect(await connection.readToEnd().isEmpty)
            // A silent connection is closed without a response.
            let silent = try await gateway.connect()
            #expect(await silent.readToEnd().isEmpty)
            // Single bytes do not extend the deadline: the time runs from the first byte. On a busy machine this may come so
            // late that the connection counts as silent.
            var status: Int?
            for _ in 0..<10 where status == nil {
                let slow = try await gateway.connect()
                let drip = Task {
                    for byte in "GET /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".utf8 {
                        try await slow.send(ByteBuffer(bytes: [byte]))
                        try await Task.sleep(for: .milliseconds(50))
                    }
                }
                status = await slow.readMessage()?.status
                drip.cancel()
            }
            #expect(status == 408)
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test func slowBody_returns408_andSteadyBodyIsAccepted() async throws {
        try await withGateway {
            $0.limits.bodyTime = .milliseconds(1500)
            $0.limits.bodyRate = 1000
        } _: { gateway, upstream in
            let post = "POST /token/refresh HTTP/1.1\r\nHost: h\r\nContent-Length: 600\r\n\r\n"
            let stopped = try await gateway.connect()
            try await stopped.send(post + "half")
            #expect(await stopped.readMessage()?.status == 408)

            let dripping = try await gateway.connect()
            let drip = Task {
                try await dripping.sendSlowly(post)
                for _ in 0..<600 {
                    try await dripping.send("x")
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            #expect(await dripping.readMessage()?.status == 408)
            drip.cancel()
            #expect(upstream.requests.isEmpty)

            // The body is slow, but at the required rate. On a busy machine it may fall behind that.
            var answer: RawMessage?
            for _ in 0..<10 where answer?.status != 200 {
                let steady = try await gateway.connect()
                let body = Task {
                    try await steady.send(post)
                    for _ in 0..<6 {
                        try await steady.send(String(repeating: "x", count: 100))
                        try await Task.sleep(for: .milliseconds(30))
                    }
                }
                answer = await steady.readMessage()
                body.cancel()
            }
            #expect(answer?.body == "600")
        }
    }

    @Test func idleConnection_isClosed() async throws {
        try await withGateway {
            $0.limits.idleTime = .milliseconds(100)
        } _: { gateway, _ in
            let connection = try await gateway.connect()
            try await connection.send(Self.get + "\r\n")
            #expect(await connection.readMessage()?.status == 200)
            #expect(await connection.readToEnd().isEmpty)
        }
    }

    @Test func clientThatDoesNotRead_isDisconnected() async throws {
        let auth = try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                try? await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
                for _ in 0..<1000 { try await connection.send(ByteBuffer(repeating: 1, count: 100_000)) }
            }
        }
        try await TestGateway.run([.auth: [auth]], configure: { $0.limits.stallTime = .milliseconds(200) }) { gateway in
            let connection = try await gateway.connect(isReading: false)
            try await connection.send(Self.get + "\r\n")
            while gateway.gateway.core.clientLimits.count > 0 { try await Task.sleep(for: .milliseconds(20)) }
        }
    }

    @Test func connections_perAddress_areBounded() async throws {
        try await withGateway {
            $0.connections.perAddress = 3
        } _: { gateway, _ in
            var open: [RawConnection] = []
            for _ in 0..<3 {
                open.append(try await gateway.connect())
                try await open[open.count - 1].send(Self.get + "\r\n")
                #expect(await open[open.count - 1].readMessage()?.status == 200)
            }
            let fourth = try await gateway.connect()
            #expect(await fourth.readToEnd().isEmpty)
            await open[0].close()
            while gateway.gateway.core.clientLimits.count > 2 { try await Task.sleep(for: .milliseconds(5)) }
            let next = try await gateway.exchange(Self.get + "\r\n")
            #expect(next?.status == 200)
        }
    }

    @Test func requests_perAddress_beyondRate_return429() async throws {
        try await withGateway {
            $0.rates.address = RateLimit(perSecond: 0.001, burst: 5)
        } _: { gateway, upstream in
            var statuses: [Int] = []
            for _ in 0..<7 {
                let answer = try #require(await gateway.exchange(Self.get + "\r\n"))
                statuses.append(answer.status)
                if answer.status == 429 { #expect(answer["retry-after"].first.flatMap(Int.init) ?? 0 > 0) }
            }
            #expect(statuses == [200, 200, 200, 200, 200, 429, 429])
            #expect(upstream.requests.count == 5)
        }
    }

    @Test func signIn_beyondItsOwnRate_returns429() async throws {
        try await withGateway {
            $0.rates.signIn = RateLimit(perSecond: 0.001, burst: 2)
        } _: { gateway, upstream in
            var answers: [RawMessage] = []
            for _ in 0..<3 {
                answers.append(try #require(await gateway.call("/api/v1/auth/signin", method: "POST", body: "{}")))
            }
            #expect(answers.map(\.status) == [200, 200, 429])
            #expect(answers[2].body.contains("REQUEST_429"))
            #expect(try await gateway.call("/token/validate")?.status == 200)
        }
    }

    @Test func requests_perAccount_areBoundedAcrossTokens() async throws {
        try await withGateway {
            $0.rates.account = RateLimit(perSecond: 0.001, burst: 3)
        } _: { gateway, _ in
            var statuses: [Int?] = []
            for number in 0..<4 {
                let token = try TestGateway.key.token { $0.jti = "\(number)" }
                statuses.append(try await gateway.call("/user/me", token: token)?.status)
            }
            #expect(statuses == [200, 200, 200, 429])
            let other = try TestGateway.key.token { $0.sub = "43" }
            #expect(try await gateway.call("/user/me", token: other)?.status == 200)
        }
    }
}
