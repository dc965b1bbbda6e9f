import Logging
import Postgres
import PostgresServer

/// Transactions that announce after their commit, compared with those that announce nothing, and with those that send
/// NOTIFY themselves: each inserts one row, with a flush to disk at the commit.
///
/// The three are measured in turn (`Rounds`).
struct AnnounceBench: BenchSuite {
    let name = "announce"
    let summary = "commits with an announcement beside commits without one, and beside NOTIFY"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    private static let clients = [8, 32]

    private enum Kind: String, CaseIterable {
        case silent = "without an announcement"
        case announcing = "with an announcement"
        case notifying = "with NOTIFY"
    }

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try await bench.withPostgres { server in
            var configuration = try PostgresConfiguration(url: try server.adminURL(), applicationName: "bench")
            configuration.leasedConnections = Self.clients.max() ?? 1
            let client = PostgresClient(configuration, logger: Logger(label: "bench"))
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.run() }
                defer { group.cancelAll() }
                try await client.execute("CREATE TABLE changes (id bigint GENERATED ALWAYS AS IDENTITY, room bigint)")
                // A listener, as in a running service.
                group.addTask {
                    for await _ in client.announcer.notifications(on: Self.channel) {}
                }
                var results: [BenchResult] = []
                for clients in Self.clients { results += try await measure(client, clients, bench) }
                return results
            }
        }
    }

    private static let channel = "changes"

    private func measure(_ client: PostgresClient, _ clients: Int, _ bench: BenchContext) async throws -> [BenchResult]
    {
        let seconds = bench.secondsOfRound
        let rounds = try await bench.interleave(Kind.allCases, name: { "\(clients) clients, \($0.rawValue)" }) {
            try await rate(of: $0, client, clients, for: .seconds(seconds))
        }
        let silent = BenchResult.Yardstick(
            name: "the same without an announcement",
            samples: rounds.samples(of: .silent)
        )
        return [
            BenchResult(
                name: "commits that announce, \(clients) clients",
                unit: "commits/s",
                samples: rounds.samples(of: .announcing),
                yardstick: silent,
                goal: .ratioAtLeast(0.8)
            ),
            BenchResult(
                name: "commits with NOTIFY inside, \(clients) clients",
                unit: "commits/s",
                samples: rounds.samples(of: .notifying),
                yardstick: silent
            ),
        ]
    }

    private func rate(
        of kind: Kind,
        _ client: PostgresClient,
        _ clients: Int,
        for duration: Duration
    ) async throws -> Double {
        let start = ContinuousClock.now
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for room in 0..<clients {
                group.addTask {
                    var done = 0
                    while ContinuousClock.now < start + duration {
                        try await client.transaction { transaction in
                            let payload = "\(room) \(done)"
                            let insert = Statement.execute("INSERT INTO changes (room) VALUES (\(Int64(room)))")
                            let notify = Statement.execute("SELECT pg_notify('other', \(payload))")
                            try await transaction.run(kind == .notifying ? [insert, notify] : [insert])
                            guard kind == .announcing else { return }
                            transaction.announce([Announcement(payload, on: Self.channel)])
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
