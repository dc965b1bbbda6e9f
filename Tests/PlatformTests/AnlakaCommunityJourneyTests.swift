import AppClients
import Apps
import TestKit
import Testing

/// Posts as Anlaka's client uses them, through the gateway: calls 39 to 52 of the contract, in the shapes of its 1.7.
@Suite(.timeLimit(.minutes(8))) struct AnlakaCommunityJourneyTests {
    private typealias Shape = JSONShape.Anlaka

    private static let place = "longitude=127.045432300312&latitude=37.6522582058481"

    /// The body of a new post; a higher number moves it a little farther away.
    private static func post(_ title: String, _ files: [String] = [], number: Int = 0) -> RequestBody {
        [
            "category": "맛집", "title": "\(title)", "content": "골목 안\n2층", "longitude": 127.045432300312,
            "latitude": .number(37.6522582058481 + Double(number) / 10_000), "files": .array(files.map(JSON.string)),
        ]
    }

    private static func publish(_ title: String, by client: AnlakaClient, number: Int = 0) async throws -> String {
        try await client.send(\.createPost, body: post(title, number: number)).shaped(Shape.post).text("post_id")
    }

    private static func clients(_ platform: Platform) async throws -> (author: AnlakaClient, reader: AnlakaClient) {
        (
            try await AnlakaClient(platform, "a@b.kr", nick: "하루"),
            try await AnlakaClient(platform, "c@d.kr", nick: "손님")
        )
    }

    @Test func post_lifecycle_matchesContract() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.clients(platform)
            let files = try await author.upload([Picture.jpeg(size: 3000), Array("%PDF-1.7\n%%EOF".utf8)])
            #expect(files.map { $0.hasPrefix("/data/posts/") } == [true, true])
            #expect(files.map { $0.split(separator: ".").last } == ["jpg", "pdf"])

            // The client repeats the request after a lost response.
            let attempt = ["Idempotency-Key": "1"]
            let body = Self.post("국밥", files)
            let made = try await author.send(\.createPost, slash: true, headers: attempt, body: body).shaped(Shape.post)
            #expect(try await author.send(\.createPost, headers: attempt, body: body).shaped(Shape.post) == made)
            let id = try made.text("post_id")
            #expect(made["creator"] == ["user_id": "\(author.id)", "nick": "하루"])
            #expect(made["files"] == .array(files.map(JSON.string)) && made["comments"] == [])
            #expect(made["geolocation"]?["latitude"] == 37.6522582058481)
            for query in [nil, "post_id=\(id)", ""] {
                #expect(try await reader.send(\.getPost, id, query: query).shaped(Shape.post) == made)
            }
            #expect(try await reader.send(\.getPost, id, slash: true).shaped(Shape.post) == made)

            let like: RequestBody = ["like_status": true]
            for _ in 0..<2 {
                let liked = try await reader.send(\.setLike, id, query: "post_id=\(id)", body: like).shaped(.like)
                #expect(liked["like_status"] == true)
            }
            let liked = try await reader.send(\.listLikedPosts, query: "limit=10").shaped(Shape.page)
            #expect(liked.texts("post_id") == [id] && liked["next_cursor"] == "0")
            #expect(liked["data"]?.elements.first?["is_like"] == true)
            #expect(liked["data"]?.elements.first?["like_count"] == 1)
            #expect(try await author.send(\.getPost, id).shaped(Shape.post)["is_like"] == false)

            let changed = Self.post("순대국", [files[1]])
            let now = try await author.send(\.updatePost, id, body: changed).shaped(Shape.post)
            #expect(now["title"] == "순대국" && now["files"] == .array([.string(files[1])]))
            #expect(now["createdAt"] == made["createdAt"] && now["updatedAt"] != made["updatedAt"])
            try await reader.send(\.updatePost, id, body: Self.post("남의 것")).refused(445)
            try await reader.send(\.deletePost, id).refused(445)
            try await author.send(\.deletePost, id).empty()
            try await author.send(\.deletePost, id).refused(404)
            try await reader.send(\.getPost, id).refused(404)
            try await reader.send(\.setLike, id, query: "post_id=\(id)", body: like).refused(404)
        }
    }

    @Test func comments_nestOneLevel() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.clients(platform)
            let id = try await Self.publish("국밥", by: author)
            let question: RequestBody = ["content": "어디예요?"]
            let said = try await reader.send(\.createComment, id, query: "post_id=\(id)", body: question)
                .shaped(Shape.reply)
            let comment = try said.text("comment_id")
            func answer(_ parent: String) -> RequestBody { ["parent_comment_id": "\(parent)", "content": "골목 안"] }
            let answered = try await author.send(\.createComment, id, body: answer(comment)).shaped(Shape.reply)
            let reply = try answered.text("comment_id")
            try await reader.send(\.createComment, id, body: answer(reply)).refused(400)

            let shown = try await reader.send(\.getPost, id).shaped(Shape.post)["comments"]?.elements
            #expect(shown?.compactMap { $0["comment_id"]?.string } == [comment])
            #expect(shown?.first?["replies"] == .array([answered]))

            let change: RequestBody = ["content": "어디인가요?"]
            let changed = try await reader.send(\.updateComment, id, comment, body: change).shaped(Shape.reply)
            #expect(changed["content"] == "어디인가요?" && changed["comment_id"] == said["comment_id"])
            try await author.send(\.updateComment, id, comment, body: change).refused(445)
            try await author.send(\.deleteComment, id, comment).refused(445)
            try await reader.send(\.deleteComment, id, comment).empty()
            try await reader.send(\.deleteComment, id, comment).refused(404)
            // The client deletes the replies, too, one by one.
            try await author.send(\.deleteComment, id, reply).refused(404)
            try await reader.send(\.updateComment, id, comment, body: change).refused(404)
        }
    }

    @Test func postLists_paginateToTheEnd() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.clients(platform)
            var ids: [String] = []
            for number in 0..<5 { ids.append(try await Self.publish("국밥 \(number)", by: author, number: number)) }
            for id in [ids[3], ids[1]] { try await reader.like(id).shaped(.like) }
            let near = "\(Self.place)&maxDistance=5000&category=맛집"
            let newest = Array(ids.reversed())
            #expect(
                try await reader.pages(\.listPostsNearby, query: "\(near)&order=createdAt", of: 2, Shape.page) == newest
            )
            let ranked = [ids[3], ids[1], ids[4], ids[2], ids[0]]
            // The order follows the likes within seconds.
            for order in ["order=likes", "order_by=likes"] {
                try await eventually("the most liked posts come first") {
                    try await reader.pages(\.listPostsNearby, query: "\(near)&\(order)", of: 2, Shape.page) == ranked
                }
            }
            let elsewhere = try await reader.send(
                \.listPostsNearby,
                query: "longitude=129.07&latitude=35.17&maxDistance=1234.56789"
            ).shaped(Shape.page)
            #expect(elsewhere == ["data": [], "next_cursor": "0"])
            let written = try await reader.pages(\.listPostsByUser, author.id, query: "category=맛집", of: 2, Shape.page)
            #expect(written == newest)
            let liked = try await reader.pages(\.listLikedPosts, query: "category=", of: 1, Shape.page)
            #expect(liked == [ids[1], ids[3]])
            let found = try await reader.send(\.searchPosts, query: "title=\("국밥 2".encoded)").shaped(Shape.found)
            #expect(found.texts("post_id") == [ids[2]])
        }
    }
}
