import AppClients
import Contracts
import NIOCore
import Postgres
import PostgresServer
import StackKit

/// What a request costs at 1, 10 and 100 times the data: the median of its times, at a rate far below what the service
/// can answer, so that no request waits for another.
struct GrowthBench: BenchSuite {
    let name = "growth"
    let summary = "lists and deliveries at 1, 10 and 100 times the data: nothing may grow faster than n log n"
    let tools = [BenchTool(command: "psql", package: "postgresql")]
    let runsWhenNamedOnly = true

    /// Requests per second.
    private static let rate = 40

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(16_384)
        return try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            var results = try await Self.listings(bench, database, server)
            results += try await Self.posts(bench, database, server)
            results += try await Self.calendars(bench, database, server)
            results += try await Self.messages(bench, database, server)
            return results + (try await Self.events(bench, database, server))
        }
    }

    // MARK: Subjects

    private static func listings(
        _ bench: BenchContext,
        _ database: Database,
        _ server: PostgresServer
    ) async throws -> [BenchResult] {
        let fixture = try GatewayFixture("estate", bench, database)
        return try await fixture.withPrograms {
            let (dataset, token) = (EstateDataset(), try await fixture.join())
            let growth = try await grow([10_000, 100_000, 1_000_000], "listings", bench) { numbers in
                try await dataset.build(server, numbers)
            } request: { number in
                fixture.request(dataset.path(.radius, number), key: AppKey.anlaka, token, at: number, of: rate)
            }
            return growth.results(EstateDataset.Call.radius.title, of: "listings", unit: "ms")
        }
    }

    private static func posts(
        _ bench: BenchContext,
        _ database: Database,
        _ server: PostgresServer
    ) async throws -> [BenchResult] {
        let fixture = try GatewayFixture("community", bench, database)
        return try await fixture.withPrograms {
            let (dataset, token) = (CommunityDataset(), try await fixture.join())
            let growth = try await grow([10_000, 100_000, 1_000_000], "posts", bench) { numbers in
                try await dataset.build(server, posts: numbers)
            } request: { number in
                fixture.request(dataset.path(.nearby, number), key: AppKey.anlaka, token, at: number, of: rate)
            }
            return growth.results(CommunityDataset.Call.nearby.title, of: "posts", unit: "ms")
        }
    }

    /// One shop, whose workers have 260 shifts each.
    private static func calendars(
        _ bench: BenchContext,
        _ database: Database,
        _ server: PostgresServer
    ) async throws -> [BenchResult] {
        let fixture = ServiceFixture(
            name: "workforce",
            port: try FreePort.find(),
            databaseURL: try database.url(role: "workforce"),
            environment: ["AUTH_URL": ServiceFixture.closedURL, "NOTIFICATIONS_URL": ServiceFixture.closedURL]
        )
        let dataset = WorkforceDataset(port: fixture.port, shops: 1, workersOfShop: 100)
        return try await fixture.withService(bench) {
            try await dataset.people(server)
            var (whole, first, planned, size) = (Growth([]), Growth([]), 0, 0)
            for people in [1, 10, 100] {
                bench.report("the calendar of \(people) people")
                try await dataset.planYear(of: planned..<people)
                planned = people
                var (times, pages): ([Double], [Double]) = ([], [])
                for _ in 0..<9 {
                    times.append(try await dataset.readCalendar(page: false).time)
                    let page = try await dataset.readCalendar(page: true)
                    pages.append(page.time)
                    size = page.bytes
                }
                whole.points.append((Double(people), BenchResult.median(times)))
                first.points.append((Double(people), BenchResult.median(pages)))
            }
            return whole.results("a calendar of 13 months", of: "people", unit: "ms")
                + first.results("its first page", of: "people", unit: "ms")
                + [BenchResult(name: "its first page", unit: "kB", ours: Double(size) / 1000, goal: .atMost(100))]
        }
    }

    private static func messages(
        _ bench: BenchContext,
        _ database: Database,
        _ server: PostgresServer
    ) async throws -> [BenchResult] {
        let fixture = try GatewayFixture("chat", bench, database)
        return try await fixture.withPrograms {
            try await ChatDataset.build(server)
            let growth = try await grow([1000, 10_000, 100_000], "messages", bench) { numbers in
                try await ChatDataset.write(numbers, server)
            } request: { number in
                ChatDataset.page(port: fixture.service, delay: .microseconds(Int64(number * 1_000_000 / rate)))
            }
            return growth.results("a page of a room's messages", of: "messages", unit: "ms")
        }
    }

    // MARK: Growing

    /// Adds data up to each size, and measures requests there.
    ///
    /// - Parameters:
    ///   - sizes: In ascending order.
    ///   - add: Adds what has these numbers, from 1.
    ///   - request: Of a number from 0, when it is due.
    private static func grow(
        _ sizes: [Int],
        _ what: String,
        _ bench: BenchContext,
        add: (ClosedRange<Int>) async throws -> Void,
        request: (Int) -> BurstLoad.Request
    ) async throws -> Growth {
        var (points, last) = ([(size: Double, cost: Double)](), 0)
        let count = max(100, Int(bench.duration / .seconds(1)) * rate)
        for size in sizes {
            bench.report("\(size) \(what)")
            try await add(last + 1...size)
            last = size
            // The first ones read what the second ones find in memory.
            _ = try await BurstLoad.times((0..<2 * rate).map(request), of: what, reach: nil)
            let times = try await BurstLoad.times((0..<count).map(request), of: what, reach: nil)
            points.append((Double(size), times[0].ours))
        }
        return Growth(points)
    }
}
