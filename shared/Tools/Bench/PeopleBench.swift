import AppClients
import FoundationEssentials
import Postgres
import PostgresServer
import StackKit

/// What people cost: each has an open socket and sends a request in twenty seconds, over all apps, and one in eight of these
/// writes. All processes count, PostgreSQL among them, and not the load generator and the outside systems' stand-in.
///
/// Mattermost plans 216 vCPU for 100,000 people ("Scale to 100,000 users"), whose load test acts once in twenty seconds
/// (mattermost-load-test-ng, `AvgIdleTimeMs`).
struct PeopleBench: BenchSuite {
    let name = "people"
    let summary = "people per processor, with a socket and a request in twenty seconds each"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    private static let people = 4000
    private static let secondsBetweenRequests = 20
    /// The part of a processor that is planned with.
    private static let utilization = 0.6
    private static let mattermost = 100_000.0 / 216

    /// What processes have used at one moment.
    private struct Usage {
        var seconds: [String: Double] = [:]
        var bytes: [String: Double] = [:]
        var log: Double = 0
        let time = ContinuousClock.now
    }

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(UInt(4 * Self.people))
        return try await bench.withPostgres { server in
            bench.report("starting all services")
            let programs = bench.executables
            return try await UpgradeFleet.run(old: programs, new: programs, on: server, files: bench.scratch) { fleet in
                try await measure(fleet, server, bench)
            }
        }
    }

    private func measure(_ fleet: UpgradeFleet, _ server: PostgresServer, _ bench: BenchContext) async throws
        -> [BenchResult]
    {
        bench.report("signing users up")
        let half = Self.people / 2
        let users = try await UpgradeUsers(fleet.programs, people: 20, rooms: half, on: server)
        let record = UpgradeRecord()
        let sockets = UpgradeSockets(gateway: "ws" + fleet.programs.gateway.url.dropFirst(4), record: record)
        let traffic = UpgradeTraffic(users, record: record)
        let names = fleet.programs.services.map(\.name) + [fleet.programs.gateway.name]
        var processes = Dictionary(uniqueKeysWithValues: names.map { ($0, ProcessMemory.child($0)) })
        processes["postgres"] = server.processID
        func usage() async throws -> Usage {
            var usage = Usage()
            for (name, process) in processes {
                usage.seconds[name] = process.flatMap(ProcessorTime.ofTree)
                usage.bytes[name] = process.flatMap(ProcessMemory.ofTree).map(Double.init)
            }
            usage.log = try await server.withClient(of: "postgres") { database in
                try await database.one("SELECT (pg_current_wal_insert_lsn() - '0/0')::float8") {
                    try $0.decode(Double.self)
                }
            }
            return usage
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            let before = try await usage()
            bench.report("opening \(Self.people) sockets")
            group.addTask { await sockets.run(rooms: users.rooms, passengers: users.passengers, seats: half) }
            try await waitUntil("the sockets are open", every: .milliseconds(100), atMost: .seconds(120)) {
                sockets.opened >= Self.people
            }
            try await Task.sleep(for: .seconds(3))
            let opened = try await usage()
            bench.report("leaving them alone")
            try await Task.sleep(for: bench.duration * 2)
            let idle = try await usage()
            bench.report("sending requests")
            let requests = Task { await traffic.run(rate: Self.people / Self.secondsBetweenRequests) }
            try await Task.sleep(for: bench.duration * 4)
            let busy = try await usage()
            traffic.stop()
            await requests.value
            sockets.stop()
            for sentence in record.refusals.prefix(5) { bench.report(sentence) }
            return results(before, opened, idle, busy, refused: record.refusals.count)
        }
    }

    private func results(
        _ before: Usage,
        _ opened: Usage,
        _ idle: Usage,
        _ busy: Usage,
        refused: Int
    ) -> [BenchResult] {
        func cores(_ names: [String], from start: Usage, to end: Usage) -> Double {
            names.map { (end.seconds[$0] ?? 0) - (start.seconds[$0] ?? 0) }.reduce(0, +)
                / ((end.time - start.time) / .seconds(1))
        }
        func perSocket(_ name: String, of count: Int) -> Double {
            ((opened.bytes[name] ?? 0) - (before.bytes[name] ?? 0)) / Double(count) / 1000
        }
        let names = Array(busy.seconds.keys)
        let total = cores(names, from: idle, to: busy)
        let resting = cores(names, from: opened, to: idle)
        let rate = Double(Self.people / Self.secondsBetweenRequests)
        let duration = (busy.time - idle.time) / .seconds(1)
        let perRequest = { (names: [String]) -> Double in
            (cores(names, from: idle, to: busy) - cores(names, from: opened, to: idle)) / rate * 1_000_000
        }
        let services = names.filter { $0 != "gateway" && $0 != "postgres" }
        return [
            BenchResult(
                name: "people per processor, of which \(Int(Self.utilization * 100)) % is used",
                unit: "people",
                ours: Double(Self.people) / total * Self.utilization,
                yardstick: .init(name: "Mattermost's plan for 100,000", value: Self.mattermost),
                goal: .atLeast(1000)
            ),
            BenchResult(name: "refused", unit: "requests and sockets", ours: Double(refused), goal: .atMost(0)),
            BenchResult(name: "processors for \(Self.people) idle sockets", unit: "processors", ours: resting),
            BenchResult(name: "processor per request: gateway", unit: "µs", ours: perRequest(["gateway"])),
            BenchResult(name: "processor per request: services", unit: "µs", ours: perRequest(services)),
            BenchResult(name: "processor per request: PostgreSQL", unit: "µs", ours: perRequest(["postgres"])),
            BenchResult(
                name: "log of changes per request",
                unit: "bytes",
                ours: (busy.log - idle.log) / duration / rate
            ),
            BenchResult(name: "memory per socket: gateway", unit: "kB", ours: perSocket("gateway", of: Self.people)),
            BenchResult(name: "memory per socket: seats", unit: "kB", ours: perSocket("seats", of: Self.people / 2)),
            BenchResult(name: "memory per socket: chat", unit: "kB", ours: perSocket("chat", of: Self.people / 2)),
        ]
    }
}
