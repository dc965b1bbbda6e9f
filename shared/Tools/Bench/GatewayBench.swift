import Authentication
import Crypto
import FoundationEssentials

/// The gateway compared with HAProxy: both verify an ES256 access token on every request and forward to the same nginx.
///
/// nginx, the load generator and the measured proxy have one thread each; neither proxy writes an access log. The load
/// alternates between many tokens, like many clients. Rounds alternate, so that other load on the machine affects both;
/// medians are compared.
struct GatewayBench: BenchSuite {
    let name = "gateway"
    let summary = "authenticated proxying beside HAProxy with jwt_verify, 1 KB answers, 32 connections"
    let tools = [
        BenchTool(command: "haproxy", package: "haproxy"),
        BenchTool(command: "nginx", package: "nginx-light"),
        BenchTool(command: "wrk", package: "wrk"),
    ]

    private static let rounds = 5
    private static let tokens = 300

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        let key = P256.Signing.PrivateKey()
        let fixture = try ProxyFixture(scratch: bench.scratch, executables: bench.executables, key: key)
        try fixture.writeFiles(tokens: try ProxyFixture.tokens(Self.tokens, signedBy: key))
        return try await fixture.withPrograms {
            bench.report("checking that all proxies answer, and refuse what they should")
            try await fixture.check()
            let seconds = max(1, Int(bench.duration / .seconds(1)) * 2 / Self.rounds)
            var figures: [ProxyFixture.Proxy: [ProxyFixture.Load]] = [:]
            for round in 1...Self.rounds {
                for proxy in ProxyFixture.Proxy.allCases {
                    bench.report("round \(round) of \(Self.rounds): \(proxy.rawValue)")
                    figures[proxy, default: []].append(try await fixture.load(proxy, seconds: seconds))
                }
            }
            return Self.results(
                rates: figures.mapValues { BenchResult.median($0.map(\.requestsPerSecond)) },
                latencies: figures.mapValues { BenchResult.median($0.map(\.latency)) }
            )
        }
    }

    private static func results(
        rates medians: [ProxyFixture.Proxy: Double],
        latencies: [ProxyFixture.Proxy: Double]
    ) -> [BenchResult] {
        let ours = medians[.gateway] ?? 0
        let added = { (proxy: ProxyFixture.Proxy) in (latencies[proxy] ?? .infinity) - (latencies[.gateway] ?? 0) }
        return [
            BenchResult(
                name: "authenticated proxying",
                unit: "requests/s",
                ours: ours,
                yardstick: .init(name: ProxyFixture.Proxy.checking.rawValue, value: medians[.checking] ?? 0),
                goal: .ratioAtLeast(1.5)
            ),
            BenchResult(
                name: "the same beside no check",
                unit: "requests/s",
                ours: ours,
                yardstick: .init(name: ProxyFixture.Proxy.trusting.rawValue, value: medians[.trusting] ?? 0)
            ),
            BenchResult(
                name: "with a span of each request exported",
                unit: "requests/s",
                ours: medians[.tracing] ?? 0,
                yardstick: .init(name: "the gateway without spans", value: ours),
                goal: .ratioAtLeast(0.97)
            ),
            BenchResult(
                name: "with every trace recorded, and one of 100 kept",
                unit: "requests/s",
                ours: medians[.keeping] ?? 0,
                yardstick: .init(name: "the gateway without spans", value: ours),
                goal: .ratioAtLeast(0.97)
            ),
            BenchResult(name: "p99 without spans", unit: "ms", ours: latencies[.gateway] ?? 0),
            BenchResult(
                name: "added to it, a span of each request exported",
                unit: "ms",
                ours: added(.tracing),
                goal: .atMost(1)
            ),
            BenchResult(
                name: "added to it, every trace recorded",
                unit: "ms",
                ours: added(.keeping),
                goal: .atMost(1)
            ),
        ]
    }
}
