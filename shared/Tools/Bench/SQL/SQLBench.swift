import Logging
import Postgres
import PostgresServer

/// The SQL client compared with pgbench: selects of one row by primary key, prepared and binary, over a Unix socket.
///
/// Both are measured in turn (`Rounds`).
struct SQLBench: BenchSuite {
    let name = "sql"
    let summary = "the SQL client beside pgbench, point select by primary key"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    var tasks = 64
    private static let clients = [1, 8, 16]
    /// The rows created by `pgbench -i`.
    private static let rows = 100_000

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try await bench.withPostgres { try await measure($0, bench) }
    }

    private func measure(_ server: PostgresServer, _ bench: BenchContext) async throws -> [BenchResult] {
        let pgbench = PGBench(program: "\(server.binaries)/pgbench", url: try server.adminURL())
        try await pgbench.initialize()
        let configuration = try PostgresConfiguration(url: pgbench.url, applicationName: "bench")
        let client = PostgresClient(configuration, logger: Logger(label: "bench"))
        let seconds = bench.secondsOfRound

        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            _ = try await select(with: client, for: .seconds(1))
            let rounds = try await bench.interleave(PoolContender.all(clients: Self.clients), name: \.name) {
                switch $0 {
                case .ours: try await select(with: client, for: .seconds(seconds))
                case .pgbench(let clients): try await pgbench.select(clients: clients, seconds: seconds)
                }
            }
            return [
                BenchResult(
                    name: "point select, \(tasks) tasks",
                    unit: "queries/s",
                    samples: rounds.samples(of: .ours),
                    yardstick: rounds.yardstick("-S -M prepared", clients: Self.clients),
                    goal: .ratioAtLeast(1.5)
                )
            ]
        }
    }

    /// The rows per second that Madang's client reads with many concurrent tasks.
    func select(with client: PostgresClient, for duration: Duration) async throws -> Double {
        let start = ContinuousClock.now
        let end = start + duration
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    var done = 0
                    var numbers = LinearCongruentialGenerator(state: UInt64(task))
                    while ContinuousClock.now < end {
                        let id = Int32.random(in: 1...Int32(Self.rows), using: &numbers)
                        _ = try await client.one("SELECT abalance FROM pgbench_accounts WHERE aid = \(id)") {
                            try $0.decode(Int32.self)
                        }
                        done += 1
                    }
                    return done
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(count) / ((.now - start) / .seconds(1))
    }
}

/// Random enough to spread over the rows, and as cheap as pgbench's own generator (Knuth's MMIX constants).
private struct LinearCongruentialGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}
