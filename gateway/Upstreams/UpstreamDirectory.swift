import AsyncHTTPClient
import Contracts
import Glibc
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Tracks the addresses of every service and their readiness, by periodic name resolution and calls of `/readyz`.
final class UpstreamDirectory: Service {
    private let configured: [ServiceName: [UpstreamAddress]]
    private let sockets: String
    private let loops: EventLoopContexts
    private let http: HTTPClient
    private let logger: Logger
    private let endpoints = Mutex<[ServiceName: [Endpoint]]>([:])
    private let threads = NIOThreadPool(numberOfThreads: 1)

    private static let interval = Duration.milliseconds(250)
    /// The numbers of intervals between two checks of an address whose service has another one, to which its requests and
    /// WebSockets could go, and of any other. One that has just failed a check is checked at every interval.
    private static let rounds = (several: 3, lone: 8)
    private static let timeout = TimeAmount.seconds(1)
    /// The time without an acknowledgement after which a host is unreachable, in milliseconds. It is shorter than
    /// `timeout`, and the requests are so short that a receive window never keeps them back.
    private static let unreachableAfter = 800
    /// Linux measures from the first repetition by a timeout, which follows that by a probe (RFC 8985 §7), 400 ms after the request.
    private static let unreachableAfterRepetition = unreachableAfter - 400

    /// - Parameter sockets: `SERVICE_SOCKETS`.
    init(
        _ configured: [ServiceName: [UpstreamAddress]],
        sockets: String,
        loops: EventLoopContexts,
        group: any EventLoopGroup,
        logger: Logger
    ) {
        self.configured = configured
        self.sockets = sockets
        self.loops = loops
        self.logger = logger
        var configuration = InternalClient.connections
        configuration.timeout.connect = .milliseconds(Int64(Self.unreachableAfter))
        configuration.http1_1ConnectionDebugInitializer = { channel in
            let option = NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)
            return channel.setOption(.tcpOption(option), value: Self.unreachableAfterRepetition)
        }
        http = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
    }

    /// The current addresses.
    var current: [ServiceName: [Endpoint]] {
        endpoints.withLock { $0 }
    }

    /// Whether every service with addresses has one that a check has found ready, or all were checked.
    var isChecked: Bool {
        let known = current
        return configured.keys.allSatisfy { service in
            let endpoints = known[service] ?? []
            return !endpoints.isEmpty
                && (endpoints.contains(where: \.isServing) || endpoints.allSatisfy(\.isChecked))
        }
    }

    func run() async throws {
        threads.start()
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                var round = 0
                while !Task.isCancelled {
                    if round.isMultiple(of: Self.rounds.lone) { await self.resolveAll() }
                    for endpoint in self.due(in: round) where endpoint.beginCheck() {
                        group.addTask { await self.check(endpoint) }
                    }
                    round += 1
                    try? await Task.sleep(for: Self.interval)
                }
            }
        }
        try await http.shutdown()
        try await threads.shutdownGracefully()
    }

    /// The addresses to check.
    private func due(in round: Int) -> [Endpoint] {
        current.values.flatMap { endpoints in
            let isLone = endpoints.count(where: \.hasServed) < 2
            return endpoints.filter { endpoint in
                let rounds = isLone || !endpoint.hasServed ? Self.rounds.lone : Self.rounds.several
                return round.isMultiple(of: rounds) || !isLone && endpoint.isDoubtful
            }
        }
    }

    private func resolveAll() async {
        await withDiscardingTaskGroup { group in
            for (service, addresses) in configured { group.addTask { await self.resolve(service, addresses) } }
        }
    }

    private func resolve(_ service: ServiceName, _ names: [UpstreamAddress]) async {
        var addresses: [SocketAddress] = []
        for name in names {
            do {
                addresses += try await name.resolve(on: threads)
            } catch {
                logger.debug("upstreams: name resolution failed", error: error, metadata: ["service": "\(service)"])
            }
        }
        let known = current[service] ?? []
        // A temporary resolver failure does not remove any address.
        guard !addresses.isEmpty, Set(addresses) != Set(known.map(\.address)) else { return }
        let new = Set(addresses).map { address in
            known.first { $0.address == address } ?? Endpoint(service, at: address, sockets: sockets)
        }
        endpoints.withLock { $0[service] = new }
        loops.forEach { $0.update(service, new) }
    }

    private func check(_ endpoint: Endpoint) async {
        let readiness = await readiness(endpoint)
        defer { if endpoint.failing != nil { loops.forEach { $0.tick() } } }
        // Silence is no news where no copy has ever been ready, as at the address of the next one.
        guard endpoint.checked(readiness), readiness != .silent || endpoint.hasServed else { return }
        logger.notice(
            "upstreams: service is \(readiness)",
            metadata: ["service": "\(endpoint.service)", "address": "\(endpoint.name)"]
        )
    }

    private func readiness(_ endpoint: Endpoint) async -> Endpoint.Readiness {
        let request = HTTPClientRequest(url: "http://\(endpoint.name)/readyz")
        do {
            let response = try await http.execute(request, timeout: Self.timeout)
            _ = try? await response.body.collect(upTo: 64 * 1024)
            return response.status == .ok ? .ready : .unready
        } catch {
            return error.isOfUnreachableHost ? .unreachable : .silent
        }
    }
}

extension Error {
    /// Whether what was sent was not acknowledged, as opposed to a host that refuses a connection, or a process that does
    /// not answer.
    fileprivate var isOfUnreachableHost: Bool {
        switch self as any Error {
        case let error as HTTPClientError: error == .connectTimeout
        case let error as IOError: [ETIMEDOUT, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode)
        case ChannelError.connectTimeout: true
        case let error as NIOConnectionError: error.connectionErrors.contains(where: \.error.isOfUnreachableHost)
        default: false
        }
    }
}
