import Apps
import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .anlaka) struct PostRoutesTests {
    private var world: CommunityWorld { .current }
    private static let missing = "bbbbbbbbbbbbbbbbbbbbbbbb"
    private static let summaryKeys: Set = [
        "post_id", "category", "title", "content", "geolocation", "creator", "files", "is_like", "like_count",
        "createdAt", "updatedAt",
    ]

    @Test func post_isCreatedEditedAndDeleted() async throws {
        let files = try await world.upload(1, [Picture.jpeg(), Picture.png()])
        let made = try await world.publish(CommunityWorld.post(files: files))
        #expect(made.status == .ok, "\(made.text)")
        #expect(try made.keys() == Self.summaryKeys.union(["comments"]))
        let post = try made.json(PostAnswer.self)
        #expect(post.postID.wholeMatch(of: /[0-9a-f]{24}/) != nil && post.files == files)
        #expect(post.category == "맛집" && post.title == "국밥" && post.content == "골목 안")
        #expect(post.geolocation.latitude == CommunityWorld.home.latitude)
        #expect(post.geolocation.longitude == CommunityWorld.home.longitude)
        #expect(
            post.creator
                == .init(userID: CommunityWorld.publicID(1), nick: "하루", profileImage: "/data/profiles/1.jpg")
        )
        #expect(!post.isLiked && post.likeCount == 0 && post.comments == [])
        #expect(post.createdAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        #expect(try await world.show(post.postID, by: 2) == post)

        let place = Coordinate(latitude: -1.5, longitude: 180)
        let body = CommunityWorld.post(category: "정보", title: "새", content: "글", at: place, files: [files[1]])
        let changed = try await world.client(1).send(.put, "/v1/posts/\(post.postID)", json: body)
        #expect(changed.status == .ok)
        let now = try changed.json(PostAnswer.self)
        #expect(now.category == "정보" && now.title == "새" && now.content == "글" && now.files == [files[1]])
        #expect(now.geolocation == .init(longitude: 180, latitude: -1.5) && now.createdAt == post.createdAt)

        let gone = try await world.client(1).send(.delete, "/v1/posts/\(post.postID)")
        #expect(gone.status == .ok && gone.text.isEmpty)
        #expect(try await world.client(1).send(.delete, "/v1/posts/\(post.postID)").status == .notFound)
        #expect(try await world.show(post.postID) == nil)
    }

    @Test func text_isReturnedUnchanged() async throws {
        for text in ["<script>alert(1)</script>", "'; DROP TABLE posts; --", #"a\b"c/d 😀"#, "%00 ${x}"] {
            let made = try await world.publish(CommunityWorld.post(title: text, content: "\(text)\n\t끝"))
            let post = try made.json(PostAnswer.self)
            #expect(post.title == text && post.content == "\(text)\n\t끝")
            #expect(made.headers[.contentType] == "application/json; charset=utf-8")
        }
    }

    @Test(arguments: [
        ("category", CommunityWorld.post(category: nil)), ("title", CommunityWorld.post(title: nil)),
        ("content", CommunityWorld.post(content: nil)), ("longitude", CommunityWorld.post(at: nil)),
        ("files", CommunityWorld.post(files: nil)), ("category", CommunityWorld.post(category: " ")),
        ("title", CommunityWorld.post(title: "")), ("title", CommunityWorld.post(title: "a\u{0}b")),
        ("title", CommunityWorld.post(title: String(repeating: "가", count: 101))),
        ("category", CommunityWorld.post(category: String(repeating: "가", count: 21))),
        ("content", CommunityWorld.post(content: String(repeating: "가", count: 5001))),
        ("content", CommunityWorld.post(content: "a\u{0}")),
        ("latitude", CommunityWorld.post(at: Coordinate(latitude: 90.1, longitude: 0))),
        ("longitude", CommunityWorld.post(at: Coordinate(latitude: 0, longitude: -180.1))),
        ("files", CommunityWorld.post(files: ["/data/posts/x.jpg"])),
        ("files", CommunityWorld.post(files: Array(repeating: "x", count: 6))),
        ("files", CommunityWorld.post(files: ["/data/posts/0123456789abcdef0123456789abcdef.jpg"])),
        ("files", #"{"category":"a","title":"a","content":"a","longitude":0,"latitude":0,"files":"x"}"#),
        ("longitude", #"{"category":"a","title":"a","content":"a","longitude":"0","latitude":0,"files":[]}"#),
        ("", "{"), ("", ""), ("", "[]"),
    ])
    func invalidPost_returns400WithField(field: String, body: String) async throws {
        let answer = try await world.publish(body)
        #expect(answer.status == .badRequest)
        #expect(try answer.keys() == ["message"])
        #expect(answer.text.contains(field), "\(answer.text)")
        #expect(try await world.count("posts") == 0)
    }

    @Test func limits_areInclusive() async throws {
        let body = CommunityWorld.post(
            category: String(repeating: "가", count: 20),
            title: String(repeating: "가", count: 100),
            content: String(repeating: "가", count: 5000),
            at: Coordinate(latitude: 90, longitude: -180)
        )
        #expect(try await world.publish(body).status == .ok)
        let huge = CommunityWorld.post(title: String(repeating: "a", count: 1 << 20))
        #expect(try await world.publish(huge).status == .badRequest)
    }

    @Test func edit_withInvalidMembers_changesNothing() async throws {
        let id = try await world.post()
        let before = try await world.show(id)
        for body in [#"{"longitude":1}"#, #"{"latitude":1}"#, #"{"longitude":1,"latitude":91}"#, #"{"title":" "}"#] {
            #expect(try await world.client(1).send(.put, "/v1/posts/\(id)", json: body).status == .badRequest)
        }
        #expect(try await world.show(id) == before)
    }

    @Test func post_ofOtherUser_cannotBeEdited() async throws {
        let id = try await world.post()
        let body = CommunityWorld.post(title: "x")
        #expect(try await world.client(2).send(.put, "/v1/posts/\(id)", json: body).status.code == 445)
        #expect(try await world.client(2).send(.delete, "/v1/posts/\(id)").status.code == 445)
        for gone in [Self.missing, "1", "%00", id.uppercased() + "x"] {
            #expect(try await world.client(1).send(.get, "/v1/posts/\(gone)").status == .notFound, "\(gone)")
            #expect(try await world.client(1).send(.put, "/v1/posts/\(gone)", json: body).status == .notFound)
            #expect(try await world.client(1).send(.delete, "/v1/posts/\(gone)").status == .notFound)
        }
        #expect(try await world.show(id)?.title == "국밥")
    }

    @Test func repeatedRequest_createsOnePost() async throws {
        let files = try await world.upload(1, [Picture.jpeg()])
        let body = CommunityWorld.post(files: files)
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await world.publish(body, key: "k").json(PostAnswer.self).postID } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await world.publish(body, key: String(repeating: "k", count: 201)).status == .badRequest)
        #expect(try await world.count("posts") == 1)
    }

    @Test func postLists_duringInserts_keepTheirPages() async throws {
        var ids: [String] = []
        for number in 0..<12 { ids.append(try await world.post("\(number)", of: number % 2 == 0 ? "정보" : "친목")) }
        for id in ids { try await world.like(id, by: 2) }
        try await world.database.execute("UPDATE posts SET created_at = '2025-11-20T03:00:00.123Z'")
        try await world.database.execute("UPDATE likes SET created_at = '2025-11-20T03:00:00.123Z'")
        for path in ["users/\(CommunityWorld.publicID(1))", "likes/me"] {
            let first = try await world.posts("\(path)?limit=5", by: 2)
            #expect(first.data.map(\.postID) == ids[7...].reversed() && first.data.allSatisfy { $0.comments == nil })
            let new = try await world.post("새")
            try await world.like(new, by: 2)
            let second = try await world.posts("\(path)?limit=5&next=\(first.nextCursor ?? "")", by: 2)
            #expect(second.data.map(\.postID) == ids[2...6].reversed())
            let last = try await world.posts("\(path)?limit=5&next=\(second.nextCursor ?? "")", by: 2)
            #expect(last.data.map(\.postID) == ids[0...1].reversed() && last.nextCursor == "0")
            let some = try await world.posts("\(path)?limit=50&category=%EC%A0%95%EB%B3%B4", by: 2)
            _ = try await world.client(1).send(.delete, "/v1/posts/\(new)")
            #expect(some.data.count == 6 && some.data.allSatisfy { $0.category == "정보" && $0.isLiked })
            for query in ["limit=0", "limit=51", "limit=x", "next=x", "next=1-2-3", "category=%00"] {
                let answer = try await world.client(2).send(.get, "/v1/posts/\(path)?\(query)")
                #expect(answer.status == .badRequest, "\(query)")
            }
        }
        #expect(try await world.posts("users/\(Self.missing)") == .init(data: [], nextCursor: "0"))
        #expect(try await world.posts("users/x") == .init(data: [], nextCursor: "0"))
    }
}
