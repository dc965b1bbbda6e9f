import Contracts
import FoundationEssentials
import NIOCore
import PostgresServer
import StackKit

/// The most frequent requests of MOUP's app, home and calendars, at a constant 200 requests per second on a database
/// with 100,000 shifts.
struct WorkforceBench: BenchSuite {
    let name = "workforce"
    let summary = "home and calendars at 200 requests a second, with 100,000 shifts stored"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    private static let rate = 200

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(16_384)
        return try await bench.withPostgres { try await measure($0, bench) }
    }

    private func measure(_ server: PostgresServer, _ bench: BenchContext) async throws -> [BenchResult] {
        let database = Database(server: server)
        try await database.bootstrap()
        let fixture = ServiceFixture(
            name: "workforce",
            port: try FreePort.find(),
            databaseURL: try database.url(role: "workforce"),
            environment: ["AUTH_URL": ServiceFixture.closedURL, "NOTIFICATIONS_URL": ServiceFixture.closedURL]
        )
        let dataset = WorkforceDataset(port: fixture.port)
        let planning = try await fixture.withService(bench) {
            bench.report("opening \(dataset.shops) shops with \(dataset.workersOfShop) workers each")
            try await dataset.people(server)
            bench.report("planning 100 shifts for each of \(dataset.workers) workers")
            return try await dataset.plan()
        }
        let shifts = try await dataset.shifts(server)
        bench.report("recalculating this month of all of them")
        try await dataset.markOutdated(server)
        let start = ContinuousClock.now
        return try await fixture.withService(bench) {
            try await dataset.waitUntilCalculated(server)
            var results = [
                BenchResult(name: "shifts planned and calculated", unit: "shifts/s", ours: Double(shifts) / planning),
                BenchResult(
                    name: "a month of \(dataset.workers) people, from PostgreSQL and back, the start included",
                    unit: "s",
                    ours: (.now - start) / .seconds(1),
                    goal: .atMost(1)
                ),
            ]
            for call in WorkforceDataset.Call.allCases {
                bench.report("asking for \(call.title), \(Self.rate) times a second")
                results += try await Self.ask(call, dataset, for: bench.duration)
            }
            return results
        }
    }

    private static func ask(
        _ call: WorkforceDataset.Call,
        _ dataset: WorkforceDataset,
        for duration: Duration
    ) async throws -> [BenchResult] {
        let count = max(rate, Int(duration / .seconds(1)) * rate)
        let requests = (0..<count).map { number in
            var request = dataset.request(call, number)
            request.delay = .microseconds(Int64(number * 1_000_000 / rate))
            return request
        }
        let answers = try await BurstLoad.run(requests, timeout: .seconds(30))
        let times = answers.map { Double($0.time.nanoseconds) / 1_000_000 }.sorted()
        guard answers.allSatisfy(\.isGood) else {
            throw StackError("\(call.title) failed: \(answers.first { !$0.isGood }?.status ?? 0)")
        }
        return [
            BenchResult(name: "\(call.title), median", unit: "ms", ours: times[times.count / 2]),
            BenchResult(
                name: "\(call.title), 99 of 100 within",
                unit: "ms",
                ours: times[times.count * 99 / 100],
                goal: .atMost(30)
            ),
        ]
    }
}
