import AsyncHTTPClient
import Authentication
import Contracts
import FoundationEssentials
import NIOCore
import NIOHTTP1
import Postgres
import PostgresServer
import StackKit

/// The shops, owners and workers of the workforce benchmark.
struct WorkforceDataset: Sendable {
    let port: Int
    var shops = 200
    var workersOfShop = 5

    var workers: Int { shops * workersOfShop }
    /// The first account of owners; accounts of workers follow.
    private static let firstOwner: Int64 = 1
    private static let firstWorker: Int64 = 1_000

    enum Call: CaseIterable {
        case workerHome, ownerHome, ownCalendar, shopCalendar

        var title: String {
            switch self {
            case .workerHome: "a worker's home"
            case .ownerHome: "an owner's home"
            case .ownCalendar: "a worker's 13 months (100 shifts)"
            case .shopCalendar: "a shop's 13 months (500 shifts)"
            }
        }
    }

    func request(_ call: Call, _ number: Int) -> BurstLoad.Request {
        let worker = Self.firstWorker + Int64(number % workers)
        let owner = Self.firstOwner + Int64(number % shops)
        return switch call {
        case .workerHome: get("/home", worker)
        case .ownerHome: get("/home", owner)
        case .ownCalendar: get("/works?baseYearMonth=\(Self.thisMonth)", worker)
        case .shopCalendar: get("/workplaces/\(owner)/works?baseYearMonth=\(Self.thisMonth)", owner)
        }
    }

    private func get(_ path: String, _ account: Int64) -> BurstLoad.Request {
        let identity = ServiceFixture.identity(of: account, in: .moup, "GET", path, to: .workforce)
        return BurstLoad.Request(
            port: port,
            text: """
                GET \(path) HTTP/1.1\r
                host: 127.0.0.1\r
                \(InternalIdentity.header): \(identity)\r
                \r

                """
        )
    }

    /// Asks for a shop's calendar of 13 months, or its first page.
    ///
    /// - Returns: The time in milliseconds, and the bytes of the answer.
    func readCalendar(page: Bool) async throws -> (time: Double, bytes: Int) {
        let shop = Self.firstOwner
        let range = page ? "from=\(Self.day(-195))&to=\(Self.day(195))" : "baseYearMonth=\(Self.thisMonth)"
        let start = ContinuousClock.now
        let bytes = try await send(.GET, "/workplaces/\(shop)/works?\(range)", of: shop, expecting: .ok).readableBytes
        return ((.now - start) / .milliseconds(1), bytes)
    }

    // MARK: Setup

    /// Users, shops and wages. Shop N belongs to owner N.
    func people(_ server: PostgresServer) async throws {
        try await server.withClient(of: Database.name) { database in
            for script in scripts { try await database.execute(script) }
        }
    }

    private var scripts: [SQL] {
        [
            """
            INSERT INTO workforce.people (account_id, nickname, role)
            SELECT \(Self.firstOwner) + n, '사장' || n, 'ROLE_OWNER' FROM generate_series(0, \(shops - 1)) AS n
            """,
            """
            INSERT INTO workforce.people (account_id, nickname, role)
            SELECT \(Self.firstWorker) + n, '알바' || n, 'ROLE_WORKER' FROM generate_series(0, \(workers - 1)) AS n
            """,
            """
            INSERT INTO workforce.workplaces (id, creator_id, name, category, is_shared) OVERRIDING SYSTEM VALUE
            SELECT account_id, account_id, '가게', '카페', true FROM workforce.people WHERE role = 'ROLE_OWNER'
            """,
            """
            INSERT INTO workforce.workers (workplace_id, account_id, is_accepted)
            SELECT \(Self.firstOwner) + n / \(workersOfShop), \(Self.firstWorker) + n, true
            FROM generate_series(0, \(workers - 1)) AS n
            """,
            """
            INSERT INTO workforce.wages (worker_id, since, salary_type, salary_calculation, hourly_rate, salary_date,
                has_national_pension, has_health_insurance, has_employment_insurance, has_industrial_accident,
                has_income_tax, has_holiday_allowance, has_night_allowance, income_tax_mode, dependents,
                employed_three_months, five_or_more)
            SELECT id, date_trunc('month', now() - interval '1 year')::date, 'monthly', 'hourly', 10320, 10,
                true, true, true, true, true, true, true, 'table', 1, false, false
            FROM workforce.workers
            """,
            """
            INSERT INTO workforce.workers (workplace_id, account_id, is_accepted)
            SELECT id, creator_id, true FROM workforce.workplaces
            """,
            "ANALYZE",
        ]
    }

