import Contracts
import NIOCore
import TestKit
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2)))
struct HTTP2Tests {
    private func withClient(
        _ upstream: TestUpstream? = nil,
        configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ test: (HTTP2Client, TestUpstream, TestGateway) async throws -> Void
    ) async throws {
        let service: TestUpstream
        if let upstream { service = upstream } else { service = try await TestUpstream.answering() }
        try await TestGateway.runWithTLS(service, configure: configure) { gateway in
            let client = try await HTTP2Client.connect(to: gateway.tlsPort)
            try await test(client, service, gateway)
            await client.connection.close()
        }
    }

    @Test func request_isForwarded_andResponseReturned() async throws {
        let upstream = try await TestUpstream.answering { _ in
            TestUpstream.ok("{\"a\":1}", headers: "X-One: 1\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n")
        }
        try await withClient(upstream) { client, _, _ in
            let fields = [("user-agent", "test"), ("cookie", "a=1"), ("cookie", "b=2"), ("te", "trailers")]
            try await client.send(client.headers("/token/validate?x=1", stream: 1, fields))
            let answer = try await client.answer(1)
            #expect(answer.status == 200 && answer.body == "{\"a\":1}")
            #expect(answer.fields["x-one"] == "1" && answer.fields["content-length"] == "7")
            #expect(answer.fields["x-content-type-options"] == "nosniff")
            #expect(answer.fields["connection"] == nil && answer.fields["keep-alive"] == nil)
            let request = try #require(upstream.requests.first)
            #expect(request.start == "GET /token/validate?x=1 HTTP/1.1")
            #expect(request["host"] == ["localhost"] && request["user-agent"] == ["test"])
            #expect(request["x-madang-client"] == ["127.0.0.1"])
            #expect(request["te"] == [] && request["transfer-encoding"] == [])
        }
    }

    @Test(arguments: [true, false])
    func body_isForwarded(hasLength: Bool) async throws {
        try await withClient { client, upstream, _ in
            let length = hasLength ? [("content-length", "10")] : []
            try await client.send(client.headers("/auth/login", method: "POST", stream: 1, length, ends: false))
            try await client.send(client.data("hello", stream: 1), client.data("", stream: 1))
            try await client.send(client.data("world", stream: 1, ends: !hasLength))
            if hasLength { try await client.send(client.data("", stream: 1, ends: true)) }
            #expect(try await client.answer(1).status == 200)
            #expect(upstream.requests.map(\.body) == ["helloworld"])
            #expect(upstream.requests.first?["content-length"] == (hasLength ? ["10"] : []))
        }
    }

    @Test func trailers_endTheRequest_andAreDropped() async throws {
        try await withClient { client, upstream, _ in
            try await client.send(client.headers("/auth/login", method: "POST", stream: 1, ends: false))
            try await client.send(client.data("hello", stream: 1), client.block([("x-sum", "1")], stream: 1))
            #expect(try await client.answer(1).status == 200)
            #expect(upstream.requests.map(\.body) == ["hello"] && upstream.requests.first?["x-sum"] == [])
        }
    }

    @Test func concurrentRequests_areAnsweredIndependently() async throws {
        let upstream = try await TestUpstream.answering { request in
            // The first is answered last.
            if request.start.contains("slow") { try await Task.sleep(for: .milliseconds(200)) }
            return TestUpstream.ok(request.start)
        }
        try await withClient(upstream) { client, _, _ in
            let streams = (0..<50).map { UInt32($0 * 2 + 1) }
            for stream in streams {
                let path = stream == 1 ? "/token/validate?slow" : "/token/validate?n=\(stream)"
                try await client.send(client.headers(path, stream: stream))
            }
            let answers = try await client.answers(streams)
            for stream in streams.dropFirst() {
                #expect(answers[stream]?.body == "GET /token/validate?n=\(stream) HTTP/1.1")
            }
            #expect(answers[1]?.body == "GET /token/validate?slow HTTP/1.1")
        }
    }

