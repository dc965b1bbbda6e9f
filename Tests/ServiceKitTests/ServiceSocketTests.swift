import AsyncHTTPClient
import Configuration
import Contracts
import NIOCore
import PostgresServer
import ServiceKit
import ServiceLifecycle
import TestKit
import Testing

/// A service listens at a Unix socket as well as at its port.
@Suite(.timeLimit(.minutes(1))) struct ServiceSocketTests {
    /// Whether a service answers there.
    private static func isServing(_ address: String) async -> Bool {
        let request = HTTPClientRequest(url: "\(address)/healthz")
        // The client goes on to connect until the time is over.
        let response = try? await HTTPClient.shared.execute(request, timeout: .seconds(1))
        return response.map { "\($0.status)" == "200 OK" } ?? false
    }

    @Test func service_listensAtBoth_whenItIsPrepared() async throws {
        try await withTemporaryFolder { folder in
            var configuration = HostConfiguration(.seats, port: try FreePort.find())
            configuration.serviceSockets = folder
            let path = try #require(ServiceSocket.path(of: "seats", port: configuration.port, in: folder))
            let (preparation, prepared) = AsyncStream.makeStream(of: Void.self)
            let service = try ServiceHost.application(
                "seats",
                configuration: configuration,
                apiDocument: [],
                services: [],
                checks: [],
                logger: .quiet,
                prepare: { for await _ in preparation {} },
                routes: { _ in }
            )
            let group = ServiceGroup(services: [service], logger: .quiet)
            let addresses = [
                "http://127.0.0.1:\(configuration.port)", "http+unix://\(path.replacing("/", with: "%2F"))",
            ]
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                for address in addresses { #expect(await !Self.isServing(address)) }
                prepared.finish()
                for address in addresses {
                    try await eventually("\(address) answers") { await Self.isServing(address) }
                }
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
                for address in addresses { #expect(await !Self.isServing(address)) }
            }
        }
    }

    @Test func path_isOfAServiceWithAFixedPort() {
        #expect(ServiceSocket.path(of: "seats", port: 8102, in: "/run/madang") == "/run/madang/seats-8102.socket")
        #expect(ServiceSocket.path(of: "seats", port: 8102, in: "") == nil)
        #expect(ServiceSocket.path(of: "seats", port: 0, in: "/run/madang") == nil)
        // The path has 107 bytes, and 108.
        let folder = "/" + String(repeating: "x", count: 88)
        #expect(ServiceSocket.path(of: "seats", port: 8102, in: folder) != nil)
        #expect(ServiceSocket.path(of: "seats", port: 8102, in: folder + "x") == nil)
    }

    @Test(arguments: [("", true), ("/", true), ("/no/such/folder", false), ("/etc/passwd", false)])
    func setting_isAFolder(_ value: String, isGood: Bool) {
        let reader = ConfigReader(
            provider: EnvironmentVariablesProvider(environmentVariables: ["SERVICE_SOCKETS": value])
        )
        let read: (inout Settings) throws -> HostConfiguration = { HostConfiguration(.seats, &$0, port: 8102) }
        let configuration = try? Settings.read(from: reader, read)
        #expect(configuration?.serviceSockets == (isGood ? value : nil))
        guard !isGood else { return }
        let error = #expect(throws: SettingsError.self) { try Settings.read(from: reader, read) }
        #expect(error?.problems == ["SERVICE_SOCKETS must be an existing folder, or empty"])
    }
}
