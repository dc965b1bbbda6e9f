import FoundationEssentials
import Postgres
import PostgresServer
import StackKit

/// The cost of a payment verification in addition to PortOne's own time: the service queries the sandbox for a payment
/// and records it in the ledger; the same payment is queried at the sandbox directly. Rounds alternate. Then the
/// throughput of orders and verifications.
struct PaymentsBench: BenchSuite {
    let name = "payments"
    let summary = "verification of payments beside the same question asked at PortOne's sandbox; orders"
    let tools = [
        BenchTool(command: "psql", package: "postgresql"), BenchTool(command: "nginx", package: "nginx"),
    ]

    private static let rounds = 5
    /// The number of payments verified per round.
    private static let share = 80
    /// The numbers of concurrent requests.
    private static let concurrencies = [1, 8]
    /// The number of concurrent callers of the throughput measurement.
    private static let callers = 32

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let fixture = try PaymentsFixture(bench, database)
            let many = max(400, Int(bench.duration / .seconds(1)) * 200)
            return try await fixture.withPrograms(bench) {
                let verified = Self.concurrencies.count * Self.rounds * Self.share
                bench.report("paying for \(verified + many) orders")
                try await Self.prepare(verified + many, server)
                let payments = try await Self.pay(1...verified + many, fixture)
                let token = try await fixture.token()
                // Establishes connections and query plans before the measurement.
                for payment in payments.suffix(50) { try await fixture.payment(payment, token: token) }
                var results: [BenchResult] = []
                var rest = payments[...]
                for concurrency in Self.concurrencies {
                    bench.report("verifying \(Self.rounds * Self.share) payments, \(concurrency) at once")
                    let own = rest.prefix(Self.rounds * Self.share)
                    rest = rest.dropFirst(own.count)
                    results += try await Self.compare(Array(own), concurrency, fixture, token)
                }
                bench.report("verifying \(many) payments, and ordering as often, \(Self.callers) at once")
                results.append(
                    try await Self.rate(of: "verifications", Array(rest)) { try await fixture.validate($0) }
                )
                let listings = (0..<many).map { Self.id("f", $0) }
                results.append(try await Self.rate(of: "orders", listings) { try await fixture.order($0) })
                return results
            }
        }
    }

    // MARK: Measurements

    private static func compare(
        _ payments: [String],
        _ concurrency: Int,
        _ fixture: PaymentsFixture,
        _ token: String
    ) async throws -> [BenchResult] {
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for round in 0..<rounds {
            let own = Array(payments[round * share..<(round + 1) * share])
            theirs += try await times(own, concurrency) { try await fixture.payment($0, token: token) }
            ours += try await times(own, concurrency) { try await fixture.validate($0) }
        }
        let title = concurrency == 1 ? "verification" : "verification, \(concurrency) at once"
        func result(_ name: String, _ share: Int, goal: BenchResult.Goal?) -> [BenchResult] {
            let (mine, direct) = (last(of: share, ours), last(of: share, theirs))
            return [
                BenchResult(
                    name: "\(title), \(name)",
                    unit: "ms",
                    ours: mine,
                    yardstick: .init(name: "the sandbox's own time", value: direct)
                ),
                BenchResult(name: "what \(title) adds, \(name)", unit: "ms", ours: mine - direct, goal: goal),
            ]
        }
        // Concurrent requests wait for each other, and for the two cores that all programs share.
        return result("median", 2, goal: concurrency == 1 ? .atMost(2) : nil)
            + result("99 of 100 within", 100, goal: nil)
    }

    private static func rate(
        of what: String,
        _ subjects: [String],
        _ call: @escaping @Sendable (String) async throws -> Void
    ) async throws -> BenchResult {
        let start = ContinuousClock.now
        _ = try await times(subjects, callers, call)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return BenchResult(
            name: "\(what), \(callers) at once",
            unit: "\(what)/s",
            ours: Double(subjects.count) / seconds
        )
    }

    /// The duration of each call, in milliseconds.
    private static func times(
        _ subjects: [String],
        _ concurrency: Int,
        _ call: @escaping @Sendable (String) async throws -> Void
    ) async throws -> [Double] {
        try await withThrowingTaskGroup(of: [Double].self) { group in
            for first in 0..<concurrency {
                group.addTask {
                    var times: [Double] = []
                    for index in stride(from: first, to: subjects.count, by: concurrency) {
                        let start = ContinuousClock.now
                        try await call(subjects[index])
                        times.append((ContinuousClock.now - start) / .milliseconds(1))
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// The quantile that all but one of `count` values stay below.
    private static func last(of count: Int, _ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count * (count - 1) / count]
    }

    // MARK: Preparation

    /// Creates orders that can be paid and are not due for a background check.
    static func prepare(_ count: Int, _ server: PostgresServer) async throws {
        try await server.withClient(of: Database.name) { database in
            let account = PaymentsFixture.account
            try await database.execute(
                """
                INSERT INTO payments.people (account_id, app, public_id, nickname)
                VALUES (\(account), 'anlaka', \(id("a", 1)), '하루')
                """
            )
            let listing = PaymentsFixture.listing(id("e", 0))
            _ = try await database.execute(
                """
                INSERT INTO payments.orders (public_id, app, code, account_id, subject, name, amount, listing, state,
                    held_until, prepared_at, created_at, updated_at)
                SELECT 'c' || lpad(to_hex(n), 23, '0'), 'anlaka', 'BNCH' || lpad(n::text, 6, '0'), \(account),
                    'e' || lpad(to_hex(n), 23, '0'), '햇살이 드는 원룸', 100000, \(PostgresJSON(listing)), 'open',
                    now() + interval '1 hour', now(), now(), now()
                FROM generate_series(1, \(count)) n
                """
            )
        }
    }

    /// - Returns: The payments' `imp_uid`s.
    static func pay(_ numbers: ClosedRange<Int>, _ fixture: PaymentsFixture) async throws -> [String] {
        var payments: [String] = []
        for number in numbers {
            let digits = String(number)
            payments.append(try await fixture.pay("BNCH" + String(repeating: "0", count: 6 - digits.count) + digits))
        }
        return payments
    }

    /// 24 hexadecimal digits.
    private static func id(_ first: String, _ number: Int) -> String {
        let digits = String(number, radix: 16)
        return first + String(repeating: "0", count: 23 - digits.count) + digits
    }
}
