import Contracts
import NIOCore
import Postgres
import PostgresServer
import StackKit

/// What the lock of one row does to others: reads of posts while another session holds the row of one that people like and
/// comment on; and likes of one post beside likes of many.
struct LocksBench: BenchSuite {
    let name = "locks"
    let summary = "reads of posts while the row of one is locked and waited for; likes of one post and of many"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    /// How long the row is held, in seconds.
    private static let seconds = 6
    private static let rounds = 3
    /// Requests per second.
    private static let (reads, writes) = (100, 20)
    private static let posts = 3_200
    private static let people = 3_200
    /// Connections that like, one after the other on each.
    private static let clients = 64

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(16_384)
        return try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let fixture = ServiceFixture(
                name: "community",
                port: try FreePort.find(),
                databaseURL: try database.url(role: "community"),
                environment: [
                    "AUTH_URL": ServiceFixture.closedURL, "NOTIFICATIONS_URL": ServiceFixture.closedURL,
                    "SEOUL_URL": ServiceFixture.closedURL,
                ]
            )
            return try await fixture.withService(bench) {
                try await server.withClient(of: "madang") { client in
                    try await client.execute(Self.allPeople)
                    try await client.execute(Self.allPosts)
                    return try await Self.held(fixture, client, bench) + Self.likes(fixture, bench)
                }
            }
        }
    }

    private static let allPeople: SQL = """
        INSERT INTO community.people (account_id, app, public_id, nickname)
        SELECT n, 'anlaka', 'f' || lpad(to_hex(n), 23, '0'), '사람' || n FROM generate_series(1, \(people)) n
        """

    private static let allPosts: SQL = """
        INSERT INTO community.posts (public_id, app, author_id, category, title, title_key, content, latitude, longitude)
        SELECT lpad(to_hex(n), 24, '0'), 'anlaka', n, '정보', '산책 ' || n, '산책 ' || n, '골목을 지나다 보았습니다.',
            37.4 + n % 97 / 400.0, 126.8 + n % 89 / 250.0
        FROM generate_series(1, \(posts)) n
        """

    // MARK: Reads while a row is held

    private static func held(
        _ fixture: ServiceFixture,
        _ client: PostgresClient,
        _ bench: BenchContext
    ) async throws -> [BenchResult] {
        // The first requests prepare the statements.
        _ = try await BurstLoad.run(reading(fixture), timeout: .seconds(60))
        var (free, locked): ([Double], [Double]) = ([], [])
        for round in 1...rounds {
            bench.report("reading posts, round \(round) of \(rounds)")
            free.append(try await slowest(BurstLoad.run(reading(fixture), timeout: .seconds(60))))
            bench.report(
                "reading posts while one that is liked and commented on is locked, round \(round) of \(rounds)"
            )
            let (answers, waiting) = try await client.transaction { transaction in
                try await transaction.execute(
                    "SELECT FROM community.posts WHERE public_id = \(publicID(1)) FOR UPDATE"
                )
                let waiting = Task { try await BurstLoad.run(writing(fixture), timeout: .seconds(60)) }
                // The server ends transactions without a statement.
                async let end = transaction.execute("SELECT pg_sleep(\(Double(seconds)))")
                let answers = try await BurstLoad.run(reading(fixture), timeout: .seconds(60))
                _ = try await end
                return (answers, waiting)
            }
            _ = try await waiting.value
            locked.append(try slowest(answers))
        }
        return [
            BenchResult(
                name: "reads of posts while the row of one is held, 99 of 100 within",
                unit: "ms",
                ours: BenchResult.median(locked),
                yardstick: .init(name: "the same while none is", value: BenchResult.median(free)),
                goal: .ratioAtMost(5)
            )
        ]
    }

    private static func reading(_ fixture: ServiceFixture) -> [BurstLoad.Request] {
        (0..<reads * seconds).map { number in
            request(fixture, "GET", "/v1/posts/\(publicID(2 + number % (posts - 1)))", by: 1 + number % people)
                .after(number, of: reads)
        }
    }

    /// Likes of and comments on the held post.
    private static func writing(_ fixture: ServiceFixture) -> [BurstLoad.Request] {
        let path = "/v1/posts/\(publicID(1))"
        return (0..<writes * seconds).map { number in
            let isLike = number.isMultiple(of: 2)
            let body = isLike ? #"{"like_status":true}"# : #"{"content":"저도 가 보고 싶어요"}"#
            return request(fixture, "POST", path + (isLike ? "/like" : "/comments"), body: body, by: 1 + number)
                .after(number, of: writes)
        }
    }

    /// The time in milliseconds within which 99 of 100 were answered.
    private static func slowest(_ answers: [BurstLoad.Answer]) throws -> Double {
        guard answers.allSatisfy(\.isGood) else {
            throw StackError("a post could not be read: \(answers.first { !$0.isGood }?.status ?? 0)")
        }
        let times = answers.map { Double($0.time.nanoseconds) / 1_000_000 }.sorted()
        return times[times.count * 99 / 100]
    }

    // MARK: Likes

    private static func likes(_ fixture: ServiceFixture, _ bench: BenchContext) async throws -> [BenchResult] {
        var (one, many): ([Double], [Double]) = ([], [])
        for round in 1...rounds {
            bench.report("\(people) people like one post, and one each, round \(round) of \(rounds)")
            one.append(try await rate(fixture) { _ in round })
            many.append(try await rate(fixture) { person in 1 + (person + round * 7) % posts })
        }
        return [
            BenchResult(
                name: "likes of one post, \(clients) clients",
                unit: "likes/s",
                ours: BenchResult.median(one),
                yardstick: .init(name: "likes of many posts", value: BenchResult.median(many)),
                goal: .ratioAtLeast(0.5)
            )
        ]
    }

    /// Likes per second of each person, by the number of the post.
    private static func rate(_ fixture: ServiceFixture, of post: (Int) -> Int) async throws -> Double {
        let requests = (1...people).map { person in
            request(
                fixture,
                "POST",
                "/v1/posts/\(publicID(post(person)))/like",
                body: #"{"like_status":true}"#,
                by: person
            )
        }
        let answers = try await BurstLoad.run(requests, queued: people / clients, timeout: .seconds(60))
        guard answers.allSatisfy(\.isGood) else {
            throw StackError("a like failed: \(answers.first { !$0.isGood }?.status ?? 0)")
        }
        let last = answers.map(\.time.nanoseconds).max() ?? 0
        return Double(people) / (Double(last) / 1_000_000_000)
    }

    // MARK: Requests

    private static func publicID(_ post: Int) -> String {
        let digits = String(post, radix: 16)
        return String(repeating: "0", count: 24 - digits.count) + digits
    }

    private static func request(
        _ fixture: ServiceFixture,
        _ method: String,
        _ path: String,
        body: String = "",
        by person: Int
    ) -> BurstLoad.Request {
        let identity = ServiceFixture.identity(of: Int64(person), in: .anlaka, method, path, to: .community)
        let content =
            body.isEmpty ? "" : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        return BurstLoad.Request(
            port: fixture.port,
            text:
                "\(method) \(path) HTTP/1.1\r\nHost: madang\r\nX-Madang-Identity: \(identity)\r\n\(content)\r\n\(body)"
        )
    }
}

extension BurstLoad.Request {
    /// The same request at its place in a sequence of a constant rate per second.
    fileprivate func after(_ number: Int, of rate: Int) -> Self {
        var request = self
        request.delay = .microseconds(Int64(number * 1_000_000 / rate))
        return request
    }
}
