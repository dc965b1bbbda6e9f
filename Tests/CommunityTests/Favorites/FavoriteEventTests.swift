import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

/// Liked events, behind the calls for posts.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .culture) struct FavoriteEventTests {
    private var world: CommunityWorld { .current }
    static let titles = [
        "A & B", "#해시/태그", "\"quotes\" and 'more'", "이모지 🎪👨‍👩‍👧", "1+1 = 2?", "100% 무료", "back\\slash", " blank ",
        "끝 é\u{301}",
        "line\nbreak", "null \\u0000", "$$ 달러", "<script>alert(1)</script>", "가\u{1100}",
        String(repeating: "긴 제목 ", count: 110),
    ]

    /// The content as the client joins it.
    private static func content(_ title: String) -> String {
        [
            "https://example.org/a.jpg?x=1&y=2", title, "교육/체험", "2025-11-01 00:00:00.0", "2025-11-30 00:00:00.0",
            "  곳 ",
            "", "종로구", "37.57", "126.97", "전석 1,000원 & \"무료\"", "유료", "#누구나\t🎪", "http://example.org/#/a",
        ].joined(separator: "$$$")
    }

    private static func draft(_ title: String, by account: AccountID) -> CulturePostDraft {
        CulturePostDraft(productID: title + CommunityWorld.publicID(account), title: title, content: content(title))
    }

    @Test(arguments: titles)
    func likedEvent_isKeptByteForByte(title: String) async throws {
        let draft = Self.draft(title, by: 1)
        let liked = try await world.review(draft)
        for text in [(liked.title, draft.title), (liked.content, draft.content), (liked.productID, draft.productID)] {
            #expect(text.0.map { Array($0.utf8) } == text.1.map { Array($0.utf8) })
        }
        let query = "?next=&limit=10&product_id=\(try #require(draft.productID).encoded)"
        #expect(try await world.cultureList(query).data == [liked])
        #expect(try await world.client(1).send(.get, "/v1/posts/\(liked.postID)").json(CulturePostAnswer.self) == liked)
        #expect(try await world.cultureList("/users/\(CommunityWorld.publicID(1))").data == [liked])
        #expect(try await world.client(1).send(.delete, "/v1/posts/\(liked.postID)").status == .ok)
        #expect(try await world.cultureList(query).data == [])
        #expect(try await world.client(1).send(.delete, "/v1/posts/\(liked.postID)").status == .gone)
    }

    @Test func titles_areComparedByBytes() async throws {
        // Two Unicode spellings of the same title.
        let (one, other) = (
            try await world.review(Self.draft("caf\u{e9}", by: 1)),
            try await world.review(Self.draft("cafe\u{301}", by: 1))
        )
        #expect(one.postID != other.postID)
        let query = "?product_id=\(("cafe\u{301}" + CommunityWorld.publicID(1)).encoded)"
        #expect(try await world.cultureList(query).data.map(\.postID) == [other.postID])
    }

    @Test func concurrentLikes_createOneFavorite() async throws {
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<12 { group.addTask { try await world.review(Self.draft("전시", by: 1)).postID } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await world.count("favourites") == 1)
        // The content of the first like stays.
        var draft = Self.draft("전시", by: 1)
        draft.content = Self.content("다른 전시")
        #expect(try await world.review(draft).content == Self.content("전시"))
        // Another user's like is separate.
        #expect(try await world.review(Self.draft("전시", by: 2), by: 2).postID != ids.first)
    }

    @Test func favorites_areVisibleToOwnerOnly() async throws {
        let review = try await world.review()
        let liked = try await world.review(Self.draft("전시", by: 1))
        let product = "전시".encoded + CommunityWorld.publicID(1)
        #expect(try await world.cultureList(by: 1).data.map(\.postID) == [review.postID])
        for query in ["", "?product_id=\(product)&product_id=ksm_post"] {
            #expect(try await world.cultureList(query, by: 2).data.map(\.postID) == [review.postID])
            let list = try await world.cultureList("/users/\(CommunityWorld.publicID(1))\(query)", by: 2)
            #expect(list.data.map(\.postID) == [review.postID])
        }
        let path = "/v1/posts/\(liked.postID)"
        for method in [HTTPRequest.Method.get, .delete, .put] {
            let answer = try await world.client(2).send(method, path, json: #"{"title":"?"}"#)
            #expect(answer.status == .gone, "\(method)")
        }
        for account in [1, 2] as [AccountID] {
            let phone = world.client(account)
            #expect(try await phone.send(.post, "\(path)/comments", json: #"{"content":"?"}"#).status == .gone)
        }
        #expect(try await world.client(1).send(.get, path).status == .ok)
        #expect(try await world.cultureList("?product_id=\(product)&product_id=ksm_post").data.count == 2)
    }

    @Test func malformedFavorite_isRefused() async throws {
        let parts = Self.content("전시").split(separator: "$$$", omittingEmptySubsequences: false)
        func refused(_ change: (inout CulturePostDraft) -> Void) async throws -> String {
            var draft = Self.draft("전시", by: 1)
            change(&draft)
            let answer = try await world.client(1).send(.post, "/v1/posts", json: draft.text)
            #expect(answer.status == .badRequest)
            return answer.text
        }
        #expect(try await refused { $0.content = nil }.contains("content"))
        #expect(try await refused { $0.content = "" }.contains("content"))
        #expect(try await refused { $0.content = parts.dropLast().joined(separator: "$$$") }.contains("14"))
        #expect(try await refused { $0.content = ($0.content ?? "") + "\0" }.contains("content"))
        #expect(try await refused { $0.price = 100 }.contains("price"))
        #expect(try await refused { $0.content1 = "x" }.contains("content1"))
        #expect(try await refused { $0.files = ["uploads/posts/a.jpg"] }.contains("files"))
        #expect(try await refused { $0.title = String(repeating: "가", count: 601) }.contains("title"))
        #expect(try await world.count("favourites") == 0)

        let liked = try await world.review(Self.draft("전시", by: 1))
        let review = try await world.review()
        let change = Self.draft("전시 2", by: 1).text
        for id in [liked.postID, review.postID] {
            #expect(try await world.client(1).send(.put, "/v1/posts/\(id)", json: change).status == .badRequest)
        }
        let title = #"{"title":"?"}"#
        #expect(try await world.client(1).send(.put, "/v1/posts/\(liked.postID)", json: title).status == .badRequest)
    }

    @Test func ownList_mixesFavoritesAndReviewsByDate() async throws {
        var ids: [String] = []
        for index in 0..<14 {
            let isReview = [0, 1, 5, 6, 7, 13].contains(index)
            ids.append(try await world.review(isReview ? .init() : Self.draft("전시 \(index)", by: 1)).postID)
            // The client fails on these.
            _ = try await world.review(CulturePostDraft(productID: index.isMultiple(of: 2) ? nil : "ksm_culturalEvent"))
        }
        // Many rows have the same time: their ids determine the order.
        for table in ["posts", "favourites"] {
            try await world.database.execute(
                """
                UPDATE \(identifier: table)
                SET created_at = '2025-11-20T03:00:00.123Z'::timestamptz + id / 10 * interval '1 second'
                """
            )
        }
        let own = "/users/\(CommunityWorld.publicID(1))"
        for limit in [1, 2, 3, 5, 14, 50] {
            #expect(try await world.all(own, limit: limit) == ids.reversed(), "\(limit)")
        }
        let reviews = try await world.cultureList("\(own)?product_id=ksm_post&limit=50").data.map(\.postID)
        #expect(reviews == [13, 7, 6, 5, 1, 0].map { ids[$0] })
        let some = "전시 2".encoded + CommunityWorld.publicID(1)
        let two = try await world.cultureList("\(own)?product_id=\(some)&product_id=ksm_culturalEvent&limit=50").data
        #expect(two.count == 8 && two.contains { $0.postID == ids[2] })
    }

    @Test func withdrawal_deletesFavorites() async throws {
        let review = try await world.review()
        _ = try await world.remark("가", on: review.postID)
        for account in [1, 2] as [AccountID] { _ = try await world.review(Self.draft("전시", by: account), by: account) }
        for _ in 0..<2 { #expect(try await world.withdraw(1) == 204) }
        #expect(try await world.count("favourites") == 1)
        let left = try await world.cultureList(by: 2).data
        #expect(left.map(\.postID) == [review.postID] && left[0].comments.count == 1)
        #expect(left[0].creator.nick == "탈퇴한 사용자" && left[0].creator.profileImage == nil)
        let late = try await world.client(1).send(.post, "/v1/posts", json: Self.draft("전시", by: 1).text)
        #expect(late.status.kind == .clientError)
        #expect(try await world.count("favourites") == 1)
    }
}
