import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .companions) struct CompanionListTests {
    private var world: CompanionWorld { .current }

    private func titles(_ list: CompanionWorld.List) -> [String] { list.posts.map(\.title) }

    @Test func region_isResolvedAndExpanded() async throws {
        _ = try await world.post("잠실", region: "잠실/송파/강동")
        _ = try await world.post("홍대", region: "홍대/합정/마포/서대문/은평")
        _ = try await world.post("서울", region: "서울 전체")
        _ = try await world.post("강릉", region: "강릉")
        _ = try await world.post("전국", region: "전국 전체")
        // All these values mean the viewer's own region.
        for region in [nil, "", "my-region", "잠실/송파/강동"] {
            let list = try await world.list(region: region)
            #expect(list.region == "잠실/송파/강동" && titles(list) == ["잠실"], "\(region ?? "nil")")
        }
        let seoul = try await world.list(region: "서울 전체")
        #expect(seoul.region == "서울 전체" && titles(seoul) == ["서울", "홍대", "잠실"])
        let all = try await world.list(region: "전국 전체")
        #expect(titles(all) == ["전국", "강릉", "서울", "홍대", "잠실"])
        // A viewer whose own region is a whole location sees all of its regions.
        try await world.database.execute("UPDATE people SET region = 'SEOUL_ALL' WHERE account_id = 2")
        #expect(titles(try await world.list(region: "")) == ["서울", "홍대", "잠실"])
        try await world.database.execute("UPDATE people SET region = NULL WHERE account_id = 2")
        let unknown = try await world.list()
        #expect(unknown.region == "전국 전체" && unknown.posts.count == 5)
        for region in ["서울", "없는 곳", "SEOUL_JAMSIL", "my-region "] {
            let path = "/api/v1/posts?\(CompanionWorld.query(["region": region]))"
            #expect(try await world.client(2).send(.get, path).refusal == "400 POST_003", "\(region)")
        }
    }

    @Test func dayChips_acrossNewYear_filterByDay() async throws {
        let dates = [
            "2026-12-30T00:00", "2026-12-30T23:59", "2026-12-31T12:00", "2027-01-01T00:00", "2026-01-01T18:00",
            "2027-01-05T23:59:59.999",
        ]
        for date in dates { _ = try await world.post(date, date: date) }
        let all = try await world.list(date: "전체")
        #expect(titles(all) == dates.reversed())
        #expect(all.days == ["전체", "12/30 (수)", "12/31 (목)", "1/1 (금)", "1/2 (토)", "1/3 (일)", "1/4 (월)", "1/5 (화)"])
        #expect(titles(try await world.list(date: "12/30 (수)")) == ["2026-12-30T23:59", "2026-12-30T00:00"])
        #expect(titles(try await world.list(date: "1/1 (금)")) == ["2027-01-01T00:00"])
        #expect(titles(try await world.list(date: "1/5 (화)")) == ["2027-01-05T23:59:59.999"])
        #expect(titles(try await world.list(date: "1/2 (토)")) == [])
        #expect(titles(try await world.list(date: "")).count == 6)
        #expect(titles(try await world.list(region: "전국 전체", date: "12/31 (목)")) == ["2026-12-31T12:00"])
        for date in ["2/30 (수)", "내일", "1월 1일", "2026-12-30"] {
            let path = "/api/v1/posts?\(CompanionWorld.query(["date": date]))"
            let answer = try await world.client(2).send(.get, path)
            #expect(answer.refusal == "400 REQUEST_001" && answer.text.contains("date"), "\(date)")
        }
        // A post expires right after its time to meet.
        let expired = all.posts.filter { $0.isExpired == true }.map(\.title)
        #expect(expired == ["2026-01-01T18:00", "2026-12-30T00:00"])
    }

    @Test func postsOfBlockers_areHidden() async throws {
        for account in [1, 2, 9] as [AccountID] { _ = try await world.post("\(account)", by: account) }
        world.stubs.state.withLock { $0.blockers[2] = [1, 77] }
        #expect(titles(try await world.list(2)) == ["9", "2"])
        let home: CompanionWorld.Home = try await world.get("/api/v1/home", 2)
        #expect(home.homePosts.map(\.title) == ["2", "9"])
        // The blocking user still sees all posts, and a post is shown by its id.
        #expect(titles(try await world.list(1)) == ["9", "2", "1"])
        #expect(try await world.client(2).send(.get, "/api/v1/posts/1").status == .ok)
        // While the blocks are unknown, no posts are shown.
        world.stubs.state.withLock { $0.isAuthAway = true }
        for path in ["/api/v1/posts", "/api/v1/home"] {
            #expect(try await world.client(2).send(.get, path).refusal == "503 RESPONSE_002")
        }
    }

    @Test func home_showsThreePostsOfOwnRegion() async throws {
        var ids: Set<CompanionPostID> = []
        for number in 0..<8 { ids.insert(try await world.post("\(number)")) }
        _ = try await world.post("expired", date: "2026-12-30T17:59")
        _ = try await world.post("elsewhere", region: "서울 전체")
        var seen: Set<CompanionPostID> = []
        for _ in 0..<40 {
            let home: CompanionWorld.Home = try await world.get("/api/v1/home", 1)
            let shown = home.homePosts.map(\.postId)
            #expect(shown.count == 3 && shown == shown.sorted() && ids.isSuperset(of: shown))
            #expect(home.region == "잠실/송파/강동" && home.nickname == "하루" && home.count == 3)
            seen.formUnion(shown)
        }
        // The probability that one of eight posts is never among forty draws of three is about one in ten million.
        #expect(seen == ids)
    }

    @Test func memberCount_isCachedForOneMinute() async throws {
        func count() async throws -> Int {
            try await world.get("/api/v1/home", 1, as: CompanionWorld.Home.self).count
        }
        #expect(try await count() == 3)
        try await CommunityWorld.addProfile(10, "새싹", .withsuhyeon)
        try await CommunityWorld.addProfile(11, "남", .anlaka)
        try await world.database.execute("UPDATE people SET withdrawn_at = now() WHERE account_id = 9")
        try await CommunityWorld.addProfile(12, "풀", .withsuhyeon)
        #expect(try await count() == 3)
        world.clock.advance(by: 60)
        #expect(try await count() == 4)
    }

    @Test func lists_areLimitedToThousand() async throws {
        try await world.database.execute(
            """
            INSERT INTO companion_posts (author_id, region, location, wants_man, age, requests, meets_at, price, title,
                content)
            SELECT 1, 'SEOUL_JAMSIL', '서울', true, 'EARLY20', '{}', now(), 1, n::text, 'x'
            FROM generate_series(1, 1001) n
            """
        )
        for region in ["", "서울 전체", "전국 전체"] {
            let posts = try await world.list(region: region).posts
            #expect(posts.count == 1000 && posts.first?.title == "1001")
        }
        struct Own: Decodable { var userPosts: [Item]; struct Item: Decodable { var title: String } }
        let own: Own = try await world.get("/api/v1/mypage/posts", 1)
        #expect(own.userPosts.count == 1000)
    }

    @Test func internalPosts_areReadByIds() async throws {
        let ids = [try await world.post("하나"), try await world.post("둘", by: 2, region: "강릉")]
        let process = ServiceClient(world.client, to: .community, process: .chat)
        func ask(_ ids: [CompanionPostID]) async throws -> TestResponse {
            let json = #"{"posts":\#(ids)}"#
            return try await process.send(.post, CommunityAPI.CompanionPosts.path, json: json)
        }
        let posts = try await ask(ids + [99, -1]).json(CommunityAPI.CompanionPosts.self).posts
        #expect(
            posts.sorted { $0.id < $1.id } == [
                .init(id: ids[0], author: 1, title: "하나", region: "SEOUL_JAMSIL", price: 10_000),
                .init(id: ids[1], author: 2, title: "둘", region: "GANGWON_GANGNEUNG", price: 10_000),
            ]
        )
        #expect(try await ask([]).json(CommunityAPI.CompanionPosts.self).posts == [])
        #expect(try await ask((1...1000).map(CompanionPostID.init(rawValue:))).status == .ok)
        #expect(try await ask((1...1001).map(CompanionPostID.init(rawValue:))).status == .badRequest)
        let path = CommunityAPI.CompanionPosts.path
        #expect(try await world.client(1).send(.post, path, json: #"{"posts":[1]}"#).status == .notFound)
    }
}
