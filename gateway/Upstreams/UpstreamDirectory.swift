import AsyncHTTPClient
import Contracts
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import Synchronization

/// Tracks the addresses of every service and their readiness, by periodic name resolution and calls of `/readyz`.
final class UpstreamDirectory: Service {
    private let configured: [ServiceName: [UpstreamAddress]]
    private let loops: EventLoopContexts
    private let http: HTTPClient
    private let logger: Logger
    private let endpoints = Mutex<[ServiceName: [Endpoint]]>([:])
    private let threads = NIOThreadPool(numberOfThreads: 1)

    private static let interval = Duration.seconds(2)
    private static let timeout = TimeAmount.seconds(1)

    init(_ configured: [ServiceName: [UpstreamAddress]], loops: EventLoopContexts, http: HTTPClient, logger: Logger) {
        self.configured = configured
        self.loops = loops
        self.http = http
        self.logger = logger
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
            while !Task.isCancelled {
                await self.refresh()
                try? await Task.sleep(for: Self.interval)
            }
        }
        try await threads.shutdownGracefully()
    }

    /// Resolves all names and checks all addresses once.
    private func refresh() async {
        await withDiscardingTaskGroup { group in
            for (service, addresses) in configured {
                group.addTask {
                    await self.resolve(service, addresses)
                    for endpoint in self.current[service] ?? [] {
                        await self.check(endpoint)
                    }
                }
            }
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
            known.first { $0.address == address } ?? Endpoint(service, at: address)
        }
        endpoints.withLock { $0[service] = new }
        loops.forEach { $0.update(service, new) }
    }

    private func check(_ endpoint: Endpoint) async {
        let readiness = await readiness(endpoint)
        // Silence is no news where no copy has ever been ready, as at the address of the next one.
        guard endpoint.checked(readiness), readiness != .silent || endpoint.hasServed else { return }
        logger.notice(
            "upstreams: service is \(readiness)",
            metadata: ["service": "\(endpoint.service)", "address": "\(endpoint.name)"]
        )
    }

    private func readiness(_ endpoint: Endpoint) async -> Endpoint.Readiness {
        let request = HTTPClientRequest(url: "http://\(endpoint.name)/readyz")
        guard let response = try? await http.execute(request, timeout: Self.timeout) else { return .silent }
        _ = try? await response.body.collect(upTo: 64 * 1024)
        return response.status == .ok ? .ready : .unready
    }
}
