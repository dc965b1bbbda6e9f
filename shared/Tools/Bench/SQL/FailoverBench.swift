import Logging
import Postgres
import PostgresServer
import Synchronization

/// Writes of one row each beside the loss of the primary, whose synchronous standby is promoted.
struct FailoverBench: BenchSuite {
    let name = "failover"
    let summary = "writes while the primary is lost and its synchronous standby promoted"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    private static let rounds = 3
    private static let writers = 8

    private struct Round {
        /// From the end of the promotion to the first write that was acknowledged, in seconds.
        var pause: Double
        /// The same for the writer that waited longest.
        var longestPause: Double
        var acknowledged: Int
        var lost: Int
    }

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        var rounds: [Round] = []
        for round in 1...Self.rounds {
            bench.report("primary and standby, round \(round) of \(Self.rounds)")
            rounds.append(try await measure("\(bench.scratch)/\(round)"))
        }
        let acknowledged = rounds.reduce(0) { $0 + $1.acknowledged }
        return [
            BenchResult(
                name: "from the promotion to the first write",
                unit: "s",
                ours: rounds.map(\.pause).max() ?? 0,
                goal: .atMost(3)
            ),
            BenchResult(
                name: "to a write of each of \(Self.writers) writers",
                unit: "s",
                ours: rounds.map(\.longestPause).max() ?? 0,
                goal: .atMost(3)
            ),
            BenchResult(
                name: "lost of \(acknowledged) acknowledged writes",
                unit: "writes",
                ours: Double(rounds.reduce(0) { $0 + $1.lost }),
                goal: .atMost(0)
            ),
        ]
    }

    private func measure(_ directory: String) async throws -> Round {
        let settings = ["synchronous_standby_names": "standby", "shared_buffers": "64MB"]
        let primary = try PostgresServer(directory: directory, settings: settings)
        try await primary.start(detached: false)
        let standby = try await primary.standby(name: "standby")
        try await standby.start(detached: false)
        let url = "postgres://postgres@/postgres?host=\(primary.directory),\(standby.directory)"
        let configuration = try PostgresConfiguration(url: url, applicationName: "bench")
        let client = PostgresClient(configuration, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        let round = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            try await client.execute("CREATE TABLE numbers (n bigint PRIMARY KEY)")
            let promotion = Promotion()
            return try await withThrowingTaskGroup(of: Writer.self) { writers in
                for number in 0..<Self.writers {
                    writers.addTask { try await Self.write(as: number, client, past: promotion) }
                }
                try await Task.sleep(for: .seconds(1))
                try await primary.kill()
                try await standby.promote()
                promotion.end.withLock { $0 = .now }
                let done = try await writers.reduce(into: [Writer]()) { $0.append($1) }
                let rows = Set(try await client.all("SELECT n FROM numbers") { try $0.decode(Int64.self) })
                let acknowledged = done.flatMap(\.acknowledged)
                let pauses = done.map(\.pause)
                return Round(
                    pause: pauses.min() ?? 0,
                    longestPause: pauses.max() ?? 0,
                    acknowledged: acknowledged.count,
                    lost: acknowledged.count { !rows.contains($0) }
                )
            }
        }
        try await standby.stop(.immediate)
        try await primary.stop(.immediate)
        return round
    }

    private final class Promotion: Sendable {
        let end = Mutex<ContinuousClock.Instant?>(nil)
    }

    private struct Writer {
        var acknowledged: [Int64] = []
        var pause = 0.0
    }

    /// Writes until a write is acknowledged after the promotion.
    private static func write(
        as number: Int,
        _ client: PostgresClient,
        past promotion: Promotion
    ) async throws -> Writer {
        var writer = Writer()
        var row = Int64(number)
        while true {
            row += Int64(writers)
            do {
                try await client.execute("INSERT INTO numbers VALUES (\(row))")
                writer.acknowledged.append(row)
            } catch let error as PostgresError where [.connectionLost, .unavailable].contains(error.kind) {
                continue
            }
            guard let end = promotion.end.withLock(\.self) else { continue }
            writer.pause = (.now - end) / .seconds(1)
            return writer
        }
    }
}
