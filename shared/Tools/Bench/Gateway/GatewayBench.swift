import Authentication
import Crypto
import FoundationEssentials

/// The gateway compared with HAProxy: both verify an ES256 access token on every request and forward to the same nginx.
///
/// nginx, the load generator and the measured proxy have one thread each; neither proxy writes an access log. The load
/// alternates between many tokens, like many clients. All are measured in turn (`Rounds`).
struct GatewayBench: BenchSuite {
    let name = "gateway"
    let summary = "authenticated proxying beside HAProxy with jwt_verify, 1 KB answers, 32 connections"
    let tools = [
        BenchTool(command: "haproxy", package: "haproxy"),
        BenchTool(command: "nginx", package: "nginx-light"),
        BenchTool(command: "wrk", package: "wrk"),
    ]

    private static let tokens = 300

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        let key = P256.Signing.PrivateKey()
        let fixture = try ProxyFixture(scratch: bench.scratch, executables: bench.executables, key: key)
        try fixture.writeFiles(tokens: try ProxyFixture.tokens(Self.tokens, signedBy: key))
        return try await fixture.withPrograms {
            bench.report("checking that all proxies answer, and refuse what they should")
            try await fixture.check()
            let rounds = try await bench.interleave(ProxyFixture.Proxy.allCases, name: \.rawValue) {
                try await fixture.load($0, seconds: bench.secondsOfRound)
            }
            return Self.results(rounds)
        }
    }

    private static func results(_ rounds: Rounds<ProxyFixture.Proxy, ProxyFixture.Load>) -> [BenchResult] {
        let rate = { (proxy: ProxyFixture.Proxy) in rounds.samples(of: proxy, \.requestsPerSecond) }
        let latency = { (proxy: ProxyFixture.Proxy) in rounds.samples(of: proxy, \.latency) }
        let added = { (proxy: ProxyFixture.Proxy) in latency(proxy).subtracting(latency(.gateway)) }
        return [
            BenchResult(
                name: "authenticated proxying",
                unit: "requests/s",
                samples: rate(.gateway),
                yardstick: .init(name: ProxyFixture.Proxy.checking.rawValue, samples: rate(.checking)),
                goal: .ratioAtLeast(4.5)
            ),
            BenchResult(
                name: "the same beside no check",
                unit: "requests/s",
                samples: rate(.gateway),
                yardstick: .init(name: ProxyFixture.Proxy.trusting.rawValue, samples: rate(.trusting)),
                goal: .ratioAtLeast(1)
            ),
            BenchResult(
                name: "with a span of each request exported",
                unit: "requests/s",
                samples: rate(.tracing),
                yardstick: .init(name: "the gateway without spans", samples: rate(.gateway)),
                goal: .ratioAtLeast(0.97)
            ),
            BenchResult(
                name: "with every trace recorded, and one of 100 kept",
                unit: "requests/s",
                samples: rate(.keeping),
                yardstick: .init(name: "the gateway without spans", samples: rate(.gateway)),
                goal: .ratioAtLeast(0.97)
            ),
            BenchResult(name: "p99 without spans", unit: "ms", samples: latency(.gateway)),
            BenchResult(
                name: "added to it, a span of each request exported",
                unit: "ms",
                samples: added(.tracing),
                goal: .atMost(1)
            ),
            BenchResult(
                name: "added to it, every trace recorded",
                unit: "ms",
                samples: added(.keeping),
                goal: .atMost(1)
            ),
        ]
    }
}
