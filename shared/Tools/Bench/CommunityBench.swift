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
            let rig = try GatedRig("community", bench, database)
            let town = CommunityTown()
            return try await rig.withHouse {
                let (anlaka, culture) = (try await rig.join(), try await rig.joinCulture())
                var results = try await UploadLoad(rig: rig, token: anlaka).run(bench)
                bench.report("writing \(CommunityTown.posts + CommunityTown.reviews) posts, about three minutes")
                try await town.build(server)
                for call in CommunityTown.Call.allCases {
                    bench.report("asking for \(call.title), \(CommunityTown.Call.rate) times a second")
                    let token = call.isCulture ? culture : anlaka
                    _ = try await Self.ask(call, rig, town, token, 2 * CommunityTown.Call.rate)
                    let count = max(200, Int(bench.duration / .seconds(1)) * CommunityTown.Call.rate)
                    results += try await Self.ask(call, rig, town, token, count)
                }
                bench.report("\(CommunityTown.crowd) people like one post at the same moment")
                return results + (try await Self.storm(rig, server))
            }
        }
    }

    private static func ask(
        _ call: CommunityTown.Call,
        _ rig: GatedRig,
        _ town: CommunityTown,
        _ token: String,
        _ count: Int
    ) async throws -> [BenchResult] {
        let key = call.isCulture ? AppKey.culture : AppKey.anlaka
        let requests = (0..<count).map { number in
            rig.request(town.path(call, number), key: key, token, at: number, of: CommunityTown.Call.rate)
        }
        return try await StormLoad.times(requests, of: call.title, reach: CommunityTown.Call.reach)
    }

    /// Each account likes twice; half of them unlike.
    private static func storm(_ rig: GatedRig, _ server: PostgresServer) async throws -> [BenchResult] {
        let path = "/v1/posts/\(CommunityTown.liked)/like"
        func likes(_ isLiked: Bool, of accounts: some Sequence<Int>) -> [StormLoad.Request] {
            accounts.map { account in
                let body = #"{"like_status":\#(isLiked)}"#
                let identity = ServiceRig.identity(of: Int64(-2 * account), in: .anlaka)
                return StormLoad.Request(
                    port: rig.service,
                    text: """
                        POST \(path) HTTP/1.1\r\nHost: madang\r\nX-Madang-Identity: \(identity)\r\n\
                        Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
                        """
                )
            }
        }
        let crowd = 1...CommunityTown.crowd
        let times = try await StormLoad.times(
            likes(true, of: Array(crowd) + Array(crowd)),
            of: "likes of one post at once, twice by each",
            reach: nil
        )
        let all = try await count(server)
        let even = crowd.filter { $0.isMultiple(of: 2) }
        _ = try await StormLoad.times(likes(false, of: even + even), of: "likes taken back", reach: nil)
        let half = try await count(server)
        return times + [
            BenchResult(
                name: "likes counted too many or too few, of \(CommunityTown.crowd)",
                unit: "",
                ours: Double(abs(all.told - crowd.count) + abs(all.stored - crowd.count)),
                goal: .atMost(0)
            ),
            BenchResult(
                name: "the same after half were taken back",
                unit: "",
                ours: Double(abs(half.told - crowd.count / 2) + abs(half.stored - crowd.count / 2)),
                goal: .atMost(0)
            ),
        ]
    }

    private static func count(_ server: PostgresServer) async throws -> (told: Int, stored: Int) {
        try await server.withClient(of: "madang") { database in
            try await database.one(
                """
                SELECT p.like_count, (SELECT count(*) FROM community.likes k WHERE k.post_id = p.id)
                FROM community.posts p WHERE p.public_id = \(CommunityTown.liked)
                """
            ) { try $0.decode(as: (Int, Int).self) }
        }
    }
}

extension GatedRig {
    /// Signs a user of Seoul Culture up.
    ///
    /// - Returns: The access token.
    fileprivate func joinCulture() async throws -> String {
        let phone = phone(key: AppKey.culture)
        let number = UInt32.random(in: 0 ... .max)
        let account: [String: JSON] = [
            "email": .string("bench-\(number)@example.com"), "password": "culture2025!",
        ]
        let person = JSON.object(account.merging(["nick": .string("나들이\(number)")]) { $1 })
        try await phone.send("", .post, "/v1/users/join", body: person)
        return try await phone.send("", .post, "/v1/users/login", body: .object(account)).text("accessToken")
    }
}
