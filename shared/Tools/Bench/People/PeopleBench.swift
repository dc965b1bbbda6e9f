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
        /// Bytes that PostgreSQL has logged since its beginning.
        var log: Double = 0
        let time = ContinuousClock.now

        func after(_ other: Usage) -> Double { (time - other.time) / .seconds(1) }
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
        let users = try await AppUsers(fleet.programs, people: 20, rooms: half, on: server)
        let record = AppRecord()
        let sockets = AppSockets(gateway: "ws" + fleet.programs.gateway.url.dropFirst(4), record: record)
        let traffic = AppTraffic(users, record: record)
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
        func rest(_ durations: Int) async throws -> Usage {
            try await Task.sleep(for: bench.duration * durations)
            return try await usage()
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            func open(rooms: [ChatSockets.Place] = [], seats: Int = 0) async throws -> Usage {
                let expected = sockets.opened + rooms.count + seats
                group.addTask { await sockets.run(rooms: rooms, passengers: users.passengers, seats: seats) }
                try await waitUntil("the sockets are open", every: .milliseconds(100), atMost: .seconds(120)) {
                    sockets.opened >= expected
                }
                return try await rest(1)
            }
            var stages = Stages(closed: try await usage())
            bench.report("without clients")
            stages.alone = try await rest(2)
            bench.report("opening \(half) sockets of rooms, and leaving them alone")
            stages.opened = try await open(rooms: users.rooms)
            stages.idle = try await rest(2)
            bench.report("sending requests")
            let requests = Task { await traffic.run(rate: Self.people / Self.secondsBetweenRequests) }
            stages.begun = try await rest(1)
            stages.requested = try await rest(3)
            bench.report("opening \(half) sockets of a train")
            stages.following = try await open(seats: half)
            stages.followed = try await rest(4)
            traffic.stop()
            await requests.value
            sockets.stop()
            for sentence in record.refusals.prefix(5) { bench.report(sentence) }
            return results(stages, of: fleet.programs.services.map(\.name), refused: record.refusals.count)
        }
    }

    /// The usage at the end of each stage.
    private struct Stages {
        var closed: Usage
        var alone = Usage()
        var opened = Usage()
        var idle = Usage()
        var begun = Usage()
        var requested = Usage()
        var following = Usage()
        var followed = Usage()
    }

    private func results(_ stages: Stages, of services: [String], refused: Int) -> [BenchResult] {
        let names = services + ["gateway", "postgres"]
        func cores(_ names: [String], from start: Usage, to end: Usage) -> Double {
            names.map { (end.seconds[$0] ?? 0) - (start.seconds[$0] ?? 0) }.reduce(0, +) / end.after(start)
        }
        func microseconds(of names: [String], per rate: Double, from before: Double, _ start: Usage, _ end: Usage)
            -> Double
        {
            (cores(names, from: start, to: end) - before) / rate * 1_000_000
        }
        func request(_ names: [String]) -> Double {
            let before = cores(names, from: stages.opened, to: stages.idle)
            return microseconds(of: names, per: rate, from: before, stages.begun, stages.requested)
        }
        func delivery(_ names: [String]) -> Double {
            let before = cores(names, from: stages.begun, to: stages.requested)
            return microseconds(of: names, per: deliveries, from: before, stages.following, stages.followed)
        }
        func memory(_ name: String, from start: Usage, to end: Usage) -> Double {
            ((end.bytes[name] ?? 0) - (start.bytes[name] ?? 0)) / half / 1000
        }
        let (half, rate) = (Double(Self.people / 2), Double(Self.people / Self.secondsBetweenRequests))
        let deliveries = half * Double(AppTraffic.changes)
        let total = cores(names, from: stages.following, to: stages.followed)
        let alone = cores(names, from: stages.closed, to: stages.alone)
        let ofEach = services.map { BenchResult(name: "  of these \($0)", unit: "µs", ours: request([$0])) }
        return [
            BenchResult(
                name: "people per processor, of which \(Int(Self.utilization * 100)) % is used",
                unit: "people",
                ours: Double(Self.people) / total * Self.utilization,
                yardstick: .init(name: "Mattermost's plan for 100,000", value: Self.mattermost),
                goal: .atLeast(1000)
            ),
            BenchResult(name: "refused", unit: "requests and sockets", ours: Double(refused), goal: .atMost(0)),
            BenchResult(name: "all programs without clients", unit: "processors", ours: alone),
            BenchResult(
                name: "an idle socket of a room, per second",
                unit: "µs",
                ours: microseconds(of: names, per: half, from: alone, stages.opened, stages.idle)
            ),
            BenchResult(name: "a request: gateway", unit: "µs", ours: request(["gateway"])),
            BenchResult(name: "a request: services", unit: "µs", ours: request(services)),
        ] + ofEach + [
            BenchResult(name: "a request: PostgreSQL", unit: "µs", ours: request(["postgres"])),
            BenchResult(
                name: "a request: log of changes",
                unit: "bytes",
                ours: (stages.requested.log - stages.begun.log) / stages.requested.after(stages.begun) / rate
            ),
            BenchResult(name: "a delivered seat map: gateway", unit: "µs", ours: delivery(["gateway"])),
            BenchResult(name: "a delivered seat map: services", unit: "µs", ours: delivery(services)),
            BenchResult(
                name: "memory of a socket: gateway",
                unit: "kB",
                ours: memory("gateway", from: stages.alone, to: stages.opened)
            ),
            BenchResult(
                name: "memory of a socket: chat",
                unit: "kB",
                ours: memory("chat", from: stages.alone, to: stages.opened)
            ),
            BenchResult(
                name: "memory of a socket: seats",
                unit: "kB",
                ours: memory("seats", from: stages.requested, to: stages.following)
            ),
        ]
    }
}
