import FoundationEssentials
import NIOCore
import Postgres
import PostgresServer
import StackKit

/// Anlaka's messages, confirmed after the commit, compared with pgbench; and the cost and latency of mostly idle
/// sockets.
///
/// pgbench executes the same statements in the same number of round trips on a copy of the database on the same server,
/// one message per transaction; the service combines concurrent messages. Both are measured in turn (`Rounds`).
struct ChatBench: BenchSuite {
    let name = "chat"
    let summary = "durable messages beside pgbench with the same SQL; 10,000 waiting sockets through the gateway"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    /// The protocols of the idle sockets.
    var wires: [ChatSockets.Wire] = [.socketIO, .stream]

    /// One account may send 500 frames at once.
    private static let people = 100
    private static let senders = 64
    private static let clients = [8, 16, 32]
    private static let yardstick = "yardstick"
    /// The number of messages with measured latency.
    private static let timed = 200

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        // The number of sockets depends on the duration, 10,000 for the usual five seconds, and on the limit on open
        // files: the gateway holds both ends of each.
        let wanted = max(100, Int(bench.duration / .milliseconds(1)) * 2)
        let count = min(wanted, 10_000, Int(OpenFiles.most) / 2 - 500)
        try OpenFiles.allow(UInt(2 * count + 1000))
        return try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let fixture = try GatewayFixture("chat", bench, database)
            // The service creates its tables; then both databases start with the same data.
            try await fixture.withPrograms { try await ChatDataset.build(server) }
            _ = try await server.withClient(of: "postgres") {
                try await $0.execute(
                    "CREATE DATABASE \(identifier: Self.yardstick) TEMPLATE \(identifier: Database.name)"
                )
                return try await $0.execute("ALTER DATABASE \(identifier: Self.yardstick) SET search_path = chat")
            }
            var results = try await fixture.withPrograms { try await Self.rates(fixture, server, bench) }
            for (batch, wire) in wires.enumerated() {
                // New processes, whose memory is unused.
                results += try await fixture.withPrograms {
                    bench.report("signing up \(Self.people) people")
                    var tokens: [String] = []
                    for _ in 0..<Self.people { tokens.append(try await fixture.join()) }
                    let rooms = try await ChatDataset.rooms(count, batch: batch, ofTheNewest: tokens, on: server)
                    return try await Self.sockets(wire, in: rooms, fixture, bench)
                }
            }
            return results
        }
    }

    // MARK: Messages

    private static func rates(
        _ fixture: GatewayFixture,
        _ server: PostgresServer,
        _ bench: BenchContext
    ) async throws -> [BenchResult] {
        let script = "\(bench.scratch)/chat.sql"
        try ChatScript.text.write(toFile: script, atomically: false, encoding: .utf8)
        let pgbench = PGBench(program: "\(server.binaries)/pgbench", url: try server.adminURL(database: yardstick))
        // Each round of pgbench prepares all statements of the script anew.
        let seconds = max(2, bench.secondsOfRound)
        let load = ChatLoad(port: fixture.service, senders: senders)
        _ = try await load.run(for: .seconds(1))
        let rounds = try await bench.interleave(PoolContender.all(clients: clients), name: \.name) {
            switch $0 {
            case .ours: Double(try await load.run(for: .seconds(seconds)).count) / Double(seconds)
            case .pgbench(let clients): try await pgbench.run(script: script, clients: clients, seconds: seconds)
            }
        }
        let rates = rounds.samples(of: .ours)
        bench.report("writing half as much")
        let times = try await load.run(for: .seconds(max(seconds, 2)), rate: rates.median / 2)
        return [
            BenchResult(
                name: "durable messages, \(senders) senders",
                unit: "messages/s",
                samples: rates,
                yardstick: rounds.yardstick("-M prepared", clients: clients),
                goal: .ratioAtLeast(1.2)
            ),
            BenchResult(name: "answered at half of that, median", unit: "ms", ours: BenchResult.median(times)),
            BenchResult(
                name: "answered at half of that, 99 of 100 within",
                unit: "ms",
                ours: last(of: 100, times),
                goal: .atMost(20)
            ),
        ]
    }

    // MARK: Sockets

    private static func sockets(
        _ wire: ChatSockets.Wire,
        in rooms: [ChatSockets.Place],
        _ fixture: GatewayFixture,
        _ bench: BenchContext
    ) async throws -> [BenchResult] {
        let count = rooms.count
        let processes = ["gateway", "chat"].compactMap(ProcessMemory.child)
        guard processes.count == 2 else { throw StackError("gateway and chat cannot be found") }
        let sockets = ChatSockets(wire, port: fixture.gateway)
        do {
            bench.report("opening \(count) sockets")
            // The first sockets allocate the memory that all others share.
            try await sockets.open(Array(rooms.prefix(count / 100)))
            let before = processes.compactMap(ProcessMemory.ofTree).reduce(0, +)
            try await sockets.open(Array(rooms.dropFirst(count / 100)))
            try await Task.sleep(for: .seconds(1))
            let after = processes.compactMap(ProcessMemory.ofTree).reduce(0, +)
            bench.report("writing to \(timed) of them")
            var (whole, late): ([Double], [Double]) = ([], [])
            for number in 0..<timed {
                let room = rooms[number * 7919 % rooms.count]
                let path = try await sockets.write("안녕하세요 \(number)", in: room)
                whole.append(path.delivered)
                late.append(max(0, path.delivered - path.answered))
            }
            try await sockets.close()
            let each = Double(after - before) / Double(count - count / 100)
            return [
                BenchResult(
                    name: "\(wire.rawValue): memory of each of \(count) waiting sockets, gateway and chat",
                    unit: "kB",
                    ours: each / 1000,
                    goal: .atMost(20)
                ),
                BenchResult(
                    name: "\(wire.rawValue): from the request to the other's socket, median",
                    unit: "ms",
                    ours: BenchResult.median(whole)
                ),
                BenchResult(name: "the same, 99 of 100 within", unit: "ms", ours: last(of: 100, whole)),
                BenchResult(
                    name: "\(wire.rawValue): from the answer to the other's socket, median",
                    unit: "ms",
                    ours: BenchResult.median(late),
                    goal: .atMost(10)
                ),
                BenchResult(name: "the same, 99 of 100 within", unit: "ms", ours: last(of: 100, late)),
            ]
        } catch {
            try? await sockets.close()
            throw error
        }
    }

    // MARK: Figures

    /// The quantile that all but one of `count` values stay below.
    private static func last(of count: Int, _ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count * (count - 1) / count]
    }
}
