import Contracts
import NIOCore
import ServiceKit
import TestKit
import Testing

@testable import Gateway

/// The gateway calls services on its host at their Unix sockets.
@Suite(.timeLimit(.minutes(1)))
struct ServiceSocketTests {
    private static let get = "GET /token/validate HTTP/1.1\r\nHost: h\r\n\r\n"

    /// Runs a gateway beside a service that listens at a socket, too, unless `isThere` is false.
    private func withGateway(
        _ service: ServiceName,
        _ upstream: TestUpstream,
        isThere: Bool = true,
        test: (TestGateway, _ path: String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = try #require(ServiceSocket.path(of: service.rawValue, port: upstream.port, in: folder))
            if isThere { try await upstream.listen(at: path) }
            let configure: (inout GatewayConfiguration) -> Void = {
                $0.threads = 1
                $0.serviceSockets = folder
                // A busy machine takes a while to read what a service has left.
                $0.limits.tunnelDrainTime = .seconds(20)
            }
            try await TestGateway.run([service: [upstream]], configure: configure) { try await test($0, path) }
        }
    }

    @Test func requests_goToTheSocket() async throws {
        let auth = try await TestUpstream.answering { TestUpstream.ok($0.start) }
        try await withGateway(.auth, auth) { gateway, _ in
            for _ in 0..<3 {
                let answer = try await gateway.exchange(Self.get)
                #expect(answer?.status == 200)
            }
            // One connection serves all of them.
            #expect(auth.socketCount == 1)
            #expect(auth.requests.count == 3)
        }
    }

    @Test(arguments: [false, true])
    func withoutASocket_requestsGoToThePort(isStale: Bool) async throws {
        let auth = try await TestUpstream.answering { TestUpstream.ok($0.start) }
        try await withGateway(.auth, auth, isThere: false) { gateway, path in
            if isStale {
                // Of a process that has died.
                let other = try await TestUpstream.answering()
                try await other.listen(at: path)
                await other.stop()
            }
            let answer = try await gateway.exchange(Self.get)
            #expect(answer?.status == 200)
            #expect(auth.socketCount == 0)
            #expect(auth.requests.count == 1)
        }
    }

    @Test func serviceThatEnds_isReplacedAtTheSameSocket() async throws {
        let auth = try await TestUpstream.answering { _ in TestUpstream.ok("first") }
        try await withGateway(.auth, auth) { gateway, path in
            let answer = try await gateway.exchange(Self.get)
            #expect(answer?.body == "first")
            await auth.stop()
            let next = try await TestUpstream.answering(port: auth.port) { _ in TestUpstream.ok("next") }
            try await next.listen(at: path)
            let second = try await gateway.exchange(Self.get)
            #expect(second?.body == "next")
            #expect(next.socketCount == 1)
        }
    }

    @Test func connectionClosedBeforeResponse_returns503() async throws {
        let auth = try await TestUpstream.playing { connection in
            guard let request = await connection.readMessage() else { return }
            if try await TestUpstream.answerHealth(request, on: connection) { return }
            await connection.close()
        }
        try await withGateway(.auth, auth) { gateway, _ in
            let answer = try await gateway.exchange(Self.get)
            #expect(answer?.status == 503)
        }
    }

    /// A response without a length ends with its connection, whose both directions a Unix socket closes at once.
    @Test func responseUntilTheEnd_isComplete() async throws {
        let text = String(repeating: "x", count: 3_000_000)
        let auth = try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                try await connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + text)
                return await connection.close()
            }
        }
        try await withGateway(.auth, auth) { gateway, _ in
            let answer = try await gateway.exchange(Self.get)
            #expect(answer?.body == text)
            #expect(auth.socketCount == 1)
        }
    }

    @Test func requestOfAClientThatLeaves_endsAtTheService() async throws {
        let isEnded = Counter()
        let auth = try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                _ = await connection.readToEnd()
                _ = isEnded.next()
            }
        }
        try await withGateway(.auth, auth) { gateway, _ in
            let connection = try await gateway.connect()
            try await connection.send(Self.get)
            try await gateway.waitForOutstanding(1, to: .auth)
            await connection.reset()
            try await eventually("the service knows") { isEnded.value == 1 }
        }
    }

    /// A service that accepts a WebSocket and then runs the script.
    private func service(_ script: @escaping TestUpstream.Script) async throws -> TestUpstream {
        try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                try await connection.send(WebSocketText.switching)
                return try await script(connection)
            }
        }
    }

    @Test func tunnel_carriesBothDirections_andHalfCloses() async throws {
        let seats = try await service(TestUpstream.echo)
        try await withGateway(.seats, seats) { gateway, _ in
            let connection = try await gateway.connect()
            try await connection.send(WebSocketText.handshake())
            #expect(await connection.readMessage()?.status == 101)
            for size in [1, 10_000, 1_000_000] {
                let text = String(repeating: "x", count: size)
                async let echo = connection.read { $0.readString(length: size) }
                try await connection.send(text)
                #expect(await echo == text)
            }
            try await connection.send("last")
            try await connection.closeOutput()
            #expect(await connection.readToEnd() == "last")
            #expect(seats.socketCount == 1)
        }
    }

    /// A Unix socket says at once that its peer has closed both directions, while the client has not taken everything.
    @Test func whatAServiceSendsBeforeItsEnd_reachesASlowClient() async throws {
        let text = String(repeating: "x", count: 4_000_000)
        let seats = try await service { connection in
            try await connection.send(text)
            await connection.close()
        }
        try await withGateway(.seats, seats) { gateway, _ in
            for number in 1...10 {
                let connection = try await gateway.connect(isReading: false)
                try await connection.send(WebSocketText.handshake())
                try await eventually("the tunnel is open") { seats.socketCount == number }
                async let received = Self.bytes(from: connection)
                try await connection.startReading()
                #expect(await received == text.utf8.count)
            }
        }
    }

    /// - Returns: The number of bytes between the handshake and the end.
    private static func bytes(from connection: RawConnection) async -> Int {
        _ = await connection.readMessage()
        return await connection.readToEnd().utf8.count
    }

    @Test func onlyServicesOfThisHost_haveASocket() throws {
        func socket(_ address: String, in folder: String = "/run/madang") throws -> String? {
            let address = try SocketAddress(ipAddress: address, port: 8102)
            return Endpoint(.seats, at: address, sockets: folder).socket?.pathname
        }
        #expect(try socket("127.0.0.1") == "/run/madang/seats-8102.socket")
        #expect(try socket("::1") == "/run/madang/seats-8102.socket")
        #expect(try socket("10.0.0.7") == nil)
        #expect(try socket("127.0.0.1", in: "") == nil)
        #expect(try socket("127.0.0.1", in: "/" + String(repeating: "x", count: 100)) == nil)
    }
}
