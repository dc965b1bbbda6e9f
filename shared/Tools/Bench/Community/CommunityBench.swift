import AppClients
import Contracts
import NIOCore
import Postgres
import PostgresServer
import StackKit

/// Requests for posts of Anlaka and Seoul Culture through the gateway, with a million posts stored; a burst of likes;
/// uploads.
struct CommunityBench: BenchSuite {
    let name = "community"
    let summary =
        "posts through the gateway: nearby, searched for, reviews, with 1,200,000 posts stored; likes, uploads"
    let tools = [BenchTool(command: "psql", package: "postgresql")]

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        try OpenFiles.allow(16_384)
        return try await bench.withPostgres { server in
            let database = Database(server: server)
            try await database.bootstrap()
            let fixture = try GatewayFixture("community", bench, database)
            let dataset = CommunityDataset()
            return try await fixture.withPrograms {
                let (anlaka, culture) = (try await fixture.join(), try await fixture.joinCulture())
                var results = try await UploadLoad(fixture: fixture, token: anlaka).run(bench)
                bench.report("writing \(CommunityDataset.posts + CommunityDataset.reviews) posts, about three minutes")
                try await dataset.build(server)
                for call in CommunityDataset.Call.allCases {
                    bench.report("asking for \(call.title), \(CommunityDataset.Call.rate) times a second")
                    let token = call.isCulture ? culture : anlaka
                    _ = try await Self.ask(call, fixture, dataset, token, 2 * CommunityDataset.Call.rate)
                    let count = max(200, Int(bench.duration / .seconds(1)) * CommunityDataset.Call.rate)
                    results += try await Self.ask(call, fixture, dataset, token, count)
                }
                bench.report("\(CommunityDataset.likers) people like one post at the same moment")
                return results + (try await Self.burst(fixture, server))
            }
        }
    }

    private static func ask(
        _ call: CommunityDataset.Call,
        _ fixture: GatewayFixture,
        _ dataset: CommunityDataset,
        _ token: String,
        _ count: Int
    ) async throws -> [BenchResult] {
        let key = call.isCulture ? AppKey.culture : AppKey.anlaka
        let requests = (0..<count).map { number in
            fixture.request(dataset.path(call, number), key: key, token, at: number, of: CommunityDataset.Call.rate)
        }
        return try await BurstLoad.times(requests, of: call.title, reach: CommunityDataset.Call.reach)
    }

    /// Each account likes twice; half of them unlike.
    private static func burst(_ fixture: GatewayFixture, _ server: PostgresServer) async throws -> [BenchResult] {
        let path = "/v1/posts/\(CommunityDataset.liked)/like"
        func likes(_ isLiked: Bool, of accounts: some Sequence<Int>) -> [BurstLoad.Request] {
            accounts.map { account in
                let body = #"{"like_status":\#(isLiked)}"#
                let identity = ServiceFixture.identity(
                    of: Int64(-2 * account),
                    in: .anlaka,
                    "POST",
                    path,
                    to: .community
                )
                return BurstLoad.Request(
                    port: fixture.service,
                    text: """
                        POST \(path) HTTP/1.1\r\nHost: madang\r\nX-Madang-Identity: \(identity)\r\n\
                        Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
                        """
                )
            }
        }
        let likers = 1...CommunityDataset.likers
        let times = try await BurstLoad.times(
            likes(true, of: Array(likers) + Array(likers)),
            of: "likes of one post at once, twice by each",
            reach: nil
        )
        let all = try await count(server)
        let even = likers.filter { $0.isMultiple(of: 2) }
        _ = try await BurstLoad.times(likes(false, of: even + even), of: "likes taken back", reach: nil)
        let half = try await count(server)
        return times + [
            BenchResult(
                name: "likes counted too many or too few, of \(CommunityDataset.likers)",
                unit: "",
                ours: Double(abs(all.reported - likers.count) + abs(all.stored - likers.count)),
                goal: .atMost(0)
            ),
            BenchResult(
                name: "the same after half were taken back",
                unit: "",
                ours: Double(abs(half.reported - likers.count / 2) + abs(half.stored - likers.count / 2)),
                goal: .atMost(0)
            ),
        ]
    }

    private static func count(_ server: PostgresServer) async throws -> (reported: Int, stored: Int) {
        try await server.withClient(of: "madang") { database in
            try await database.one(
                """
                SELECT p.like_count
                        + (SELECT coalesce(sum(c.change), 0) FROM community.like_changes c WHERE c.post_id = p.id),
                    (SELECT count(*) FROM community.likes k WHERE k.post_id = p.id)
                FROM community.posts p WHERE p.public_id = \(CommunityDataset.liked)
                """
            ) { try $0.decode(as: (Int, Int).self) }
        }
    }
}

extension GatewayFixture {
    /// Signs a user of Seoul Culture up.
    fileprivate func joinCulture() async throws -> String {
        let nick = "나들이\(UInt32.random(in: 0 ... .max))"
        return try await join(client(key: AppKey.culture) as CultureClient, nick: nick)
    }
}
