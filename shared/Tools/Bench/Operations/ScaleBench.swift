import Contracts
import NIOCore
import PostgresServer
import StackKit

/// Work that must not depend on how much is stored: what is due in three million links of routines, the home screen
/// with two million likes, a round of the outbox's cleanup with a million waiting events, and the comparison of ten
/// million payments with their ledger.
struct ScaleBench: BenchSuite {
    let name = "scale"
    let summary =
        "3,000,000 routine links, 2,000,000 likes, 1,000,000 waiting events, 10,000,000 payments; fills 15 GB of disk"
    let tools = [BenchTool(command: "psql", package: "postgresql")]
    let runsWhenNamedOnly = true

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(16_384)
        return try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            return try await routines(server, database, bench) + likes(server, database, bench)
                + payments(server, database, bench)
        }
    }

    private func service(
        _ name: String,
        _ database: Database,
        _ environment: [String: String] = [:]
    ) throws -> ServiceFixture {
        let closed = ["AUTH", "CHAT", "COMMUNITY", "ESTATE", "NOTIFICATIONS", "PAYMENTS"].map {
            ("\($0)_URL", ServiceFixture.closedURL)
        }
        return ServiceFixture(
            name: name,
            port: try FreePort.find(),
            databaseURL: try database.url(role: name),
            environment: environment.merging(closed) { own, _ in own }
        )
    }

    private func routines(
        _ server: PostgresServer,
        _ database: Database,
        _ bench: BenchContext
    ) async throws -> [BenchResult] {
        let workforce = try service("workforce", database)
        try await workforce.withService(bench) {}
        try await WorkforceDataset(port: workforce.port).people(server)
        bench.report("linking routines to shifts, about two minutes")
        try await ScaleDataset.fill(ScaleDataset.links, server)
        try await ScaleDataset.vacuum(server)
        return try await workforce.withService(bench) {
            bench.report("looking for what is due")
            let mean = try await JobMeter(port: workforce.port, job: "reminders of routine").mean(of: 20)
            return [BenchResult(name: "due reminders, a look-up", unit: "ms", ours: mean, goal: .atMost(5))]
        }
    }

    private func likes(
        _ server: PostgresServer,
        _ database: Database,
        _ bench: BenchContext
    ) async throws -> [BenchResult] {
        let estate = try service("estate", database)
        try await estate.withService(bench) {}
        bench.report("creating \(EstateDataset.listings) listings and their likes, about three minutes")
        try await EstateDataset().build(server)
        try await ScaleDataset.fill(ScaleDataset.likes, server)
        try await ScaleDataset.vacuum(server)
        return try await estate.withService(bench) {
            bench.report("counting the likes")
            let counting = try await JobMeter(port: estate.port, job: "likes of the home screen").mean(of: 1)
            bench.report("asking for the home screen")
            let requests = (0..<200).map { number in
                let path = "/v1/estates/hot-estates"
                let identity = ServiceFixture.identity(of: Int64(number + 1), in: .anlaka, "GET", path, to: .estate)
                return BurstLoad.Request(
                    port: estate.port,
                    text: """
                        GET \(path) HTTP/1.1\r\nHost: madang\r\nX-Madang-Identity: \(identity)\r\n\r\n
                        """,
                    delay: .milliseconds(Int64(number * 50))
                )
            }
            return try await BurstLoad.times(requests, of: "home screen's most liked", reach: 20) + [
                BenchResult(name: "counting the likes, once a minute", unit: "ms", ours: counting)
            ]
        }
    }

    private func payments(
        _ server: PostgresServer,
        _ database: Database,
        _ bench: BenchContext
    ) async throws -> [BenchResult] {
        let fixture = try PaymentsFixture(bench, database, environment: ["REQUEST_DEADLINE": "3600"])
        try await fixture.withServices(bench) {}
        bench.report("creating \(ScaleDataset.events) waiting events")
        try await ScaleDataset.fill(ScaleDataset.waiting, server)
        try await ScaleDataset.vacuum(server)
        let cleanup = try await fixture.withServices(bench) {
            bench.report("cleaning up beside them")
            return try await JobMeter(port: fixture.port, job: "outbox cleanup").mean(of: 2)
        }
        for million in 1...ScaleDataset.millions {
            bench.report("creating payment \(million) of \(ScaleDataset.millions) million, half a minute each")
            try await ScaleDataset.fill(ScaleDataset.payments(million), server)
        }
        try await ScaleDataset.vacuum(server)
        return try await fixture.withServices(bench) {
            bench.report("comparing them with the ledger")
            let comparison = try await fixture.compare()
            return [
                BenchResult(name: "outbox cleanup, a round", unit: "ms", ours: cleanup, goal: .atMost(50)),
                BenchResult(
                    name: "comparison of all payments",
                    unit: "s",
                    ours: comparison.seconds,
                    goal: .atMost(600)
                ),
                BenchResult(name: "memory that it takes", unit: "MB", ours: comparison.megabytes, goal: .atMost(32)),
            ]
        }
    }
}
