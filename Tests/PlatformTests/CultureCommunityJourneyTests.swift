import AppClients
import Apps
import NIOHTTP1
import TestKit
import Testing

/// Reviews as Seoul Culture's client uses them, through the gateway: calls 9 to 20 and 25 of the contract, in the
/// shapes of its 1.2.
@Suite(.timeLimit(.minutes(8))) struct CultureCommunityJourneyTests {
    private typealias Shape = JSONShape.Culture

    private static let unknownUser = String(repeating: "0", count: 24)
    private static let empty: JSON = ["data": [], "next_cursor": "0"]

    private static func review(_ title: String, _ files: [String] = []) -> RequestBody {
        [
            "product_id": "ksm_post", "title": "\(title)", "content": "좋았어요 #전시 #주말",
            "files": .array(files.map(JSON.string)),
        ]
    }

    private static func publish(_ title: String, by client: CultureClient) async throws -> String {
        try await client.send(\.createPost, body: review(title)).shaped(Shape.post).text("post_id")
    }

    private static func clients(_ platform: Platform) async throws -> (author: CultureClient, reader: CultureClient) {
        (
            try await CultureClient(platform, "a@b.kr", nick: "하루"),
            try await CultureClient(platform, "c@d.kr", nick: "손님")
        )
    }

    @Test func review_lifecycle_matchesContract() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.clients(platform)
            #expect(
                try await reader.send(\.listPosts, query: "next=&limit=10&product_id=").shaped(Shape.page) == Self.empty
            )
            let pictures = [Picture.jpeg(size: 900), Picture.jpeg(size: 800)]
            let files = try await author.upload(pictures)
            for (file, picture) in zip(files, pictures) {
                #expect(file.hasPrefix("uploads/posts/"))
                let served = try await reader.send(.get, "/v1/\(file)")
                #expect(served.status == 200 && served.bytes == picture)
                #expect(served.headers["content-type"] == ["image/jpeg"])
                #expect(try await platform.culture.send(.get, "/v1/\(file)").status == 401)
            }
            #expect(files.count == 2)
            #expect(try await reader.send(\.getPostFile, "nothing.jpg").status == 410)
            #expect(try await author.send(\.uploadPostFiles, body: .form(MultipartForm())).status == 400)

            let made = try await author.send(\.createPost, body: Self.review("후기", files)).shaped(Shape.post)
            let id = try made.text("post_id")
            #expect(made["files"] == .array(files.map(JSON.string)))
            #expect(made["hashTags"] == ["전시", "주말"])
            #expect(made["creator"] == ["user_id": "\(author.id)", "nick": "하루"])
            #expect(try await reader.send(\.getPost, id).shaped(Shape.post) == made)

            for _ in 0..<2 { try await reader.like(id).shaped(.like) }
            let liked = try await reader.send(\.listLikedPosts, query: "next=&limit=10").shaped(Shape.page)
            #expect(liked["data"]?.elements.map { $0["likes"] } == [["\(reader.id)"]])
            #expect(liked["next_cursor"] == "0")

            let changed = try await author.send(\.updatePost, id, body: ["title": "다시"]).shaped(Shape.post)
            #expect(changed["title"] == "다시" && changed["content"] == made["content"])
            try await reader.send(\.updatePost, id, body: ["title": "남의 것"]).refused(445)
            try await reader.send(\.deletePost, id).refused(445)
            try await author.send(\.updatePost, id, body: ["title": 1]).refused(400)
            try await author.send(\.deletePost, id).empty()
            try await author.send(\.getPost, id).refused(410)
            try await author.send(\.updatePost, id, body: ["title": "?"]).refused(410)
            try await author.send(\.deletePost, id).refused(410)
            try await author.like(id).refused(410)
            try await author.comment("?", on: id).refused(410)
            for id in ["x", Self.unknownUser] { try await author.send(\.getPost, id).refused(410) }
            #expect(try await reader.send(\.listLikedPosts, query: "next=&limit=10").shaped(Shape.page) == Self.empty)
        }
    }

    @Test func comments_lifecycle_matchesContract() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.clients(platform)
            let id = try await Self.publish("후기", by: author)
            let said = try await reader.comment("저도요", on: id).shaped(Shape.comment)
            let comment = try said.text("comment_id")
            func edit(_ text: String, by client: CultureClient) async throws -> ClientResponse {
                try await client.send(\.updateComment, id, comment, body: ["content": "\(text)"])
            }
            let shown = try await author.send(\.getPost, id).shaped(Shape.post)
            #expect(shown["comments"] == .array([said]) && shown["comment_count"] == 1)
            let changed = try await edit("저도 갔어요", by: reader).shaped(Shape.comment)
            #expect(changed["content"] == "저도 갔어요" && changed["comment_id"] == said["comment_id"])
            let list = try await author.send(\.listPosts, query: "next=&limit=10&product_id=ksm_post").shaped(
                Shape.page
            )
            #expect(list["data"]?.elements.map { $0["comments"] } == [.array([changed])])
            try await edit("?", by: author).refused(445)
            try await author.send(\.deleteComment, id, comment).refused(445)
            try await reader.comment("", on: id).refused(400)
            try await reader.send(\.deleteComment, id, comment).empty()
            try await reader.send(\.deleteComment, id, comment).refused(410)
            try await edit("?", by: reader).refused(410)
        }
    }

    @Test func reviewLists_paginateToTheEnd() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.clients(platform)
            var ids: [String] = []
            for number in 0..<5 { ids.append(try await Self.publish("후기 \(number)", by: author)) }
            for id in ids { try await reader.like(id).shaped(.like) }
            let newest = Array(ids.reversed())
            for size in [2, 5] {
                for query in ["product_id=", "product_id=ksm_post"] {
                    #expect(try await reader.pages(\.listPosts, query: query, of: size, Shape.page) == newest)
                }
                let own = try await reader.pages(
                    \.listPostsByUser,
                    author.id,
                    query: "product_id=",
                    of: size,
                    Shape.page
                )
                #expect(own == newest)
                #expect(try await reader.pages(\.listLikedPosts, query: "", of: size, Shape.page) == newest)
                #expect(try await reader.pages(\.listTaggedPosts, query: "hashTag=전시", of: size, Shape.page) == newest)
            }
            let own = try await author.pages(\.listPostsByUser, author.id, query: "product_id=", of: 3, Shape.page)
            #expect(own == newest)
            #expect(try await reader.pages(\.listPosts, query: "product_id=other", of: 2, Shape.page) == [])
            try await reader.send(\.listPosts, query: "limit=0").refused(400)
            try await reader.send(\.listPosts, query: "next=x").refused(400)
        }
    }
}
