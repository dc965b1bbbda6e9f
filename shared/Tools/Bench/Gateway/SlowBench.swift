import AppClients
import FoundationEssentials
import Glibc
import NIOCore
import PostgresServer
import StackKit
import Values

/// What one slow copy of three costs the requests to a service: it is stopped nine tenths of the time, or for good in
/// the middle of a round. Rounds alternate, and each copy is the slow one in turn. Percentiles are the medians of those of
/// the rounds, which other work on the machine disturbs in different ways.
///
/// The gateway sends a read without an answer after 0.1 s, or `HEDGE_AFTER` of the environment, to a second copy. A
/// write that a stopped copy has got fails when the gateway's limit for answers is reached: it may have taken effect,
/// and is not sent to another copy.
struct SlowBench: BenchSuite {
    let name = "slow"
    let summary =
        "reads and writes at 40 % of capacity beside one copy of three that is stopped again and again, or for good"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    private static let copies = 3
    private static let rounds = 5
    /// The part of the capacity that is used.
    private static let load = 0.4
    private static let stopped = Duration.milliseconds(90)
    private static let running = Duration.milliseconds(10)
    private static let warmUp = Duration.seconds(1)

    enum Condition: String, CaseIterable {
        case healthy = "three healthy copies"
        case slow = "one is stopped for 90 of each 100 ms"
        case dead = "one is stopped for good"
    }

    /// The answers of a round.
    private typealias Answers = [SlowLoad.Kind: [BurstLoad.Answer]]

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(16_384)
        return try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let settings = ["HEDGE_AFTER": ProcessInfo.processInfo.environment["HEDGE_AFTER"] ?? "0.1"]
            let fixture = try GatewayFixture(
                "community",
                bench,
                database,
                copies: Self.copies,
                gateway: settings
            )
            return try await fixture.withPrograms { try await measure(fixture, bench) }
        }
    }

    private func measure(_ fixture: GatewayFixture, _ bench: BenchContext) async throws -> [BenchResult] {
        let processes = fixture.processes
        guard processes.count == Self.copies else { throw StackError("\(processes.count) copies run") }
        let load = try await SlowLoad(fixture)
        bench.report("measuring the capacity")
        _ = try await load.capacity(for: Self.warmUp)
        let capacity = try await load.capacity(for: bench.duration)
        let rate = capacity * Self.load
        bench.report("\(Figure.text(rate)) requests a second, of \(Figure.text(capacity))")
        var answers: [Condition: [Answers]] = [:]
        for round in 0..<Self.rounds {
            let process = processes[round % processes.count]
            for condition in Condition.allCases {
                bench.report("round \(round + 1) of \(Self.rounds): \(condition.rawValue)")
                try await waitUntil("all copies are used", every: .milliseconds(100)) {
                    try await fixture.usesAllCopies()
                }
                _ = try await load.answers(rate: rate, for: Self.warmUp)
                answers[condition, default: []].append(
                    try await self.answers(condition, process, load, rate: rate, for: bench.duration)
                )
            }
        }
        return results(answers, capacity)
    }

    private func answers(
        _ condition: Condition,
        _ process: Int32,
        _ load: SlowLoad,
        rate: Double,
        for duration: Duration
    ) async throws -> Answers {
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let stopping = Task {
            for await _ in begun {}
            switch condition {
            case .healthy: break
            case .slow:
                while !Task.isCancelled {
                    kill(process, SIGSTOP)
                    try? await Task.sleep(for: Self.stopped)
                    kill(process, SIGCONT)
                    try? await Task.sleep(for: Self.running)
                }
            case .dead:
                try? await Task.sleep(for: duration / 2)
                kill(process, SIGSTOP)
            }
        }
        let outcome: Result<Answers, any Error>
        do {
            outcome = .success(try await load.answers(rate: rate, for: duration) { begins.finish() })
        } catch {
            begins.finish()
            outcome = .failure(error)
        }
        stopping.cancel()
        await stopping.value
        kill(process, SIGCONT)
        return try outcome.get()
    }

    // MARK: Figures

    private func results(_ answers: [Condition: [Answers]], _ capacity: Double) -> [BenchResult] {
        var results = [BenchResult(name: "capacity", unit: "requests/s", ours: capacity)]
        for (kind, title) in [(SlowLoad.Kind.read, "reads"), (.write, "writes")] {
            let rounds = answers.mapValues { $0.map { Self.times($0[kind] ?? []) } }
            for condition in Condition.allCases {
                results += figures(
                    rounds[condition] ?? [],
                    "\(title), \(condition.rawValue)",
                    beside: condition == .healthy ? nil : rounds[.healthy],
                    isGoal: kind == .read
                )
                let all = (answers[condition] ?? []).flatMap { $0[kind] ?? [] }
                // A write that the dead copy has got is not sent to another one.
                results.append(
                    BenchResult(
                        name: "  failed of \(all.count)",
                        unit: title,
                        ours: Double(all.count { !$0.isGood }),
                        goal: kind == .write && condition == .dead ? nil : .atMost(0)
                    )
                )
            }
        }
        return results
    }

    /// - Parameters:
    ///   - rounds: Milliseconds of each round, ascending.
    ///   - healthy: The same without a slow copy; nil for these themselves.
    ///   - isGoal: Whether the 99th percentile may not be much larger than without a slow copy.
    private func figures(
        _ rounds: [[Double]],
        _ title: String,
        beside healthy: [[Double]]?,
        isGoal: Bool
    ) -> [BenchResult] {
        [
            BenchResult(name: "\(title): p50", unit: "ms", ours: BenchResult.median(rounds.map(BenchResult.median))),
            BenchResult(
                name: "  p99",
                unit: "ms",
                ours: Self.p99(rounds),
                yardstick: healthy.map { .init(name: "three healthy copies", value: Self.p99($0)) },
                goal: isGoal && healthy != nil ? .ratioAtMost(1.5) : nil
            ),
            BenchResult(name: "  longest", unit: "ms", ours: rounds.compactMap(\.last).max() ?? 0),
        ]
    }

    /// Milliseconds, ascending; those of failed requests are among them.
    private static func times(_ answers: [BurstLoad.Answer]) -> [Double] {
        answers.map { Double($0.time.nanoseconds) / 1_000_000 }.sorted()
    }

    private static func p99(_ rounds: [[Double]]) -> Double {
        BenchResult.median(rounds.map { $0.isEmpty ? 0 : $0[$0.count * 99 / 100] })
    }
}
