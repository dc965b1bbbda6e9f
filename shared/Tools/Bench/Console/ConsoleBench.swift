import Contracts
import PostgresServer
import StackKit

/// How long the console's pages take with a million spans, a room of 100,000 events, 10,000 waiting events and a story of
/// 50,000 spans, and how much memory it takes for them.
struct ConsoleBench: BenchSuite {
    let name = "console"
    let summary = "the console's pages with a million spans, long rooms and many waiting events; its memory"
    let tools: [BenchTool] = []

    private static let rounds = 20
    private static let longest = 200.0
    private static let memoryLimit = 64.0

    private static let pages = [
        ("now", "now"), ("search by an account with 100 stories", "story?q=7"),
        ("search by an unknown id", "story?q=nothing"), ("a story", "story/\(ConsoleDataset.story)"),
        ("a story of 50,000 spans", "story/\(ConsoleDataset.longStory)"), ("events, 10,000 waiting", "events"),
        ("a room of 100,000 events", "live/room/\(ConsoleDataset.room)"), ("live", "live"), ("money", "money"),
        ("outside", "outside"), ("data", "data"), ("API", "api"), ("acts", "acts"),
    ]

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let fixture = try ConsoleFixture(database)
            return try await fixture.withPrograms(bench) {
                let cookie = try await fixture.signIn()
                for (_, path) in Self.pages.prefix(1) { _ = try await fixture.page(path, cookie) }
                let before = fixture.memory
                bench.report("storing \(ConsoleDataset.spans) spans")
                try await ConsoleDataset.build(server)
                var results: [BenchResult] = []
                for (name, path) in Self.pages {
                    bench.report("loading \(name)")
                    results += try await Self.times(of: name, path, cookie, fixture)
                }
                results.append(
                    BenchResult(
                        name: "more memory than before",
                        unit: "MB",
                        ours: Double(fixture.memory - before) / 1_000_000,
                        goal: .atMost(Self.memoryLimit)
                    )
                )
                return results
            }
        }
    }

    private static func times(
        of name: String,
        _ path: String,
        _ cookie: String,
        _ fixture: ConsoleFixture
    ) async throws -> [BenchResult] {
        var (times, size): ([Double], Int) = ([], 0)
        for _ in 0..<rounds {
            let page = try await fixture.page(path, cookie)
            times.append(page.time)
            size = page.size
        }
        return [
            BenchResult(
                name: "\(name), \(size / 1000) kB, longest of \(rounds)",
                unit: "ms",
                ours: times.max() ?? 0,
                goal: .atMost(longest)
            ),
            BenchResult(name: "\(name), median", unit: "ms", ours: BenchResult.median(times)),
        ]
    }
}
