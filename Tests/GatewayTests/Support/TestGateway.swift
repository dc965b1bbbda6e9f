import Authentication
import Contracts
import Crypto
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import TestKit

@testable import Gateway

/// A gateway that runs for a test, on ports that the system chooses.
struct TestGateway: Sendable {
    let gateway: Gateway
    let port: Int
    let adminPort: Int
    /// 0 without a certificate.
    let tlsPort: Int
    private let lifecycle: ServiceGroup
    private let hasEnded: AsyncStream<Void>

    /// Runs a gateway around a test.
    ///
    /// - Parameters:
    ///   - upstreams: the instances of each service.
    ///   - absent: the ports of services that do not listen.
    ///   - log: records the gateway's log; nothing is logged by default.
    ///   - fetch: returns the published keys; the one test key by default, nil for those of the auth service.
    static func run(
        _ upstreams: [ServiceName: [TestUpstream]] = [:],
        keys fetch: (@Sendable () async throws -> JWKS)? = { JWKS(keys: [TestGateway.key.jwk]) },
        absent: [ServiceName: Int] = [:],
        log: RecordedLog? = nil,
        configure: (inout GatewayConfiguration) -> Void = { _ in },
        test: (TestGateway) async throws -> Void
    ) async throws {
        var configuration = GatewayConfiguration()
        configuration.port = 0
        configuration.adminPort = 0
        configuration.tlsPort = 0
        configuration.threads = 2
        configuration.accessLog = false
        configuration.limits.tick = .milliseconds(20)
        // A busy machine takes longer than a gateway waits.
        configuration.limits.connectTime = .seconds(20)
        configuration.limits.moveTime = .seconds(100)
        configuration.limits.moveAttemptTime = .seconds(100)
        configuration.limits.drainIdleTime = .milliseconds(50)
        configuration.limits.tunnelDrainTime = .milliseconds(200)
        configuration.appKeys = ["anlaka-dev-key": .anlaka, "culture-dev-key": .culture]
        configuration.upstreams = upstreams.mapValues { $0.map { "http://127.0.0.1:\($0.port)" } }
        for (service, port) in absent {
            configuration.upstreams[service, default: []].append("http://127.0.0.1:\(port)")
        }
        configuration.drainTime = .seconds(20)
        configure(&configuration)

        var silent = Logger(label: "gateway")
        silent.logLevel = .critical
        let logger = log?.logger ?? silent
        let keys = fetch.map { PublishedKeys(coolDown: .milliseconds(50), logger: logger, fetch: $0) }
        let ports = AsyncStream<(String, Int)>.makeStream()
        let listening = GatewayService.Listening(
            onPublic: { ports.continuation.yield(("PORT", $0.port ?? 0)) },
            onTLS: { ports.continuation.yield(("TLS_PORT", $0.port ?? 0)) },
            onAdmin: { ports.continuation.yield(("ADMIN_PORT", $0.port ?? 0)) }
        )
        let expected = configuration.certificate == nil ? 2 : 3
        let gateway = try await GatewayService.build(configuration, logger: logger, keys: keys, listening: listening)
        let lifecycle = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                // A gateway ends by itself when it has given its connections away.
                services: [
                    .init(service: gateway, successTerminationBehavior: .gracefullyShutdownGroup),
                    .init(service: configuration.shutdown),
                ],
                logger: logger
            )
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (hasEnded, ends) = AsyncStream<Void>.makeStream()
            group.addTask {
                defer {
                    ports.continuation.finish()
                    ends.finish()
                }
                try await lifecycle.run()
            }
            var found: [String: Int] = [:]
            for await (setting, number) in ports.stream {
                found[setting] = number
                if found.count == expected { break }
            }
            guard found.count == expected, let port = found["PORT"], let adminPort = found["ADMIN_PORT"] else {
                return try await group.waitForAll()
            }
            let running = TestGateway(
                gateway: gateway,
                port: port,
                adminPort: adminPort,
                tlsPort: found["TLS_PORT"] ?? 0,
                lifecycle: lifecycle,
                hasEnded: hasEnded
            )
            try await running.waitForUpstreams(configuration.upstreams.mapValues(\.count))
            let result: Result<Void, any Error>
            do {
                try await TestTimes.measure { try await test(running) }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await lifecycle.triggerGracefulShutdown()
            try await group.waitForAll()
            try result.get()
        }
    }

    static let key = TestKey()

    /// Starts the graceful shutdown, as SIGTERM does.
    func shutDown() async { await lifecycle.triggerGracefulShutdown() }

    /// Waits until the gateway has ended by itself.
    func untilEnded() async { for await _ in hasEnded {} }

    func connect(isReading: Bool = true) async throws -> RawConnection {
        try await RawConnection.connect(to: port, isReading: isReading)
    }

    /// Sends one request on a connection of its own and reads the response.
    func exchange(_ request: String) async throws -> RawMessage? {
        let connection = try await connect()
        try await connection.send(request)
        let answer = await connection.readMessage(isBodyless: request.hasPrefix("HEAD "))
        await connection.close()
        return answer
    }

    /// `GET`, or another method, of a path with a token.
    func call(
        _ path: String,
        method: String = "GET",
        token: String? = nil,
        headers: String = "",
        body: String? = nil
    ) async throws -> RawMessage? {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let length = body.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
        return try await exchange(
            "\(method) \(path) HTTP/1.1\r\nHost: madang\r\n\(authorization)\(headers)\(length)\r\n\(body ?? "")"
        )
    }

    /// Waits until a number of requests to a service are forwarded and not answered.
    func waitForOutstanding(_ count: Int, to service: ServiceName) async throws {
        try await eventually("\(count) requests are forwarded") {
            let endpoints = gateway.directory.current[service] ?? []
            return endpoints.reduce(0) { $0 + $1.outstanding } == count
        }
    }

    private func waitForUpstreams(_ counts: [ServiceName: Int]) async throws {
        while true {
            let known = gateway.directory.current
            if counts.allSatisfy({ known[$0.key]?.count == $0.value }) { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        // The event loops have the addresses when they have run a task that was submitted later.
        _ = try await gateway.loops.map { _ in 0 }
    }
}
