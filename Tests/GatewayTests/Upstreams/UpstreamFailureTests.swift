import Contracts
import NIOCore
import PostgresServer
import TestKit
import Testing

@testable import Gateway

/// What a client receives when a service fails.
@Suite(.timeLimit(.minutes(1)))
struct UpstreamFailureTests {
    private static let get = "GET /token/validate HTTP/1.1\r\nHost: h\r\n\r\n"
    private static let post = "POST /token/refresh HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi"

    /// A service that answers requests by number: nil ends the connection without an answer.
    private func service(_ answer: @escaping @Sendable (Int) -> String?) async throws -> (
        TestUpstream, @Sendable () -> Int
    ) {
        let count = Counter()
        let upstream = try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                guard let text = answer(count.next()) else { return await connection.close() }
                try await connection.send(text)
                if text.hasSuffix("CUT") { return await connection.reset() }
            }
            await connection.close()
        }
        return (upstream, { count.value })
    }

    @Test func absentService_returns503() async throws {
        try await TestGateway.run(absent: [.auth: try FreePort.find()]) { gateway in
            for call in ["/token/validate", "/home"] {
                let answer = try #require(await gateway.call(call, token: TestGateway.key.token(.moup)))
                #expect(answer.status == 503)
                #expect(answer["retry-after"] == ["1"])
            }
        }
    }

    @Test func concurrentRequests_beyondOpeningLimit_areAllServed() async throws {
        let service = try await TestUpstream.answering { _ in
            try await Task.sleep(for: .milliseconds(2))
            return TestUpstream.ok("ok")
        }
        let configure: (inout GatewayConfiguration) -> Void = {
            $0.threads = 1
            $0.limits.upstreamOpening = 1
        }
        try await TestGateway.run([.auth: [service]], configure: configure) { gateway in
            try await withThrowingTaskGroup(of: Int?.self) { group in
                for number in 0..<200 {
                    let request = number.isMultiple(of: 2) ? Self.get : Self.post
                    group.addTask { try await gateway.exchange(request)?.status }
                }
                for try await status in group { #expect(status == 200) }
            }
            #expect(service.requests.count == 200)
        }
    }

    @Test func connectionClosedBeforeResponse_returns503() async throws {
        let (auth, count) = try await service { _ in nil }
        try await TestGateway.run([.auth: [auth]]) { gateway in
            let answer = try await gateway.exchange(Self.get)
            #expect(answer?.status == 503)
            // The connection was new and not stale, so the request is not repeated.
            #expect(count() == 1)
        }
    }

    @Test func idempotentRequest_staleConnection_isRepeated() async throws {
        let (auth, count) = try await service { $0 == 1 ? nil : TestUpstream.ok("ok") }
        try await TestGateway.run([.auth: [auth]], configure: { $0.threads = 1 }) { gateway in
            let answers = [try await gateway.exchange(Self.get), try await gateway.exchange(Self.get)]
            #expect(answers.map { $0?.body } == ["ok", "ok"])
            #expect(count() == 3)
        }
    }

    @Test func largeHead_staleConnection_isRepeatedUnchanged() async throws {
        let (auth, count) = try await service { $0 == 1 ? nil : TestUpstream.ok("ok") }
        try await TestGateway.run([.auth: [auth]], configure: { $0.threads = 1 }) { gateway in
            _ = try await gateway.exchange(Self.get)
            let value = String(repeating: "x", count: 24 * 1024)
            let answer = try await gateway.call("/token/validate", headers: "X-Large: \(value)\r\n")
            #expect(answer?.body == "ok")
            #expect(count() == 3)
        }
    }

    @Test func nonIdempotentRequest_staleConnection_returns503() async throws {
        let (auth, count) = try await service { $0 == 1 ? nil : TestUpstream.ok("ok") }
        try await TestGateway.run([.auth: [auth]], configure: { $0.threads = 1 }) { gateway in
            let answers = [try await gateway.exchange(Self.get), try await gateway.exchange(Self.post)]
            #expect(answers.map { $0?.status } == [200, 503])
            #expect(count() == 2)
        }
    }

    @Test(
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalfCUT",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n5\r\nCUT",
            "HTTP/1.1 200 OK\r\n\r\nhalfCUT",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n",
        ]
    )
    func truncatedResponse_isNotCompleted(_ text: String) async throws {
        let (auth, _) = try await service { _ in text }
        try await TestGateway.run([.auth: [auth]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(Self.get + Self.get)
            let answer = await connection.readToEnd()
            #expect(!answer.hasSuffix("0\r\n\r\n"))
            #expect(answer.split(separator: "HTTP/1.1 ").count <= 1, "the next request was not answered")
        }
    }

    @Test(
        arguments: [
            "HTTP/2 200\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
            "rubbish\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na",
            "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        ]
    )
    func malformedResponse_returns503(_ text: String) async throws {
        let (auth, _) = try await service { _ in text }
        try await TestGateway.run([.auth: [auth]]) { gateway in
            let answer = try #require(await gateway.exchange(Self.get))
            #expect(answer.status == 503)
            #expect(answer.body.contains("SERVICE_UNAVAILABLE"))
        }
    }

    @Test func bytesAfterResponse_areNotNextResponse() async throws {
        let (auth, _) = try await service { TestUpstream.ok("\($0)") + ($0 == 0 ? TestUpstream.ok("evil") : "") }
        try await TestGateway.run([.auth: [auth]], configure: { $0.threads = 1 }) { gateway in
            let answers = [try await gateway.exchange(Self.get), try await gateway.exchange(Self.get)]
            #expect(answers.map { $0?.body } == ["0", "1"])
        }
    }

    @Test func silentService_returns504() async throws {
        let auth = try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                _ = await connection.readToEnd()
            }
        }
        try await TestGateway.run([.auth: [auth]], configure: { $0.limits.answerTime = .milliseconds(50) }) { gateway in
            let answer = try #require(await gateway.exchange(Self.get))
            #expect(answer.status == 504)
            #expect(answer["retry-after"] == ["1"])
        }
    }

    @Test func clientClose_closesUpstreamConnection() async throws {
        let left = AsyncStream<Void>.makeStream()
        let auth = try await TestUpstream.playing { connection in
            guard let request = await connection.readMessage() else { return }
            if try await TestUpstream.answerHealth(request, on: connection) { return }
            left.continuation.yield()
            _ = await connection.readToEnd()
            left.continuation.yield()
        }
        try await TestGateway.run([.auth: [auth]]) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(Self.get)
            var events = left.stream.makeAsyncIterator()
            await events.next()
            await connection.close()
            await events.next()
        }
    }

    @Test func requests_oneAddressDown_useOtherAddress() async throws {
        let (auth, count) = try await service { _ in TestUpstream.ok("ok") }
        try await TestGateway.run([.auth: [auth]], absent: [.auth: try FreePort.find()]) { gateway in
            // Until the first check marks the absent address as down, a refused connection is retried at the other.
            for _ in 0..<20 {
                let answer = try await gateway.exchange(Self.post)
                #expect(answer?.status == 200)
            }
            #expect(count() == 20)
        }
    }

    @Test func restartedService_isUsedAgain() async throws {
        let port = try FreePort.find()
        let first = try await TestUpstream.answering(port: port)
        try await TestGateway.run([.auth: [first]]) { gateway in
            #expect(try await gateway.exchange(Self.get)?.status == 200)
            await first.stop()
            while try await gateway.exchange(Self.post)?.status != 503 { try await Task.sleep(for: .milliseconds(20)) }
            let second = try await TestUpstream.answering(port: first.port)
            while try await gateway.exchange(Self.get)?.status != 200 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(second.requests.count == 1)
        }
    }
}
