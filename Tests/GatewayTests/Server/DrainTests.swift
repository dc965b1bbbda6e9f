import Contracts
import NIOCore
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import Gateway

/// Connections and requests during the drain after SIGTERM.
@Suite(.timeLimit(.minutes(1)))
struct DrainTests {
    private static let get = "GET /token/validate HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func endingGateway_isNotReadyAndServesForTheDelay() async throws {
        let auth = try await TestUpstream.answering()
        let notice = ShutdownNotice(lasting: .seconds(600))
        try await TestGateway.run([.auth: [auth]], configure: { $0.shutdown = notice }) { gateway in
            try await eventually { try await gateway.call("/readyz")?.status == 200 }
            await gateway.shutDown()
            try await eventually { try await gateway.call("/readyz")?.status == 503 }
            #expect(try await gateway.exchange(Self.get)?.status == 200)
            #expect(try await gateway.call("/healthz")?.status == 200)
            notice.end()
            while let late = try? await gateway.connect() { await late.close() }
        }
    }

    @Test func requestsInFlight_areCompleted() async throws {
        let go = Mutex(false)
        let auth = try await TestUpstream.answering { request in
            while !go.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
            return TestUpstream.ok("done \(request.body)")
        }
        try await TestGateway.run([.auth: [auth]]) { gateway in
            var connections: [RawConnection] = []
            for _ in 0..<20 {
                let connection = try await gateway.connect()
                try await connection.send("POST /token/refresh HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbo")
                connections.append(connection)
            }
            let waiting = try await gateway.connect()
            try await waiting.send(Self.get)
            try await gateway.waitForOutstanding(connections.count + 1, to: .auth)
            await gateway.shutDown()
            // The port is closed as soon as draining begins.
            while let late = try? await gateway.connect() {
                await late.close()
                try await Task.sleep(for: .milliseconds(5))
            }
            // A body that was on its way still arrives.
            for connection in connections { try await connection.send("dy") }
            go.withLock { $0 = true }
            for connection in connections + [waiting] {
                let answer = try #require(await connection.readMessage())
                #expect(answer.status == 200)
                #expect(answer.body.hasPrefix("done"))
                #expect(answer["connection"] == ["close"])
                #expect(await connection.readToEnd().isEmpty)
            }
        }
    }

    @Test func idleConnection_duringDrain_mayRequestOnce() async throws {
        let auth = try await TestUpstream.answering()
        try await TestGateway.run([.auth: [auth]], configure: { $0.limits.drainIdleTime = .seconds(10) }) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(Self.get)
            #expect(await connection.readMessage()?.status == 200)
            await gateway.shutDown()
            while let late = try? await gateway.connect() { await late.close() }
            try await connection.send(Self.get)
            let answer = try #require(await connection.readMessage())
            #expect(answer.status == 200 && answer["connection"] == ["close"])
        }
    }

    @Test func slowRequest_afterDrainTime_isCutOff() async throws {
        let auth = try await TestUpstream.answering { _ in
            try await Task.sleep(for: .seconds(600))
            return TestUpstream.ok("never")
        }
        try await TestGateway.run([.auth: [auth]], configure: { $0.drainTime = .milliseconds(200) }) { gateway in
            let connection = try await gateway.connect()
            try await connection.send(Self.get)
            while auth.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            await gateway.shutDown()
            #expect(await connection.readToEnd().isEmpty)
        }
    }
}
