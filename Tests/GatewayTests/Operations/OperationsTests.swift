import Contracts
import Logging
import TestKit
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1)))
struct OperationsTests {
    private func admin(_ gateway: TestGateway, _ path: String) async throws -> RawMessage? {
        let connection = try await RawConnection.connect(to: gateway.adminPort)
        try await connection.send("GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        let answer = await connection.readMessage()
        await connection.close()
        return answer
    }

    @Test func health_returnsBodyOfApp() async throws {
        try await TestGateway.run(configure: { $0.appHosts = ["moup.example": .moup] }) { gateway in
            let plain = try #require(await gateway.call("/health"))
            #expect(plain.status == 200 && plain.body == "ok")
            let moup = try await gateway.exchange("GET /health HTTP/1.1\r\nHost: moup.example\r\n\r\n")
            #expect(moup?.body == "OK")
            #expect(try await gateway.call("/healthz")?.body == "ok")
            #expect(try await gateway.call("/health", method: "HEAD")?.status == 200)
        }
    }

    @Test func appsWithoutKey_areLoggedAsWarnings() async throws {
        for (keys, apps) in [
            (["a": App.anlaka], ["culture CULTURE_KEYS"]), (["a": .anlaka, "b": .culture], []),
            ([:], ["anlaka ANLAKA_KEYS", "culture CULTURE_KEYS"]),
        ] as [([String: App], [String])] {
            let log = RecordedLog()
            try await TestGateway.run(log: log, configure: { $0.appKeys = keys }) { _ in }
            let warnings = log.lines.filter { $0.message.hasPrefix("app keys: an app has no key") }
            #expect(warnings.map { "\($0.metadata["app"] ?? "") \($0.metadata["setting"] ?? "")" } == apps)
            #expect(warnings.allSatisfy { $0.level == .warning })
        }
    }

    @Test func readiness_requiresPublishedKeys() async throws {
        struct Down: Error {}
        try await TestGateway.run(keys: { throw Down() }) { gateway in
            let answer = try #require(await gateway.call("/readyz"))
            #expect(answer.status == 503)
            #expect(try await admin(gateway, "/readyz")?.status == 503)
            #expect(try await gateway.call("/healthz")?.status == 200)
        }
        try await TestGateway.run { gateway in
            while try await gateway.call("/readyz")?.status != 200 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try await admin(gateway, "/readyz")?.body == "ready")
        }
    }

    @Test func metrics_areOnAdminPortOnly() async throws {
        let seats = try await TestUpstream.answering()
        try await TestGateway.run([.seats: [seats]]) { gateway in
            let token = try TestGateway.key.token()
            for _ in 0..<3 { _ = try await gateway.call("/stations", token: token) }
            #expect(try await gateway.call("/metrics")?.status == 404)
            let answer = try #require(await admin(gateway, "/metrics"))
            #expect(answer.status == 200)
        }
    }

    @Test func cors_allowsConfiguredOrigins() async throws {
        let seats = try await TestUpstream.answering { _ in
            TestUpstream.ok("{}", headers: "Access-Control-Allow-Origin: *\r\n")
        }
        try await TestGateway.run([.seats: [seats]], configure: { $0.corsOrigins = ["https://a.example"] }) { gateway in
            let token = try TestGateway.key.token()
            let ask = "Access-Control-Request-Method: PATCH\r\n"
            let preflight = try #require(
                await gateway.call("/credit", method: "OPTIONS", headers: "Origin: https://a.example\r\n\(ask)")
            )
            #expect(preflight.status == 204)
            #expect(preflight["access-control-allow-origin"] == ["https://a.example"])
            #expect(preflight["access-control-allow-methods"].first?.contains("PATCH") == true)
            let foreign = try #require(
                await gateway.call("/credit", method: "OPTIONS", headers: "Origin: https://b.example\r\n\(ask)")
            )
            #expect(foreign["access-control-allow-origin"].isEmpty && foreign["access-control-allow-methods"].isEmpty)

            let call = try #require(
                await gateway.call("/stations", token: token, headers: "Origin: https://a.example\r\n")
            )
            #expect(call["access-control-allow-origin"] == ["https://a.example"])
            #expect(call["vary"] == ["Origin"])
            let other = try #require(
                await gateway.call("/stations", token: token, headers: "Origin: https://b.example\r\n")
            )
            #expect(other["access-control-allow-origin"].isEmpty, "the service's own header is removed")
            let refused = try #require(await gateway.call("/stations", headers: "Origin: https://a.example\r\n"))
            #expect(refused.status == 401)
            #expect(refused["access-control-allow-origin"] == ["https://a.example"])
        }
    }

    @Test func traceparentOfTrustedProxy_isContinuedOrReplaced() async throws {
        let seats = try await TestUpstream.answering()
        let proxies = try #require(TrustedProxies(networks: ["127.0.0.1"], source: .forwarded))
        try await TestGateway.run([.seats: [seats]], configure: { $0.proxies = proxies }) { gateway in
            let token = try TestGateway.key.token()
            let trace = "0af7651916cd43dd8448eb211c80319c"
            func forwarded(_ parent: String) async throws -> [Substring] {
                _ = try await gateway.call("/stations", token: token, headers: "traceparent: \(parent)\r\n")
                return try #require(seats.requests.last)["traceparent"].first?.split(separator: "-") ?? []
            }
            let good = try await forwarded("00-\(trace)-b7ad6b7169203331-00")
            #expect(good.count == 4 && good[1] == trace && good[2] != "b7ad6b7169203331" && good[3] == "00")
            #expect(try #require(seats.requests.last)["x-request-id"] == [String(good[2])])
            for bad in [
                "", "x", "01-\(trace)-b7ad6b7169203331-01", "00-\(trace.uppercased())-b7ad6b7169203331-01",
                "00-\(String(repeating: "0", count: 32))-b7ad6b7169203331-01", "00-\(trace)-0000000000000000-01",
                "00-\(trace)-b7ad6b7169203331-01-x", "00_\(trace)-b7ad6b7169203331-01",
            ] {
                let new = try await forwarded(bad)
                #expect(new.count == 4 && new[1].utf8.count == 32 && new[1] != trace)
            }
        }
    }

    @Test func start_portInUse_throwsPortTaken() async throws {
        try await TestGateway.run { gateway in
            await #expect(throws: PortTaken(port: gateway.port, setting: "PORT")) {
                try await TestGateway.run(configure: { $0.port = gateway.port }) { _ in }
            }
        }
    }

    @Test func start_adminPortInUse_ends_andThrowsPortTaken() async throws {
        try await TestGateway.run { gateway in
            await #expect(throws: PortTaken(port: gateway.adminPort, setting: "ADMIN_PORT")) {
                try await TestGateway.run(configure: { $0.adminPort = gateway.adminPort }) { _ in }
            }
        }
    }
}
