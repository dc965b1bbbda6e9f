import Logging
import Postgres
import PostgresServer

/// The SQL client compared with pgbench: selects of one row by primary key, prepared and binary, over a Unix socket.
///
/// Rounds of both alternate, so that other load on the machine affects both; the medians are compared.
struct SQLBench: BenchSuite {
    let name = "sql"
    let summary = "the SQL client beside pgbench, point select by primary key"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    private static let rounds = 5
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
        let seconds = max(1, Int(bench.duration.components.seconds) * 2 / Self.rounds)

        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            _ = try await select(with: client, for: .seconds(1))
            var ours: [Double] = []
            var theirs: [Int: [Double]] = [:]
            for round in 1...Self.rounds {
                bench.report("round \(round) of \(Self.rounds)")
                for clients in Self.clients {
                    theirs[clients, default: []].append(try await pgbench.select(clients: clients, seconds: seconds))
                }
                ours.append(try await select(with: client, for: .seconds(seconds)))
            }
            let best = theirs.mapValues(BenchResult.median).max { $0.value < $1.value }
            return [
                BenchResult(
                    name: "point select, \(tasks) tasks",
                    unit: "queries/s",
                    ours: BenchResult.median(ours),
                    yardstick: best.map {
                        .init(
                            name: "pgbench -S -M prepared, the best of 1, 8 and 16 clients (\($0.key))",
                            value: $0.value
                        )
                    },
                    goal: .ratioAtLeast(1.2)
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
