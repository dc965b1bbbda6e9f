import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

/// The likers, buyers and commenters of a post.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct ReactorsTests {
    private var world: CommunityWorld { .current }

    @Test func reactors_alwaysIncludeViewer() {
        let crowd = (0..<Reactors.limit).map { "p\($0)" as PublicID }
        #expect(Reactors(people: crowd, isJoined: true).people(with: "me") == crowd.dropLast() + ["me"])
        #expect(Reactors(people: crowd, isJoined: false).people(with: "me") == crowd)
        #expect(Reactors(people: ["me", "you"], isJoined: true).people(with: "me") == ["me", "you"])
    }

    @Test(.culture) func likers_areLimitedToThousand() async throws {
        let posts = [try await world.review(), try await world.review()]
        try await world.database.execute(
            """
            INSERT INTO likes (post_id, kind, account_id, public_id, created_at)
            SELECT t.id, kind, n, lpad(to_hex(n), 24, 'c'), now() + n * interval '1 second'
            FROM posts t, generate_series(1000, 2099) n, generate_series(1, 2) kind WHERE t.public_id = \(posts[0].postID)
            """
        )
        try await world.database.execute(
            """
            INSERT INTO likes (post_id, kind, account_id, public_id, created_at)
            SELECT id, 1, 2, \(CommunityWorld.publicID(2)), '2020-01-01' FROM posts
            """
        )
        let list = try await world.cultureList(by: 2).data
        #expect(list.map(\.likes.count) == [1, 1000] && list.map(\.likes2.count) == [0, 1000])
        #expect(list[1].likes.last == CommunityWorld.publicID(2))
        #expect(list[1].likes.first == String(repeating: "c", count: 21) + "833")
        #expect(try await !world.cultureList(by: 1).data[1].likes.contains(CommunityWorld.publicID(2)))
    }

    @Test(.culture) func likeKinds_areSeparate() async throws {
        let (post, liked) = (try await world.review(), try await world.likeEvent(.fixture("전시")))
        for (path, isLiked) in [("like", true), ("like", true), ("like-2", true), ("like", false), ("like", true)] {
            let answer = try await world.client(2).send(
                .post,
                "/v1/posts/\(post.postID)/\(path)",
                json: #"{"like_status":\#(isLiked)}"#
            )
            #expect(answer.status == .ok && answer.text == #"{"like_status":\#(isLiked)}"#)
        }
        let shown = try await world.cultureList().data[0]
        #expect(shown.likes == [CommunityWorld.publicID(2)] && shown.likes2 == shown.likes && shown.likeCount == 1)
        for path in ["/likes/me", "/likes-2/me", "/likes/me?product_id=ksm_post"] {
            #expect(try await world.cultureList(path, by: 2).data.map(\.postID) == [post.postID], "\(path)")
            #expect(try await world.cultureList(path, by: 9).data == [])
        }
        #expect(try await world.cultureList("/likes/me?product_id=x", by: 2).data == [])
        let event = try liked.json(CulturePostAnswer.self).postID
        for (id, json, code) in [
            (event, #"{"like_status":true}"#, 410), ("junk", #"{"like_status":true}"#, 410),
            (post.postID, "{}", 400), (post.postID, #"{"like_status":"true"}"#, 400),
        ] {
            for path in ["like", "like-2"] {
                let answer = try await world.client(1).send(.post, "/v1/posts/\(id)/\(path)", json: json)
                #expect(answer.status.code == code)
            }
        }
    }

    @Test(.culture) func comments_areNewestFirst() async throws {
        let (post, other) = (try await world.review(), try await world.review())
        for index in 0..<52 { _ = try await world.remark("\(index)", on: post.postID, by: 2) }
        let said = try await world.remark("<b>&</b>", on: other.postID, by: 9)
        let list = try await world.cultureList().data
        #expect(list[0].comments == [said] && list[0].commentCount == 1)
        #expect(list[1].comments.map(\.content) == (2..<52).reversed().map(String.init))
        #expect(list[1].commentCount == 52)
        let alone = try await world.client(1).send(.get, "/v1/posts/\(post.postID)").json(CulturePostAnswer.self)
        #expect(alone.comments.map(\.content) == (0..<52).reversed().map(String.init))
        #expect(said.creator.nick == "바다")
    }

    @Test(.culture) func comment_isEditedByAuthorOnly() async throws {
        let post = try await world.review()
        let comment = try await world.remark("가", on: post.postID, by: 2)
        let path = "/v1/posts/\(post.postID)/comments/\(comment.commentID)"
        #expect(try await world.client(1).send(.put, path, json: #"{"content":"나"}"#).status.code == 445)
        #expect(try await world.client(1).send(.delete, path).status.code == 445)
        let changed = try await world.client(2).send(.put, path, json: #"{"content":"나"}"#)
        #expect(try changed.keys() == ["comment_id", "content", "createdAt", "creator"])
        #expect(try changed.json(CultureCommentAnswer.self).content == "나")
        for json in ["{}", #"{"content":""}"#, #"{"content":"\#(String(repeating: "가", count: 1001))"}"#] {
            #expect(try await world.client(2).send(.put, path, json: json).status == .badRequest)
            let answer = try await world.client(2).send(.post, "/v1/posts/\(post.postID)/comments", json: json)
            #expect(answer.status == .badRequest && answer.text.contains("content"))
        }
        #expect(try await world.client(2).send(.delete, path).status == .ok)
        #expect(try await world.client(2).send(.delete, path).status == .gone)
        for gone in ["1", "%00", post.postID.replacing("a", with: "f")] where gone != post.postID {
            let answer = try await world.client(2).send(.post, "/v1/posts/\(gone)/comments", json: #"{"content":"가"}"#)
            #expect(answer.status == .gone)
        }
    }

    @Test(.culture) func buyers_followPaymentEvents() async throws {
        let post = try await world.review(CulturePostDraft(price: 100))
        func paid(_ account: AccountID, _ isPaid: Bool, _ post: String) async throws -> Int {
            let event = PaymentsEvents.PurchaseChanged(post: "\(post)", account: account, isPaid: isPaid)
            return try await world.deliver(event, from: .payments)
        }
        for account in [2, 9, 2] as [AccountID] { #expect(try await paid(account, true, post.postID) == 204) }
        #expect(try await world.cultureList().data[0].buyers.sorted() == [2, 9].map(CommunityWorld.publicID))
        #expect(try await paid(9, false, post.postID) == 204)
        #expect(try await world.cultureList().data[0].buyers == [CommunityWorld.publicID(2)])
        #expect(try await paid(2, true, "aaaaaaaaaaaaaaaaaaaaaaaa") == 204)
        #expect(try await world.withdraw(2) == 204)
        #expect(try await paid(2, true, post.postID) == 204)
        #expect(try await world.cultureList().data[0].buyers == [])
        _ = try await world.client(1).send(.delete, "/v1/posts/\(post.postID)")
        #expect(try await paid(9, true, post.postID) == 204)
        #expect(try await world.count("purchases") == 0)
    }

    @Test(.culture) func offer_isServedToPayments() async throws {
        let (post, free) = (try await world.review(CulturePostDraft(price: 100)), try await world.review())
        let payments = ServiceClient(world.client, to: .community, process: .payments)
        let offer = try await payments.send(.get, CommunityAPI.Offer.path("\(post.postID)"))
        #expect(try offer.json() == CommunityAPI.Offer(account: 1, title: "후기", price: 100))
        let none = try await payments.send(.get, CommunityAPI.Offer.path("\(free.postID)"))
        #expect(try none.json() == CommunityAPI.Offer(account: 1, title: "후기", price: nil))
        let liked = try await world.likeEvent(.fixture("전시")).json(CulturePostAnswer.self)
        for id in ["aaaaaaaaaaaaaaaaaaaaaaaa", "1", liked.postID] {
            #expect(try await payments.send(.get, CommunityAPI.Offer.path("\(id)")).status == .notFound)
        }
        #expect(try await world.client(1).send(.get, CommunityAPI.Offer.path("\(post.postID)")).status.code == 444)
    }
}
