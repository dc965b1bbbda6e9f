import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .anlaka) struct SearchTests {
    private var world: CommunityWorld { .current }

    private func search(_ title: String) async throws -> [String] {
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
        let encoded = title.utf8.map { byte -> String in
            let hex = String(byte, radix: 16)
            return allowed.contains(byte)
                ? String(decoding: [byte], as: UTF8.self) : "%" + (hex.count == 1 ? "0" : "") + hex
        }
        let list = try await world.posts("search?title=\(encoded.joined())", by: 2)
        #expect(list.nextCursor == nil)
        return list.data.map(\.title)
    }

    @Test func search_findsSubstringsOfTitles() async throws {
        let titles = ["노원구 맛집 추천", "Best BURGER in 100%", "a_b\\c", "맛있는집", "ÉCLAIR 집", "맛 집"]
        for title in titles { _ = try await world.post(title) }
        #expect(try await search("맛집") == [titles[0]])
        #expect(try await search("집") == [titles[5], titles[4], titles[3], titles[0]])
        #expect(try await search("burger") == [titles[1]])
        #expect(try await search("BEST b") == [titles[1]])
        #expect(try await search("éclair") == [titles[4]])
        #expect(try await search("%") == [titles[1]])
        #expect(try await search("_") == [titles[2]])
        #expect(try await search("b\\c") == [titles[2]])
        #expect(try await search("원구 맛집 추") == [titles[0]])
        for nothing in ["맛집추천", "%집", "a%c", "A__C", "'", "추천!"] {
            #expect(try await search(nothing) == [], "\(nothing)")
        }
    }

    @Test func search_followsEditedTitle() async throws {
        let id = try await world.post("옛 이름")
        let body = #"{"title":"새 이름"}"#
        #expect(try await world.client(1).send(.put, "/v1/posts/\(id)", json: body).status == .ok)
        #expect(try await search("옛") == [])
        #expect(try await search("새") == ["새 이름"])
        #expect(try await world.client(1).send(.put, "/v1/posts/\(id)", json: #"{"content":"a"}"#).status == .ok)
        #expect(try await search("새") == ["새 이름"])
        _ = try await world.client(1).send(.delete, "/v1/posts/\(id)")
        #expect(try await search("새") == [])
    }

    @Test func invalidTitle_returns400() async throws {
        let long = String(repeating: "a", count: 101)
        for query in ["", "?title=", "?title=%20", "?title=%00", "?title=a%00", "?title=\(long)", "?titel=a"] {
            let answer = try await world.client(1).send(.get, "/v1/posts/search\(query)")
            #expect(answer.status == .badRequest && answer.text.contains("title"), "\(query)")
        }
    }

    /// Searches for a frequent word, for a rare one in old posts, and for one of another app.
    @Test func search_returnsNewestHundred() async throws {
        try await world.fill(22_000)
        let many = try await search("국밥")
        #expect(many.count == 100 && many.first == "국밥 2" && many.last == "국밥 200")
        #expect(try await search("국밥 21998") == ["국밥 21998"])
        #expect(try await search("21999") == ["칼국수 21999"])
        #expect(try await search("공연") == [])
        let plan = try await CommunityWorld.plan(PostStore.all(having: TitleKey("21998"), limit: 100))
        #expect(plan.contains("posts_title_grams_idx") && !plan.contains("Seq Scan"), "\(plan)")
        let first = try await CommunityWorld.plan(PostStore.newest(having: TitleKey("국밥"), limit: 100))
        #expect(first.contains("posts_title_key_idx") && !first.contains("Sort"), "\(first)")
    }
}

extension CommunityWorld {
    /// Inserts many posts, every other titled "국밥", the first being the newest, and some of Seoul Culture.
    fileprivate func fill(_ count: Int) async throws {
        try await database.execute(
            """
            INSERT INTO posts (public_id, app, author_id, title, title_key, category, content, latitude, longitude,
                created_at)
            SELECT 'c' || lpad(to_hex(n), 23, '0'), 'anlaka', 1, title, title, '맛집', 'a', 37, 127, now() - n * interval '1 minute'
            FROM generate_series(1, \(count)) n
                CROSS JOIN LATERAL (SELECT CASE n % 2 WHEN 0 THEN '국밥 ' ELSE '칼국수 ' END || n AS title) t
            """
        )
        try await database.execute(
            """
            INSERT INTO posts (public_id, app, author_id, title)
            SELECT 'd' || lpad(to_hex(n), 23, '0'), 'culture', 1, '공연' FROM generate_series(1, 20) n
            """
        )
        try await database.execute("ANALYZE posts")
    }
}
