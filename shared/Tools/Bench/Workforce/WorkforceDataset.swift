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

    static let shops = 200
    static let workersOfShop = 5
    static let workers = shops * workersOfShop
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
        let worker = Self.firstWorker + Int64(number % Self.workers)
        let owner = Self.firstOwner + Int64(number % Self.shops)
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

    // MARK: Setup

    /// Users, shops and wages. Shop N belongs to owner N.
    func people(_ server: PostgresServer) async throws {
        try await server.withClient(of: Database.name) { database in
            for script in Self.scripts { try await database.execute(script) }
        }
    }

    private static let scripts: [SQL] = [
        """
        INSERT INTO workforce.people (account_id, nickname, role)
        SELECT \(firstOwner) + n, '사장' || n, 'ROLE_OWNER' FROM generate_series(0, \(shops - 1)) AS n
        """,
        """
        INSERT INTO workforce.people (account_id, nickname, role)
        SELECT \(firstWorker) + n, '알바' || n, 'ROLE_WORKER' FROM generate_series(0, \(workers - 1)) AS n
        """,
        """
        INSERT INTO workforce.workplaces (id, creator_id, name, category, is_shared) OVERRIDING SYSTEM VALUE
        SELECT account_id, account_id, '가게', '카페', true FROM workforce.people WHERE role = 'ROLE_OWNER'
        """,
        """
        INSERT INTO workforce.workers (workplace_id, account_id, is_accepted)
        SELECT \(firstOwner) + n / \(workersOfShop), \(firstWorker) + n, true
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

    /// Four shifts per week for 25 weeks, half of them in the past, created through the public API.
    ///
    /// - Returns: The duration in seconds.
    func plan() async throws -> Double {
        let start = ContinuousClock.now
        let first = Self.day(-88)
        let body = """
            {"routineIdList":[],"startTime":"\(first)T01:00:00Z","endTime":"\(first)T06:00:00Z","restTimeMinutes":30,
             "repeatDays":["MONDAY","TUESDAY","THURSDAY","SATURDAY"],"repeatEndDate":"\(Self.day(-88 + 174))"}
            """
        try await withThrowingDiscardingTaskGroup { group in
            for lane in 0..<4 {
                group.addTask {
                    for number in stride(from: lane, to: Self.workers, by: 4) { try await plan(number, body) }
                }
            }
        }
        return (.now - start) / .seconds(1)
    }

    private func plan(_ number: Int, _ body: String) async throws {
        let shop = Self.firstOwner + Int64(number / Self.workersOfShop)
        let path = "/workplaces/\(shop)/workers/me/works"
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = .POST
        let worker = Self.firstWorker + Int64(number)
        let identity = ServiceFixture.identity(of: worker, in: .moup, "POST", path, to: .workforce)
        request.headers.add(name: InternalIdentity.header, value: identity)
        request.body = .bytes(ByteBuffer(string: body))
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let text = String(buffer: try await answer.body.collect(upTo: 1 << 20))
        guard answer.status == .created else { throw StackError("shifts cannot be planned: \(answer.status) \(text)") }
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
