import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CultureListTests {
    private var world: CommunityWorld { .current }

    @Test(.culture) func emptyList_hasEndCursor() async throws {
        for path in ["", "?next=&limit=10&product_id=", "/likes/me", "/likes-2/me", "/hashtags?hashTag=x"] {
            let answer = try await world.client(1).send(.get, "/v1/posts\(path)")
            #expect(
                answer.text == #"{"data":[],"next_cursor":"0"}"# || answer.text == #"{"next_cursor":"0","data":[]}"#
            )
        }
        for person in [CommunityWorld.publicID(1), CommunityWorld.publicID(77), "junk", "%00"] {
            #expect(try await world.cultureList("/users/\(person)") == .init(data: [], nextCursor: "0"), "\(person)")
        }
    }

    @Test(.culture) func lists_areFilteredByProduct() async throws {
        let review = try await world.review()
        let odd = try await world.review(CulturePostDraft(productID: "a&b#c/d \"e\" + 🎪"))
        let none = try await world.review(CulturePostDraft(productID: nil))
        let oddID = "a&b#c/d \"e\" + 🎪".encoded
        for (query, wanted) in [
            ("", [none, odd, review]), ("?product_id=", [none, odd, review]), ("?product_id=ksm_post", [review]),
            ("?product_id=\(oddID)", [odd]), ("?product_id=ksm_post&product_id=\(oddID)", [odd, review]),
            ("?product_id=ksm_post&product_id=&product_id=ksm_post", [review]), ("?product_id=ksm_pos", []),
            ("?product_id=KSM_POST", []),
        ] {
            let list = try await world.cultureList(query, by: 2)
            #expect(list.data.map(\.postID) == wanted.map(\.postID), "\(query)")
            let person = CommunityWorld.publicID(1)
            #expect(try await world.cultureList("/users/\(person)\(query)", by: 2).data == list.data, "\(query)")
        }
    }

    @Test(.culture) func pages_duringInsertsAndDeletions_stayStable() async throws {
        var ids: [String] = []
        for _ in 0..<12 { ids.append(try await world.review().postID) }
        // All posts have the same time: their ids determine the order.
        try await world.database.execute("UPDATE posts SET created_at = '2025-11-20T03:00:00.123Z'")
        let first = try await world.cultureList("?limit=5&product_id=ksm_post", by: 2)
        #expect(first.data.map(\.postID) == ids[7...].reversed())
        _ = try await world.review()
        _ = try await world.client(1).send(.delete, "/v1/posts/\(ids[7])")
        let second = try await world.cultureList("?limit=5&product_id=ksm_post&next=\(first.nextCursor)", by: 2)
        #expect(second.data.map(\.postID) == ids[2..<7].reversed())
        let end = try await world.cultureList("?limit=5&next=\(second.nextCursor)", by: 2)
        #expect(end.data.map(\.postID) == [ids[1], ids[0]] && end.nextCursor == "0")
    }

    @Test(.culture, arguments: ["limit=0", "limit=51", "limit=x", "next=junk", "next=-1", "next=%00", "next=1-2-3"])
    func invalidPage_returns400WithField(query: String) async throws {
        for path in [
            "?", "/users/\(CommunityWorld.publicID(1))?", "/likes/me?", "/likes-2/me?", "/hashtags?hashTag=a&",
        ] {
            let answer = try await world.client(1).send(.get, "/v1/posts\(path)\(query)")
            #expect(answer.status == .badRequest, "\(path)")
            #expect(answer.text.contains(query.prefix { $0 != "=" }))
        }
    }

    @Test(.culture) func invalidFilters_return400() async throws {
        let many = (0...50).map { "product_id=\($0)" }.joined(separator: "&")
        for query in [many, "product_id=%00"] {
            #expect(try await world.client(1).send(.get, "/v1/posts?\(query)").status == .badRequest)
        }
        for query in ["", "?hashTag=", "?hashTag=%23", "?hashTag=%00"] {
            #expect(
                try await world.client(1).send(.get, "/v1/posts/hashtags\(query)").status == .badRequest,
                "\(query)"
            )
        }
    }

    @Test(.culture) func hashtagSearch_matchesWholeTags() async throws {
        let one = try await world.review(CulturePostDraft(content: "#전시 #밤"))
        let two = try await world.review(CulturePostDraft(productID: "x", content: "#전시회 #전시#전시"))
        func found(_ query: String) async throws -> [String] {
            try await world.cultureList("/hashtags?hashTag=\(query)", by: 2).data.map(\.postID)
        }
        #expect(try await found("전시".encoded) == [two.postID, one.postID])
        #expect(try await found("%23\("전시".encoded)") == [two.postID, one.postID])
        #expect(try await found("전시".encoded + "&product_id=x") == [two.postID])
        #expect(try await found("전".encoded) == [])
        #expect(try await found("%25") == [])
        #expect(try await world.all("/hashtags", limit: 1, tag: "전시") == [two.postID, one.postID])

        _ = try await world.client(1).send(.put, "/v1/posts/\(one.postID)", json: ##"{"content":"#밤"}"##)
        _ = try await world.client(1).send(.put, "/v1/posts/\(two.postID)", json: #"{"product_id":"y"}"#)
        #expect(try await found("전시".encoded) == [two.postID])
        #expect(try await found("전시".encoded + "&product_id=x") == [])
        #expect(try await found("전시".encoded + "&product_id=y") == [two.postID])
        _ = try await world.client(1).send(.delete, "/v1/posts/\(two.postID)")
        #expect(try await found("전시".encoded) == [])
    }

    @Test func listQueries_useIndexes() async throws {
        try await CommunityWorld.addProfile(1, "하루", .culture)
        let database = TestDatabase.current.client
        try await database.execute(
            """
            INSERT INTO posts (public_id, app, author_id, category, hashtags, created_at)
            SELECT lpad(to_hex(n), 24, '0'), 'culture', 1, 'ksm_post', ARRAY['흔한'], now() - n * interval '1 second'
            FROM generate_series(1, 20000) n
            """
        )
        try await database.execute("INSERT INTO post_hashtags SELECT id, '흔한', category, created_at FROM posts")
        try await database.execute(
            """
            INSERT INTO favourites (public_id, account_id, product_id, content, event_id, created_at)
            SELECT 'a' || lpad(to_hex(n), 23, '0'), 1, 'p' || n, '', 'e' || n, now() - n * interval '1 second'
            FROM generate_series(1, 20000) n
            """
        )
        for table in ["posts", "post_hashtags", "favourites"] {
            try await database.execute("ANALYZE \(identifier: table)")
        }
        for after in [nil, PageCursor(.now - 5000, 5000)] {
            for categories in [[], ["ksm_post", "x"]] as [[String]] {
                let plan = try await CommunityWorld.plan(
                    PostStore.tagged("흔한", of: categories, after: after, limit: 11)
                )
                #expect(plan.contains("post_hashtags_") && !plan.contains("Seq Scan"), "\(plan)")
            }
            let plan = try await CommunityWorld.plan(FavoriteEventStore.found(nil, of: 1, after: after, limit: 11))
            #expect(plan.contains("favourites_account_id_idx") && !plan.contains("Sort"), "\(plan)")
        }
    }
}

extension CommunityWorld {
    fileprivate func all(_ path: String, limit: Int, tag: String) async throws -> [String] {
        var (ids, next) = ([String](), "")
        repeat {
            let list = try await cultureList("\(path)?hashTag=\(tag.encoded)&limit=\(limit)&next=\(next)")
            ids += list.data.map(\.postID)
            next = list.nextCursor
        } while next != "0"
        return ids
    }
}
