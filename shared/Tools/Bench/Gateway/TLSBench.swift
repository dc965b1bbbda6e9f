import Crypto
import FoundationEssentials
import StackKit

/// The gateway compared with HAProxy and nginx, all of which end TLS 1.3 and HTTP/2 in front of the same nginx.
///
/// The gateway and one HAProxy verify an ES256 access token on every request. nginx behind, the load generator and the
/// measured proxy have one thread each; no proxy writes an access log. Rounds alternate, and medians are compared.
struct TLSBench: BenchSuite {
    let name = "tls"
    let summary = "TLS 1.3 and HTTP/2 beside HAProxy and nginx: requests, handshakes, memory of idle connections"
    let tools = [
        BenchTool(command: "haproxy", package: "haproxy"),
        BenchTool(command: "nginx", package: "nginx-light"),
        BenchTool(command: "h2load", package: "nghttp2-client"),
    ]

    private static let rounds = 5

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        let fixture = try TLSFixture(scratch: bench.scratch, executables: bench.executables)
        try fixture.writeFiles()
        return try await fixture.withPrograms {
            bench.report("checking that all proxies answer by HTTP/2, and refuse what they should")
            try await fixture.check()
            let seconds = max(1, Int(bench.duration / .seconds(1)) / Self.rounds)
            var requests: [TLSFixture.Proxy: [Double]] = [:]
            var handshakes: [TLSFixture.Proxy: [Double]] = [:]
            var memory: [TLSFixture.Proxy: Double] = [:]
            // At first, because memory that was used once is used again.
            for proxy in [TLSFixture.Proxy.gateway, .trusting] {
                bench.report("idle connections: \(proxy.rawValue)")
                memory[proxy] = try await fixture.memoryOfIdleConnection(proxy)
            }
            for round in 1...Self.rounds {
                for proxy in TLSFixture.Proxy.allCases {
                    bench.report("round \(round) of \(Self.rounds): \(proxy.rawValue)")
                    requests[proxy, default: []].append(try await fixture.requests(proxy, seconds: seconds))
                    handshakes[proxy, default: []].append(try await fixture.handshakes(proxy))
                }
            }
            return Self.results(requests, handshakes, memory)
        }
    }

    private static func results(
        _ requests: [TLSFixture.Proxy: [Double]],
        _ handshakes: [TLSFixture.Proxy: [Double]],
        _ memory: [TLSFixture.Proxy: Double]
    ) -> [BenchResult] {
        func beside(_ proxy: TLSFixture.Proxy, _ figures: [TLSFixture.Proxy: [Double]]) -> (
            Double, BenchResult.Yardstick
        ) {
            (
                BenchResult.median(figures[.gateway] ?? []),
                .init(name: proxy.rawValue, value: BenchResult.median(figures[proxy] ?? []))
            )
        }
        var results: [BenchResult] = []
        for (proxy, goal) in [(TLSFixture.Proxy.checking, 1.0), (.trusting, 0.8), (.nginx, 0.8)] {
            let (ours, yardstick) = beside(proxy, requests)
            let name = "requests by TLS 1.3 and HTTP/2"
            results.append(
                BenchResult(name: name, unit: "requests/s", ours: ours, yardstick: yardstick, goal: .ratioAtLeast(goal))
            )
        }
        for proxy in [TLSFixture.Proxy.trusting, .nginx] {
            let (ours, yardstick) = beside(proxy, handshakes)
            let name = "handshakes with one request each"
            results.append(
                BenchResult(name: name, unit: "1/s", ours: ours, yardstick: yardstick, goal: .ratioAtLeast(0.8))
            )
        }
        results.append(
            BenchResult(
                name: "memory of an idle TLS connection",
                unit: "kB",
                ours: memory[.gateway] ?? 0,
                yardstick: .init(name: "HAProxy", value: memory[.trusting] ?? 0),
                goal: .ratioAtMost(1.2)
            )
        )
        return results
    }
}
