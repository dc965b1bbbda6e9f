import AppClients
import Contracts
import FoundationEssentials
import NATS
import Postgres
import PostgresServer
import ServiceDatabase
import StackKit
import Synchronization

/// Messages that are written one by one, and that three copies of chat deliver: a thousand rooms of two sockets, each at
/// another copy.
///
/// NATS carries each message to the copies that have a socket of its room. It is compared with NOTIFY inside the writing
/// transaction, which takes a lock of the whole server, and with NOTIFY after the commit, as the service sends it without
/// NATS; each copy hears every announcement then, and reads the messages of its rooms.
struct ChatNATSBench: BenchSuite {
    let name = "nats"
    let summary = "messages that three copies of chat deliver with NATS beside three with NOTIFY"
    let tools = [
        BenchTool(command: "psql", package: "postgresql"), BenchTool(command: "nats-server", package: "nats-server"),
    ]

    private enum Way: CaseIterable {
        case nats, notifyInside, notifyAfter
    }

    private struct Side: Sendable {
        var fixtures: [ServiceFixture]
        var configuration: PostgresConfiguration
    }

    private final class Written: Sendable {
        let count = Atomic(0)
    }

    private static let writers = 64
    /// The maximum number of messages whose delivery is awaited.
    private static let outstanding = 1000

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(UInt(4 * ChatDataset.rooms))
        return try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let url = try database.url(role: "chat")
            var configuration = try ChatCopiesBench.configuration(url)
            configuration.writeConnections = Self.writers
            let plain = Side(fixtures: try ChatCopiesBench.fixtures(url), configuration: configuration)
            // The service creates its tables.
            try await plain.fixtures[0].withService(bench) { try await ChatDataset.build(server) }
            let port = try FreePort.find()
            let nats = "nats://127.0.0.1:\(port)"
            var carried = Side(
                fixtures: try ChatCopiesBench.fixtures(url, environment: ["ANNOUNCER_URL": nats]),
                configuration: configuration
            )
            carried.configuration.announcer = configuration.announcer(at: try NATSConfiguration(url: nats))
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await BenchProgram.run(
                        "/usr/bin/env",
                        ["nats-server", "--addr", "127.0.0.1", "--port", String(port)],
                        environment: ["PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/bin"]
                    )
                }
                defer { group.cancelAll() }
                return try await Self.compare(carried, plain, bench)
            }
        }
    }

    private static func compare(_ carried: Side, _ plain: Side, _ bench: BenchContext) async throws -> [BenchResult] {
        var rates: [Way: [Double]] = [:]
        for round in 1...ChatCopiesBench.rounds {
            bench.report("round \(round) of \(ChatCopiesBench.rounds)")
            for way in Way.allCases {
                rates[way, default: []].append(try await rate(way, way == .nats ? carried : plain, bench))
            }
        }
        let medians = rates.mapValues(BenchResult.median)
        let name = "delivered by \(ChatCopiesBench.copies) copies with NATS"
        return [
            BenchResult(
                name: name,
                unit: "messages/s",
                ours: medians[.nats] ?? 0,
                yardstick: .init(name: "with NOTIFY in the transaction", value: medians[.notifyInside] ?? 0),
                goal: .ratioAtLeast(3)
            ),
            BenchResult(
                name: name,
                unit: "messages/s",
                ours: medians[.nats] ?? 0,
                yardstick: .init(name: "with NOTIFY after the commit", value: medians[.notifyAfter] ?? 0)
            ),
        ]
    }

    /// - Returns: The messages that both sockets of their room receive, per second.
    private static func rate(_ way: Way, _ side: Side, _ bench: BenchContext) async throws -> Double {
        let duration = bench.duration / ChatCopiesBench.rounds
        return try await ChatCopiesBench.withClient(side.configuration) { client in
            try await ChatCopiesBench.withCopies(side.fixtures[...], bench) {
                let rooms = (0..<side.fixtures.count).map { copy in
                    // A room has no socket at one of the copies.
                    (1...ChatDataset.rooms).filter { $0 % side.fixtures.count != copy }
                }
                return try await ChatCopiesBench.withSockets(at: side.fixtures, rooms: rooms) { received in
                    try await write(way, client, for: duration) { received() / (side.fixtures.count - 1) }
                }
            }
        }
    }

    private static func write(
        _ way: Way,
        _ client: PostgresClient,
        for duration: Duration,
        delivered: @escaping @Sendable () -> Int
    ) async throws -> Double {
        let (first, start) = (delivered(), ContinuousClock.now)
        let written = Written()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    var room = writer
                    while ContinuousClock.now - start < duration {
                        let count = written.count.wrappingAdd(1, ordering: .relaxed).newValue
                        try await waitUntil("messages are received", every: .microseconds(200)) {
                            delivered() - first > count - outstanding
                        }
                        try await write(way, client, room: room % ChatDataset.rooms + 1)
                        room += writers
                    }
                }
            }
            try await group.waitForAll()
        }
        let count = written.count.load(ordering: .relaxed)
        try await waitUntil("all messages are received", every: .microseconds(200)) { delivered() - first >= count }
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private static func write(_ way: Way, _ client: PostgresClient, room: Int) async throws {
        let condition: SQL = "public_id = \(ChatDataset.publicID(room).rawValue)"
        guard way == .notifyInside else {
            return client.announcer.announce(try await ChatCopiesBench.write(client, where: condition))
        }
        let notification: SQL = """
            pg_notify(\("\(ChatCopiesBench.channel)_chat"), format('e %s %s %s,%s', id, last_sequence, first_id, second_id))::text
            """
        _ = try await ChatCopiesBench.write(client, where: condition, selecting: notification)
    }
}