    /// Four shifts per week for 25 weeks, half of them in the past, created through the public API.
    ///
    /// - Returns: The duration in seconds.
    func plan() async throws -> Double {
        let start = ContinuousClock.now
        let body = Self.series(of: ["MONDAY", "TUESDAY", "THURSDAY", "SATURDAY"], from: -88, days: 174)
        try await withThrowingDiscardingTaskGroup { group in
            for lane in 0..<4 {
                group.addTask {
                    for number in stride(from: lane, to: workers, by: 4) { try await plan(number, body) }
                }
            }
        }
        return (.now - start) / .seconds(1)
    }

    /// Five shifts per week for a year around today, for some of the workers.
    func planYear(of workers: Range<Int>) async throws {
        let days = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"]
        for number in workers {
            for first in [-180, 1] { try await plan(number, Self.series(of: days, from: first, days: 179)) }
        }
    }

    private static func series(of weekdays: [String], from first: Int, days: Int) -> String {
        let day = day(first)
        return """
            {"routineIdList":[],"startTime":"\(day)T01:00:00Z","endTime":"\(day)T06:00:00Z","restTimeMinutes":30,
             "repeatDays":\(weekdays),"repeatEndDate":"\(Self.day(first + days))"}
            """
    }

    private func plan(_ number: Int, _ body: String) async throws {
        let shop = Self.firstOwner + Int64(number / workersOfShop)
        let path = "/workplaces/\(shop)/workers/me/works"
        _ = try await send(.POST, path, of: Self.firstWorker + Int64(number), body, expecting: .created)
    }

    private func send(
        _ method: HTTPMethod,
        _ path: String,
        of account: Int64,
        _ body: String = "",
        expecting status: HTTPResponseStatus
    ) async throws -> ByteBuffer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = method
        let identity = ServiceFixture.identity(of: account, in: .moup, method.rawValue, path, to: .workforce)
        request.headers.add(name: InternalIdentity.header, value: identity)
        if !body.isEmpty { request.body = .bytes(ByteBuffer(string: body)) }
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let bytes = try await answer.body.collect(upTo: 64 << 20)
        guard answer.status == status else {
            throw StackError("\(method) \(path) failed: \(answer.status) \(String(buffer: bytes))")
        }
        return bytes
    }

    /// The current number of shifts.
    func shifts(_ server: PostgresServer) async throws -> Int {
        try await server.withClient(of: Database.name) { database in
            try await database.execute("ANALYZE")
            return try await database.one("SELECT count(*) FROM workforce.shifts") { try $0.decode(Int.self) }
        }
    }

    /// Marks the current month of all workers as calculated with other rates.
    func markOutdated(_ server: PostgresServer) async throws {
        _ = try await server.withClient(of: Database.name) { database in
            try await database.execute(
                "UPDATE workforce.months SET revision = '' WHERE month = \("\(Self.thisMonth)-01")::text::date"
            )
        }
    }

    func waitUntilCalculated(_ server: PostgresServer) async throws {
        try await server.withClient(of: Database.name) { database in
            var left = 1
            while left > 0 {
                left = try await database.one("SELECT count(*) FROM workforce.months WHERE revision = ''") {
                    try $0.decode(Int.self)
                }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    /// `yyyy-MM-dd`, `days` from now.
    private static func day(_ days: Int) -> String {
        String(Date(timeIntervalSinceNow: Double(days) * 86_400).formatted(.iso8601).prefix(10))
    }

    private static var thisMonth: Substring { day(0).prefix(7) }
}