    @Test(arguments: [
        ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 200),
        ("GET", "HTTP/1.1 204 No Content\r\n\r\n", 204),
        ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", 304),
        ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200),
    ])
    func responseWithoutBody_endsWithItsHeaders(method: String, response: String, status: Int) async throws {
        let upstream = try await TestUpstream.answering { _ in response }
        try await withClient(upstream) { client, _, _ in
            try await client.send(client.headers("/token/validate", method: method, stream: 1))
            let answer = try await client.answer(1)
            #expect(answer.status == status && answer.isEnded && answer.body == "")
            if method == "HEAD" { #expect(answer.fields["content-length"] == "5") }
        }
    }

    @Test func chunkedResponse_losesItsFraming() async throws {
        let upstream = try await TestUpstream.answering { _ in
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n"
        }
        try await withClient(upstream) { client, _, _ in
            try await client.send(client.headers("/token/validate", stream: 1))
            let answer = try await client.answer(1)
            #expect(answer.body == "helloworld" && answer.isEnded)
            #expect(answer.fields["transfer-encoding"] == nil)
        }
    }

    @Test func largeResponse_waitsForWindow() async throws {
        let text = String(repeating: "x", count: 1_000_000)
        let upstream = try await TestUpstream.answering { _ in TestUpstream.ok(text) }
        try await withClient(upstream) { client, _, _ in
            try await client.send(client.headers("/token/validate", stream: 1))
            #expect(try await client.answer(1).body == text)
        }
    }

    @Test func refusedUpload_isAnswered_andItsRestIsNotRead() async throws {
        try await withClient(configure: { $0.limits.documentSize = 1000 }) { client, upstream, _ in
            try await client.send(client.headers("/auth/login", method: "POST", stream: 1, ends: false))
            try await client.send(client.data(String(repeating: "x", count: 2000), stream: 1))
            let answer = try await client.answers([1]) { $0[1]?.isEnded == true && $0[1]?.reset != nil }[1]
            #expect(answer?.status == 413 && answer?.reset == 0, "NO_ERROR")
            try await client.send(client.headers("/token/validate", stream: 3))
            #expect(try await client.answer(3).status == 200)
            #expect(upstream.requests.count == 1)
        }
    }

    @Test func expectation_isAnsweredByContinue() async throws {
        try await withClient { client, upstream, _ in
            let fields = [("expect", "100-continue"), ("content-length", "5")]
            try await client.send(client.headers("/auth/login", method: "POST", stream: 1, fields, ends: false))
            let interim = try await client.answers([1]) { $0[1]?.status != nil }[1]
            #expect(interim?.status == 100)
            try await client.send(client.data("hello", stream: 1, ends: true))
            #expect(try await client.answer(1).status == 200)
            #expect(upstream.requests.map(\.body) == ["hello"])
        }
    }

    @Test func cancelledRequest_closesItsConnectionToTheService() async throws {
        let upstream = try await TestUpstream.answering { request in
            if request.start.contains("slow") { try await Task.sleep(for: .seconds(60)) }
            return TestUpstream.ok("")
        }
        try await withClient(upstream) { client, _, gateway in
            try await client.send(client.headers("/token/validate?slow", stream: 1))
            try await gateway.waitForOutstanding(1, to: .auth)
            try await client.send(.init(kind: .reset, stream: 1, payload: ByteBuffer(integer: UInt32(8))))
            try await gateway.waitForOutstanding(0, to: .auth)
            try await client.send(client.headers("/token/validate", stream: 3))
            #expect(try await client.answer(3).status == 200)
        }
    }

    @Test func drain_announcesTheEnd_andAnswersWhatIsInFlight() async throws {
        let release = Rendezvous(2)
        let upstream = try await TestUpstream.answering { request in
            if request.start.contains("slow") { await release.arrive() }
            return TestUpstream.ok("last")
        }
        try await withClient(upstream) { client, _, gateway in
            try await client.send(client.headers("/token/validate?slow", stream: 1))
            try await gateway.waitForOutstanding(1, to: .auth)
            await gateway.shutDown()
            async let answer = client.answer(1)
            await release.arrive()
            #expect(try await answer.body == "last")
            #expect(await client.goAway() != nil || client.connection.isEnded)
        }
    }

    @Test func connectionWithOpenStream_outlivesIdleTime() async throws {
        let release = Rendezvous(2)
        let upstream = try await TestUpstream.answering { _ in
            await release.arrive()
            return TestUpstream.ok("late")
        }
        try await withClient(upstream) {
            $0.limits.idleTime = .seconds(1)
        } _: { client, _, gateway in
            try await client.send(client.headers("/token/validate", stream: 1))
            try await gateway.waitForOutstanding(1, to: .auth)
            try await Task.sleep(for: .seconds(3))
            await release.arrive()
            #expect(try await client.answer(1).body == "late")
        }
    }

    @Test func connectionWithoutAnyRequest_isClosedWhenIdle() async throws {
        try await withClient {
            $0.limits.idleTime = .seconds(2)
            $0.limits.answerTime = .milliseconds(500)
        } _: { client, _, _ in
            #expect(await client.goAway(answersPings: false) == 0)
        }
    }

    @Test func connectionAfterRequest_isClosedWhenIdle() async throws {
        try await withClient {
            // A busy machine takes a while from the handshake to the request.
            $0.limits.idleTime = .seconds(5)
        } _: { client, _, _ in
            try await client.send(client.headers("/token/validate", stream: 1))
            #expect(try await client.answer(1).status == 200)
            #expect(await client.goAway() == 0)
        }
    }
}
