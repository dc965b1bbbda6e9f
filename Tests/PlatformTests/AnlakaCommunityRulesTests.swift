import AppClients
import Apps
import NIOHTTP1
import TestKit
import Testing

/// Which requests of Anlaka's client are refused, who may use a file, and what remains of a withdrawn user.
@Suite(.timeLimit(.minutes(8))) struct AnlakaCommunityRulesTests {
    private typealias Shape = JSONShape.Anlaka

    /// The body of a post, some members of which may be replaced.
    private static func post(_ changes: JSON = [:]) -> RequestBody {
        let post: JSON = [
            "category": "맛집", "title": "국밥", "content": "골목 안", "longitude": 127.0454, "latitude": 37.6522, "files": [],
        ]
        return .json(post.merging(changes))
    }

    @Test func invalidRequests_returnAnlakasStatuses() async throws {
        try await Platform.test { (platform) async throws in
            let client = try await AnlakaClient(platform, "a@b.kr", nick: "하루")
            let made = try await client.send(\.createPost, body: Self.post()).shaped(Shape.post)
            let id = try made.text("post_id")
            let path = "/v1/posts/\(id)"
            try await platform.send(.get, path, headers: ["Authorization": client.token]).refused(420)
            for key in ["", "anlaka-dev-keyy"] {
                try await client.send(\.getPost, id, headers: ["SeSACKey": key]).refused(420)
            }
            #expect(try await platform.anlaka.send(\.getPost, id).status == 401)
            #expect(try await client.send(\.getPost, id, headers: ["Authorization": "x.y.z"]).status == 401)
            for unknown in ["/v1/posts/nearby/me", "\(path)/nothing", "\(path)/comments/x/y", "/v1/log"] {
                try await client.send(.get, unknown).refused(444)
            }
            for id in ["1", "\(String(repeating: "0", count: 24))", "%EA%B5%AD"] {
                try await client.send(\.getPost, id).refused(404)
            }

            // The client sends such a form when it has rejected every file itself.
            for form in [MultipartForm(), MultipartForm().text("post_id", "1")] {
                let answer = try await client.send(\.uploadPostFiles, body: .form(form))
                #expect(answer.status == 400 && answer.body.contains("files"))
            }
            for (body, field) in [
                ("{}", "category"), (Self.post(["longitude": 181]), "longitude"), (Self.post(["title": " "]), "title"),
                (Self.post(["files": ["/data/posts/x.jpg"]]), "files"), (Self.post(["content": "\0"]), "content"),
            ] {
                let refusal = try await client.send(\.createPost, body: body).refused(400)
                #expect(refusal["message"]?.string?.contains(field) == true, "\(refusal)")
            }
            for query in [nil, "longitude=127", "longitude=x&latitude=37", "longitude=127&latitude=37&next=x"] {
                try await client.send(\.listPostsNearby, query: query).refused(400)
            }
            try await client.send(\.searchPosts).refused(400)
            try await client.send(\.setLike, id, body: ["like_status": "yes"]).refused(400)
            try await client.comment("", on: id).refused(400)
            #expect(try await client.send(\.getPost, id).shaped(Shape.post) == made)
        }
    }

    /// The client has one call to upload files, and uses the resulting paths in listings, too.
    @Test func postFile_supportsRangesAndIsCopiedToListing() async throws {
        try await Platform.test { (platform) async throws in
            let owner = try await AnlakaClient(platform, "a@b.kr", nick: "중개사")
            let guest = try await AnlakaClient(platform, "c@d.kr", nick: "손님")
            let picture = Picture.jpeg(size: 5000)
            let path = try #require(try await owner.upload([picture]).first)

            let whole = try await platform.anlaka.send(.get, "/v1\(path)")
            #expect(whole.status == 200 && whole.bytes == picture)
            #expect(whole.headers["content-type"] == ["image/jpeg"])
            #expect(whole.headers["x-content-type-options"] == ["nosniff"])
            let part = try await guest.send(.get, "/v1\(path)", headers: ["Range": "bytes=100-299"])
            #expect(part.status == 206 && part.bytes == Array(picture[100..<300]))
            #expect(part.headers["content-range"] == ["bytes 100-299/5000"])
            let beyond = try await guest.send(.get, "/v1\(path)", headers: ["Range": "bytes=5000-"])
            #expect(beyond.status == 416 && beyond.headers["content-range"] == ["bytes */5000"])
            #expect(try await platform.send(.get, "/v1\(path)").status == 420)
            try await guest.send(\.getPostFile, "nothing.jpg").refused(404)

            let body = AnlakaEstateJourneyTests.body([path])
            try await guest.send(\.createEstate, body: body).refused(400)
            let thumbnails =
                try await owner.send(\.createEstate, body: body).json()["thumbnails"]?.elements.compactMap(\.string)
                ?? []
            #expect(thumbnails.map { $0.hasPrefix("/data/estates/") } == [true])
            #expect(try await guest.send(.get, "/v1\(thumbnails.first ?? "")").bytes == picture)
        }
    }

    @Test func withdrawal_anonymizesPostsAndComments() async throws {
        try await Platform.test { (platform) async throws in
            let author = try await AnlakaClient(platform, "a@b.kr", nick: "하루")
            let reader = try await AnlakaClient(platform, "c@d.kr", nick: "손님")
            func publish(_ client: AnlakaClient) async throws -> String {
                try await client.send(\.createPost, body: Self.post()).shaped(Shape.post).text("post_id")
            }
            let (own, others) = (try await publish(author), try await publish(reader))
            try await author.like(others).shaped(.like)
            try await author.comment("맛있어요", on: others).shaped(Shape.reply)

            let account = try await platform.account(of: author)
            #expect(try await author.send(\.withdraw).status == 200)
            try await eventually { try await platform.hasLeft(account) }

            let kept = try await reader.send(\.getPost, own).shaped(Shape.post)
            #expect(kept["creator"]?["nick"] == "탈퇴한 사용자")
            #expect(kept["content"] == "골목 안")
            let answered = try await reader.send(\.getPost, others).shaped(Shape.post)
            #expect(answered["like_count"] == 0)
            #expect(answered["comments"]?.elements.first?["creator"] == kept["creator"])
            #expect(answered["comments"]?.elements.first?["content"] == "맛있어요")
            try await reader.send(\.updatePost, own, body: Self.post()).refused(445)
            let written = try await reader.send(\.listPostsByUser, author.id).shaped(Shape.page)
            #expect(written == ["data": [], "next_cursor": "0"])
            #expect(try await refusal { try await author.send(\.getPost, own) }.status == 403)
        }
    }
}
