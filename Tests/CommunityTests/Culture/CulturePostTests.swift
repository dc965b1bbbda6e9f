import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .culture) struct CulturePostTests {
    private var world: CommunityWorld { .current }

    @Test func post_hasExactlyTheClientsMembers() async throws {
        let answer = try await world.client(1).send(.post, "/v1/posts", json: #"{"title":"제목"}"#)
        #expect(answer.status == .ok)
        #expect(
            try answer.keys() == [
                "post_id", "title", "createdAt", "creator", "files", "likes", "likes2", "hashTags", "comments",
                "buyers", "like_count", "comment_count",
            ]
        )
        let post = try answer.json(CulturePostAnswer.self)
        #expect(post.postID.count == 24)
        #expect(post.createdAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        let user = CultureUser(userID: CommunityWorld.publicID(1), nick: "하루", profileImage: "uploads/profiles/1.jpg")
        #expect(post.creator == user && post.likes == [] && post.comments == [] && post.buyers == [])
    }

    @Test func post_isReturnedAsSent() async throws {
        let files = try await world.upload(1, [Picture.jpeg(), Picture.jpeg()])
        let script = #"<script>alert("1")</script> 줄\n바꿈 'quotes' $$$ 🎪"#
        let draft = CulturePostDraft(
            title: script,
            content: "\(script) #전시 #서울#밤",
            content1: "",
            price: 100,
            files: files
        )
        let post = try await world.review(draft)
        #expect(post.title == script && post.content == draft.content && post.content1 == "" && post.price == 100)
        #expect(post.files == files && files.allSatisfy { $0.hasPrefix("uploads/posts/") })
        #expect(post.hashTags == ["전시", "서울", "밤"])
        #expect(try await world.client(2).send(.get, "/v1/\(files[0])").status == .ok)
        #expect(try await world.client(2).send(.get, "/v1/posts/\(post.postID)").json(CulturePostAnswer.self) == post)
    }

    @Test func edit_replacesSentMembersOnly() async throws {
        let files = try await world.upload(1, [Picture.jpeg(), Picture.jpeg()])
        let post = try await world.review(CulturePostDraft(price: 100, files: files))
        let path = "/v1/posts/\(post.postID)"
        let change = ##"{"content":"#새로","content5":"다섯","files":["\##(files[1])"]}"##
        let changed = try await world.client(1).send(.put, path, json: change).json(CulturePostAnswer.self)
        #expect(changed.title == post.title && changed.price == 100 && changed.productID == "ksm_post")
        #expect(changed.content == "#새로" && changed.hashTags == ["새로"] && changed.content5 == "다섯")
        #expect(changed.files == [files[1]])
        let same = try await world.client(1).send(.put, path, json: "{}").json(CulturePostAnswer.self)
        #expect(same == changed)
    }

    @Test func foreignOrMissingPost_cannotBeEdited() async throws {
        let post = try await world.review()
        let path = "/v1/posts/\(post.postID)"
        #expect(try await world.client(2).send(.put, path, json: #"{"title":"?"}"#).status.code == 445)
        #expect(try await world.client(2).send(.delete, path).status.code == 445)
        #expect(try await world.client(2).send(.get, path).json(CulturePostAnswer.self) == post)
        let gone = try await world.client(1).send(.delete, path)
        #expect(gone.status == .ok && gone.text == "")
        for id in [post.postID, "1", "abc", String(repeating: "F", count: 24), "%00", "aaaaaaaaaaaaaaaaaaaaaaaa"] {
            for method in [HTTPRequest.Method.get, .put, .delete] {
                let answer = try await world.client(1).send(method, "/v1/posts/\(id)", json: #"{"title":"?"}"#)
                #expect(answer.status == .gone, "\(method) \(id)")
                #expect(try answer.keys() == ["message"])
            }
        }
    }

    @Test(arguments: [
        ("", "JSON"), ("[]", "body"), ("{}", "title"), (#"{"title":"","content":"","files":[]}"#, "title"),
        (#"{"product_id":"ksm_post","price":100}"#, "title"), (#"{"title":1}"#, "title"),
        (#"{"title":"가","files":"a.jpg"}"#, "files"), (#"{"title":"가","files":{}}"#, "files"),
        (#"{"title":"가","files":[1]}"#, "files"), (#"{"title":"가","price":"100"}"#, "price"),
        (#"{"title":"가","price":-1}"#, "price"), (#"{"title":"가","price":1.5}"#, "not whole"),
        (#"{"title":"가\u0000"}"#, "title"), (#"{"title":"가","content3":"\u0000"}"#, "content3"),
        (#"{"title":"가","files":["uploads/posts/aaaa.jpg"]}"#, "files"),
        (#"{"title":"가","product_id":7}"#, "product_id"),
    ])
    func invalidPost_returns400WithField(json: String, field: String) async throws {
        let answer = try await world.client(1).send(.post, "/v1/posts", json: json)
        #expect(answer.status == .badRequest, "\(json)")
        #expect(answer.text.contains(field), "\(answer.text)")
        #expect(try await world.count("posts") == 0)
    }

    @Test func lengths_areLimited() async throws {
        func status(_ draft: CulturePostDraft) async throws -> Int {
            try await world.client(1).send(.post, "/v1/posts", json: draft.text).status.code
        }
        let long = String(repeating: "가", count: 600)
        #expect(try await status(CulturePostDraft(productID: long, title: long)) == 200)
        #expect(try await status(CulturePostDraft(productID: long + "나")) == 400)
        #expect(try await status(CulturePostDraft(title: long + "나")) == 400)
        #expect(try await status(CulturePostDraft(content: String(repeating: "가", count: 20_001))) == 400)
        #expect(try await world.cultureList("?product_id=\(long.encoded)").data.count == 1)
    }

    @Test func repeatedRequest_createsOnePost() async throws {
        let key = try #require(HTTPField.Name("Idempotency-Key"))
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await world.client(1).send(
                        .post,
                        "/v1/posts",
                        json: CulturePostDraft().text,
                        headers: [key: "k"]
                    ).json(CulturePostAnswer.self).postID
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test func post_ofOtherApp_returns410() async throws {
        try await CommunityWorld.addProfile(50, "안락", .anlaka)
        let id = try await world.database.one(
            """
            INSERT INTO posts (public_id, app, author_id, title) VALUES (\(String(repeating: "b", count: 24)),
                'anlaka', 50, '집') RETURNING public_id
            """
        ) { try $0.decode(String.self) }
        #expect(try await world.client(1).send(.get, "/v1/posts/\(id)").status == .gone)
        #expect(try await world.cultureList().data.isEmpty)
        let comment = try await world.client(1).send(.post, "/v1/posts/\(id)/comments", json: #"{"content":"?"}"#)
        #expect(comment.status == .gone)
    }
}
