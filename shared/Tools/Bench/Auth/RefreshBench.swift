import AppClients
import FoundationEssentials
import Logging
import NIOCore
import Postgres
import PostgresServer
import StackKit

/// A burst of refreshes: 50 sessions with expired access tokens send 200 requests each, all at the same time, through
/// two gateways. Each session must be refreshed once, and every request must succeed, even if auth is killed during the
/// burst and restarted.
struct RefreshBench: BenchSuite {
    let name = "refresh"
    let summary = "10,000 requests of 50 sessions with expired access tokens through two gateways, at once"
    let tools = [
        BenchTool(command: "psql", package: "postgresql"), BenchTool(command: "nginx", package: "nginx"),
    ]

    private static let sessions = 50
    private static let requests = 200
    /// Sessions one after the other, all at once, and all at once while auth is killed.
    private static let rounds = 3
    /// The time between two sessions.
    private static let spacing = TimeAmount.milliseconds(40)

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(16_384)
        return try await bench.withPostgres { try await measure($0, bench) }
    }

    private func measure(_ server: PostgresServer, _ bench: BenchContext) async throws -> [BenchResult] {
        let database = Database(server: server)
        try await database.bootstrap()
        let fixture = try RefreshFixture(bench, database)
        return try await fixture.withPrograms {
            bench.report("signing in, with access tokens that live for a second")
            let pairs = try await fixture.withAuth(accessTime: 1) {
                let pairs = try await fixture.signIn(Self.sessions * Self.rounds)
                try await Task.sleep(for: .seconds(2))
                return pairs
            }
            bench.report("sending \(Self.requests) requests of each session at once, one session after the other")
            let (apart, calm, plain) = try await fixture.withAuth {
                let apart = try await Self.burst(fixture, Array(pairs.prefix(Self.sessions)), spacing: Self.spacing) {}
                bench.report("sending \(Self.sessions * Self.requests) requests at once")
                let rest = Array(pairs.dropFirst(Self.sessions).prefix(Self.sessions))
                let calm = try await Self.burst(fixture, rest) {}
                bench.report("the same with access tokens that are still alive")
                return (apart, calm, try await Self.burst(fixture, try await fixture.signIn(Self.sessions)) {})
            }
            bench.report("the same, with auth killed in the middle")
            let interrupted = try await Self.interruptedBurst(fixture, Array(pairs.suffix(Self.sessions)))
            let requests = BenchResult.Yardstick(name: "the same requests without a refresh", value: plain.last)
            return Self.results(", one after the other", apart, goal: .atMost(500))
                + Self.results(", all at once", calm, beside: requests, goal: .ratioAtMost(1.2))
                + Self.results(", auth killed", interrupted, goal: nil)
        }
    }

    private static func interruptedBurst(_ fixture: RefreshFixture, _ pairs: [ClientTokens]) async throws -> Outcome {
        let (starts, start) = AsyncStream<Void>.makeStream()
        let outcome = Task { try await Self.burst(fixture, pairs) { start.finish() } }
        try await fixture.withAuth(isKilled: true) {
            let before = try await fixture.rotations()
            for await _ in starts {}
            while try await fixture.rotations() - before < sessions / 5 {
                try await Task.sleep(for: .microseconds(500))
            }
        }
        return try await fixture.withAuth { try await outcome.value }
    }

    private struct Outcome {
        var rotations: Int
        var good: Int
        /// In milliseconds, ascending.
        var times: [Double]

        /// What 99 of 100 stay below.
        var last: Double { times[times.count * 99 / 100] }
    }

    private static func burst(
        _ fixture: RefreshFixture,
        _ pairs: [ClientTokens],
        spacing: TimeAmount = .nanoseconds(0),
        begins: @escaping @Sendable () -> Void
    ) async throws -> Outcome {
        let before = try await fixture.rotations()
        let burst = (0..<(requests * sessions)).map { number -> BurstLoad.Request in
            var request = fixture.request(of: pairs[number % sessions], at: (number / sessions) % 2)
            request.delay = spacing * (number % sessions)
            return request
        }
        let answers = try await BurstLoad.run(burst, timeout: .seconds(60), begins: begins)
        return Outcome(
            rotations: try await fixture.rotations() - before,
            good: answers.count(where: \.isGood),
            times: answers.map { Double($0.time.nanoseconds) / 1_000_000 }.sorted()
        )
    }

    private static func results(
        _ circumstance: String,
        _ outcome: Outcome,
        beside yardstick: BenchResult.Yardstick? = nil,
        goal: BenchResult.Goal?
    ) -> [BenchResult] {
        let (count, times) = (Double(sessions), outcome.times)
        return [
            BenchResult(
                name: "refreshes of \(sessions) sessions\(circumstance)",
                unit: "rotations",
                ours: Double(outcome.rotations),
                goal: .atMost(count)
            ),
            BenchResult(
                name: "requests that succeeded\(circumstance)",
                unit: "of \(times.count)",
                ours: Double(outcome.good),
                goal: .atLeast(Double(times.count))
            ),
            BenchResult(name: "median time\(circumstance)", unit: "ms", ours: times[times.count / 2]),
            BenchResult(
                name: "99 of 100 within\(circumstance)",
                unit: "ms",
                ours: outcome.last,
                yardstick: yardstick,
                goal: goal
            ),
        ]
    }
}
