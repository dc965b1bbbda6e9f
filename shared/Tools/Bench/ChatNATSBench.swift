import FoundationEssentials
import NATS
import Postgres
import PostgresServer
import ServiceDatabase
import StackKit

/// Messages that another process has written, and that three copies of chat deliver, each to the sockets of a thousand rooms:
/// with NATS, which carries them to the copies, compared with NOTIFY, after which each copy reads them.
struct ChatNATSBench: BenchSuite {
    let name = "nats"
    let summary = "messages that three copies of chat deliver with NATS beside three with NOTIFY"
    let tools = [
        BenchTool(command: "psql", package: "postgresql"), BenchTool(command: "nats-server", package: "nats-server"),
    ]

    private struct Side: Sendable {
        var fixtures: [ServiceFixture]
        var configuration: PostgresConfiguration
    }

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(UInt(2 * ChatCopiesBench.copies * ChatDataset.rooms))
        return try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let url = try database.url(role: "chat")
            let configuration = try ChatCopiesBench.configuration(url)
            let theirs = Side(fixtures: try ChatCopiesBench.fixtures(url), configuration: configuration)
            // The service creates its tables.
            try await theirs.fixtures[0].withService(bench) { try await ChatDataset.build(server) }
            let port = try FreePort.find()
            let nats = "nats://127.0.0.1:\(port)"
            var ours = Side(
                fixtures: try ChatCopiesBench.fixtures(url, environment: ["ANNOUNCER_URL": nats]),
                configuration: configuration
            )
            ours.configuration.announcer = configuration.announcer(at: try NATSConfiguration(url: nats))
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await BenchProgram.run(
                        "/usr/bin/env",
                        ["nats-server", "--addr", "127.0.0.1", "--port", String(port)],
                        environment: ["PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/bin"]
                    )
                }
                defer { group.cancelAll() }
                return try await Self.compare(ours, theirs, bench)
            }
        }
    }

    private static func compare(_ ours: Side, _ theirs: Side, _ bench: BenchContext) async throws -> [BenchResult] {
        var rates: (ours: [Double], theirs: [Double]) = ([], [])
        for round in 1...ChatCopiesBench.rounds {
            bench.report("round \(round) of \(ChatCopiesBench.rounds)")
            rates.theirs.append(try await rate(theirs, bench))
            rates.ours.append(try await rate(ours, bench))
        }
        return [
            BenchResult(
                name: "delivered by \(ChatCopiesBench.copies) copies with NATS",
                unit: "messages/s",
                ours: BenchResult.median(rates.ours),
                yardstick: .init(name: "with NOTIFY", value: BenchResult.median(rates.theirs)),
                goal: .ratioAtLeast(3)
            )
        ]
    }

    private static func rate(_ side: Side, _ bench: BenchContext) async throws -> Double {
        try await ChatCopiesBench.withClient(side.configuration) { client in
            try await ChatCopiesBench.withCopies(side.fixtures[...], bench) {
                try await ChatCopiesBench.deliver(
                    from: side.fixtures,
                    client,
                    for: bench.duration / (2 * ChatCopiesBench.rounds)
                )
            }
        }
    }
}
