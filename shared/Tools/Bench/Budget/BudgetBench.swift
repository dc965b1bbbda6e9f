import Crypto
import NIOCore
import Postgres
import PostgresServer
import StackKit

/// What an act on a hot path costs the programs that serve it, counted, not timed: so that a slow day changes nothing.
struct BudgetBench: BenchSuite {
    let name = "budget"
    let summary = "system calls, changes of threads, allocations and reference counts of each act on a hot path"
    let tools = [
        BenchTool(command: "perf", package: "linux-perf"), BenchTool(command: "psql", package: "postgresql"),
        BenchTool(command: "haproxy", package: "haproxy"), BenchTool(command: "nginx", package: "nginx-light"),
        BenchTool(command: "wrk", package: "wrk"),
    ]
    var runsWhenNamedOnly: Bool { true }

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try await proxying(bench) + deliveries(bench) + seats(bench) + messages(bench) + verifications(bench)
    }

    /// Counts the acts of a load in each of some programs.
    ///
    /// - Parameter load: Makes acts for a number of seconds, and returns how many.
    private func budget(
        of act: String,
        in programs: [(name: String, processes: [Int32])],
        _ bench: BenchContext,
        _ load: (Int) async throws -> Int
    ) async throws -> [BenchResult] {
        let counter = ProgramCounter(scratch: bench.scratch)
        // Connections, plans and caches are there before anything is counted.
        _ = try await load(2)
        var results: [BenchResult] = []
        for (name, processes) in programs {
            guard let process = processes.first else { throw StackError("\(name) cannot be found") }
            bench.report("counting what \(name) does for \(act)")
            let seconds = max(2, Int(bench.duration / .seconds(1)))
            var counts = try await counter.count([.systemCalls, .switches], in: processes) { try await load(seconds) }
            let others = try await counter.withProbes(in: process) {
                try await counter.count([.allocations, .references], in: processes) { try await load(seconds) }
            }
            counts.merge(others) { one, _ in one }
            results += ProgramCounter.Kind.allCases.compactMap { kind in
                counts[kind].map { BenchResult(name: "\(act): \(kind.rawValue) of \(name)", unit: "each", ours: $0) }
            }
        }
        return results
    }

    // MARK: Hot paths

    private func proxying(_ bench: BenchContext) async throws -> [BenchResult] {
        let key = P256.Signing.PrivateKey()
        let fixture = try ProxyFixture(scratch: bench.scratch, executables: bench.executables, key: key)
        try fixture.writeFiles(tokens: try ProxyFixture.tokens(300, signedBy: key))
        return try await fixture.withPrograms {
            try await fixture.check()
            // The gateways that trace are idle.
            let programs = [("the gateway", ProcessMemory.children("gateway"))]
            return try await budget(of: "a proxied request", in: programs, bench) { seconds in
                Int(try await fixture.load(.gateway, seconds: seconds).requestsPerSecond) * seconds
            }
        }
    }

    private func deliveries(_ bench: BenchContext) async throws -> [BenchResult] {
        try await LiveBench.withStack(bench) { passengers, processes in
            let load = LiveBench.load(passengers)
            let subscribers = 500
            for _ in 0..<10 {
                try await load.connect(subscribers / 10)
                try await load.subscribe()
            }
            let programs = zip(["the gateway", "seats"], processes).map { ($0, [$1]) }
            let results = try await budget(of: "a delivered message", in: programs, bench) { seconds in
                let before = load.delivered
                let changes = try await LiveBench.burst(of: passengers, for: .seconds(seconds)) { changes in
                    try await load.wait(forDeliveries: before + changes * subscribers)
                }
                return changes * subscribers
            }
            try await load.close()
            return results
        }
    }

    private func seats(_ bench: BenchContext) async throws -> [BenchResult] {
        try await SeatsFixture.run(bench) { fixture, _ in
            let seats = try await fixture.seats()
            let programs = [("seats", ProcessMemory.children("seats"))]
            // So few passengers seldom choose a seat that another one is taking.
            let taken = try await budget(of: "a seat taken and left", in: programs, bench) { seconds in
                try await SeatsLoad(port: fixture.port, seats: seats).run(passengers: 4, for: .seconds(seconds))
                    .pairs
            }
            let requests = Array(repeating: fixture.request(known: nil), count: 1_600)
            let kept = try await budget(of: "a car's kept seats", in: programs, bench) { _ in
                try await BurstLoad.run(requests, queued: 100, timeout: .seconds(60)).count
            }
            return taken + kept
        }
    }

    private func messages(_ bench: BenchContext) async throws -> [BenchResult] {
        try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let fixture = try GatewayFixture("chat", bench, database)
            return try await fixture.withPrograms {
                try await ChatDataset.build(server)
                let load = ChatLoad(port: fixture.service, senders: 64)
                return try await budget(of: "a message", in: [("chat", fixture.processes)], bench) { seconds in
                    try await load.run(for: .seconds(seconds)).count
                }
            }
        }
    }

    private func verifications(_ bench: BenchContext) async throws -> [BenchResult] {
        try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let fixture = try PaymentsFixture(bench, database)
            return try await fixture.withPrograms(bench) {
                let share = 200
                try await PaymentsBench.prepare(3 * share, server)
                var payments = try await PaymentsBench.pay(1...3 * share, fixture)[...]
                let programs = [("payments", ProcessMemory.children("payments"))]
                return try await budget(of: "a verified payment", in: programs, bench) { _ in
                    for payment in payments.prefix(share) { try await fixture.validate(payment) }
                    defer { payments = payments.dropFirst(share) }
                    return min(share, payments.count)
                }
            }
        }
    }
}
