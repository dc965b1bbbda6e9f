import Contracts
import NIOCore
import TestKit
import Testing

@testable import Gateway

/// Clients behind a trusted proxy, which is the test's connection.
@Suite(.timeLimit(.minutes(1)))
struct ProxiedClientTests {
    private func withGateway(
        _ source: TrustedProxies.Source = .forwardedFor,
        from network: String = "127.0.0.0/8",
        configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ test: (TestGateway, TestUpstream) async throws -> Void
    ) async throws {
        let upstream = try await TestUpstream.answering()
        let services = Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, [upstream]) })
        let proxies = try #require(TrustedProxies(networks: [network], source: source))
        try await TestGateway.run(
            services,
            configure: {
                $0.proxies = proxies
                configure(&$0)
            },
            test: { try await test($0, upstream) }
        )
    }

    private static func get(_ fields: String = "") -> String {
        "GET /token/validate HTTP/1.1\r\nHost: h\r\n\(fields)\r\n"
    }

    private static let header = "PROXY TCP4 203.0.113.7 127.0.0.1 4711 80\r\n"

    @Test func requestsOfOneConnection_haveAddressesOfTheirOwn() async throws {
        try await withGateway { gateway, upstream in
            let connection = try await gateway.connect()
            for address in ["203.0.113.7", "203.0.113.8", "2001:db8::7"] {
                try await connection.send(Self.get("X-Forwarded-For: 1.1.1.1, \(address)\r\n"))
                #expect(await connection.readMessage()?.status == 200)
            }
            // The proxy itself, as in its health checks.
            try await connection.send(Self.get())
            #expect(await connection.readMessage()?.status == 200)
            let addresses = upstream.requests.map { $0["x-madang-client"] }
            #expect(addresses == [["203.0.113.7"], ["203.0.113.8"], ["2001:db8::7"], ["127.0.0.1"]])
            #expect(upstream.requests.allSatisfy { $0["x-forwarded-for"].isEmpty })
            await connection.close()
        }
    }

    @Test func rateLimit_isThatOfTheClient() async throws {
        try await withGateway {
            $0.rates.address = RateLimit(perSecond: 0.001, burst: 2)
        } _: { gateway, _ in
            for (last, status) in [(1, 200), (1, 200), (1, 429), (2, 200), (2, 200), (2, 429)] {
                let answer = try await gateway.exchange(Self.get("X-Forwarded-For: 203.0.113.\(last)\r\n"))
                #expect(answer?.status == status)
            }
        }
    }

    @Test func fieldsOfOthers_doNotCount() async throws {
        try await withGateway(from: "10.0.0.0/8") { gateway, upstream in
            let fields = "X-Forwarded-For: 1.1.1.1\r\nForwarded: for=1.1.1.1\r\nX-Madang-Client: 1.1.1.1\r\n"
            let answer = try await gateway.exchange(Self.get(fields))
            #expect(answer?.status == 200)
            #expect(upstream.requests.map { $0["x-madang-client"] } == [["127.0.0.1"]])
        }
    }

    @Test func proxyConnections_areNotThoseOfOneClient() async throws {
        try await withGateway {
            $0.connections.perAddress = 2
        } _: { gateway, _ in
            var connections: [RawConnection] = []
            for last in 1...10 {
                let connection = try await gateway.connect()
                try await connection.send(Self.get("X-Forwarded-For: 203.0.113.\(last)\r\n"))
                #expect(await connection.readMessage()?.status == 200)
                connections.append(connection)
            }
            for connection in connections { await connection.close() }
        }
    }

    private static func handshake(of client: String) -> String {
        """
        GET /seatcatcher HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-Forwarded-For: \(client)\r\n\r\n
        """
    }

    @Test func webSocketsOfOneClient_areBounded() async throws {
        let seats = try await TestUpstream.playing { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                try await connection.send(
                    """
                    HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                    Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n
                    """
                )
                _ = await connection.readToEnd()
                return await connection.close()
            }
        }
        let proxies = try #require(TrustedProxies(networks: ["127.0.0.1"]))
        try await TestGateway.run(
            [.seats: [seats]],
            configure: {
                $0.proxies = proxies
                $0.connections.perAddress = 2
            }
        ) { gateway in
            func open(_ client: String) async throws -> (connection: RawConnection, status: Int?) {
                let connection = try await gateway.connect()
                try await connection.send(Self.handshake(of: client))
                return (connection, await connection.readMessage()?.status)
            }
            let first = try await open("203.0.113.7")
            let others = try await [open("203.0.113.7"), open("203.0.113.7"), open("203.0.113.8")]
            #expect([first.status] + others.map(\.status) == [101, 101, 429, 101])
            await first.connection.close()
            try await eventually("there is room again") {
                let (connection, status) = try await open("203.0.113.7")
                await connection.close()
                return status == 101
            }
            for (connection, _) in others { await connection.close() }
        }
    }

    @Test func refusedHandshakes_areNoConnections() async throws {
        try await withGateway {
            $0.connections.perAddress = 2
        } _: { gateway, _ in
            let connection = try await gateway.connect()
            for _ in 1...5 {
                try await connection.send(Self.handshake(of: "203.0.113.7"))
                #expect(await connection.readMessage()?.status == 200)
            }
            await connection.close()
        }
    }

    @Test func proxyHeader_namesTheClient() async throws {
        try await withGateway(.proxyProtocol) { gateway, upstream in
            let connection = try await gateway.connect()
            // The header comes in two parts, and the second with the first request.
            try await connection.send(String(Self.header.prefix(20)))
            try await connection.send(Self.header.dropFirst(20) + Self.get("X-Forwarded-For: 1.1.1.1\r\n"))
            #expect(await connection.readMessage()?.status == 200)
            try await connection.send(Self.get())
            #expect(await connection.readMessage()?.status == 200)
            #expect(upstream.requests.map { $0["x-madang-client"] } == [["203.0.113.7"], ["203.0.113.7"]])
            await connection.close()
        }
    }

    @Test func connectionWithoutProxyHeader_isClosed() async throws {
        try await withGateway(.proxyProtocol) {
            $0.limits.headTime = .milliseconds(500)
        } _: { gateway, upstream in
            for bytes in [Self.get(), "PROXY TCP4 1.1.1.1\r\n" + Self.get(), "PROXY"] {
                #expect(try await gateway.exchange(bytes) == nil)
            }
            let silent = try await gateway.connect()
            #expect(await silent.readMessage() == nil)
            #expect(upstream.requests.isEmpty)
            try await eventually { gateway.gateway.core.clientLimits.count == 0 }
        }
    }

    @Test func proxyHeaderOfOthers_isNoRequest() async throws {
        try await withGateway(.proxyProtocol, from: "10.0.0.0/8") { gateway, upstream in
            let answer = try await gateway.exchange(Self.header + Self.get())
            #expect(answer?.status == 400)
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test func connectionsOfOneClient_areBoundedBehindProxyProtocol() async throws {
        try await withGateway(.proxyProtocol) {
            $0.connections.perAddress = 2
        } _: { gateway, _ in
            var connections: [RawConnection] = []
            for _ in 1...2 {
                let connection = try await gateway.connect()
                try await connection.send(Self.header + Self.get())
                #expect(await connection.readMessage()?.status == 200)
                connections.append(connection)
            }
            #expect(try await gateway.exchange(Self.header + Self.get()) == nil)
            await connections[0].close()
            try await eventually { try await gateway.exchange(Self.header + Self.get())?.status == 200 }
            await connections[1].close()
        }
    }
}
