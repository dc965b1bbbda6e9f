import Contracts
import NIOHTTP1
import TestKit
import Testing

@testable import Gateway

/// Reviews as Seoul Culture's client uses them, through the gateway: calls 9 to 20 and 25 of the contract, in the
/// shapes of its 1.2.
@Suite(.timeLimit(.minutes(8))) struct CultureCommunityJourneyTests {
    private typealias Shape = JSONShape.Culture

    private static let like = #"{"like_status":true}"#
    private static let nobody = String(repeating: "0", count: 24)
    private static let empty = JSONValue.object(["data": .array([]), "next_cursor": .string("0")])

    private static func review(_ title: String, _ files: [String] = []) -> String {
        JSONValue.object([
            "product_id": .string("ksm_post"), "title": .string(title), "content": .string("좋았어요 #전시 #주말"),
            "files": .array(files.map(JSONValue.string)),
        ]).json
    }

    private static func publish(_ title: String, by phone: KeyedPhone) async throws -> String {
        try #require(
            try await phone.ask(.POST, "/v1/posts", review(title), 200, Shape.post)["post_id"]?.text
        )
    }

    private static func phones(_ platform: Platform) async throws -> (author: KeyedPhone, reader: KeyedPhone) {
        (
            try await KeyedPhone(platform, .culture, "a@b.kr", nick: "하루"),
            try await KeyedPhone(platform, .culture, "c@d.kr", nick: "손님")
        )
    }

    @Test func review_lifecycle_matchesContract() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.phones(platform)
            #expect(
                try await reader.ask(.GET, "/v1/posts?next=&limit=10&product_id=", nil, 200, Shape.page) == Self.empty
            )
            let pictures = [Picture.jpeg(size: 900), Picture.jpeg(size: 800)]
            let files = try await author.upload(pictures)
            for (file, picture) in zip(files, pictures) {
                #expect(file.hasPrefix("uploads/posts/"))
                let served = try await reader.file("/v1/\(file)")
                #expect(served.status == 200 && served.bytes == picture)
                #expect(served.headers["content-type"] == ["image/jpeg"])
                #expect(try await reader.file("/v1/\(file)", isSignedIn: false).status == 401)
            }
            #expect(files.count == 2)
            #expect(try await reader.file("/v1/uploads/posts/nothing.jpg").status == 410)
            let empty = try await platform.send(
                .POST,
                "/v1/posts/files",
                key: author.key,
                token: author.token,
                form: MultipartForm()
            )
            #expect(empty.status == 400)

            let made = try await author.ask(.POST, "/v1/posts", Self.review("후기", files), 200, Shape.post)
            let id = try #require(made["post_id"]?.text)
            #expect(made["files"] == .array(files.map(JSONValue.string)))
            #expect(made["hashTags"] == .array([.string("전시"), .string("주말")]))
            #expect(made["creator"] == .object(["user_id": .string(author.id), "nick": .string("하루")]))
            #expect(try await reader.ask(.GET, "/v1/posts/\(id)", nil, 200, Shape.post) == made)

            for _ in 0..<2 { try await reader.ask(.POST, "/v1/posts/\(id)/like", Self.like, 200, .like) }
            let liked = try await reader.ask(.GET, "/v1/posts/likes/me?next=&limit=10", nil, 200, Shape.page)
            #expect(liked["data"]?.values.map { $0["likes"] } == [.array([.string(reader.id)])])
            #expect(liked["next_cursor"] == .string("0"))

            let changed = try await author.ask(.PUT, "/v1/posts/\(id)", #"{"title":"다시"}"#, 200, Shape.post)
            #expect(changed["title"] == .string("다시") && changed["content"] == made["content"])
            try await reader.ask(.PUT, "/v1/posts/\(id)", #"{"title":"남의 것"}"#, 445)
            try await reader.ask(.DELETE, "/v1/posts/\(id)", nil, 445)
            try await author.ask(.PUT, "/v1/posts/\(id)", #"{"title":1}"#, 400)
            try await author.ask(.DELETE, "/v1/posts/\(id)")
            for (method, path, json) in [
                (HTTPMethod.GET, "", nil), (.PUT, "", #"{"title":"?"}"#), (.DELETE, "", nil),
                (.POST, "/like", Self.like),
                (.POST, "/comments", #"{"content":"?"}"#),
            ] {
                try await author.ask(method, "/v1/posts/\(id)\(path)", json, 410)
            }
            for id in ["x", Self.nobody] { try await author.ask(.GET, "/v1/posts/\(id)", nil, 410) }
            #expect(try await reader.ask(.GET, "/v1/posts/likes/me?next=&limit=10", nil, 200, Shape.page) == Self.empty)
        }
    }

    @Test func comments_lifecycle_matchesContract() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.phones(platform)
            let id = try await Self.publish("후기", by: author)
            let comments = "/v1/posts/\(id)/comments"
            let said = try await reader.ask(.POST, comments, #"{"content":"저도요"}"#, 200, Shape.comment)
            let comment = "\(comments)/\(try #require(said["comment_id"]?.text))"
            let shown = try await author.ask(.GET, "/v1/posts/\(id)", nil, 200, Shape.post)
            #expect(shown["comments"] == .array([said]) && shown["comment_count"] == .int(1))
            let changed = try await reader.ask(.PUT, comment, #"{"content":"저도 갔어요"}"#, 200, Shape.comment)
            #expect(changed["content"] == .string("저도 갔어요") && changed["comment_id"] == said["comment_id"])
            let list = try await author.ask(.GET, "/v1/posts?next=&limit=10&product_id=ksm_post", nil, 200, Shape.page)
            #expect(list["data"]?.values.map { $0["comments"] } == [.array([changed])])
            try await author.ask(.PUT, comment, #"{"content":"?"}"#, 445)
            try await author.ask(.DELETE, comment, nil, 445)
            try await reader.ask(.POST, comments, #"{"content":""}"#, 400)
            try await reader.ask(.DELETE, comment)
            try await reader.ask(.DELETE, comment, nil, 410)
            try await reader.ask(.PUT, comment, #"{"content":"?"}"#, 410)
        }
    }

    @Test func reviewLists_paginateToTheEnd() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.phones(platform)
            var ids: [String] = []
            for number in 0..<5 { ids.append(try await Self.publish("후기 \(number)", by: author)) }
            for id in ids { try await reader.ask(.POST, "/v1/posts/\(id)/like", Self.like, 200, .like) }
            let newest = Array(ids.reversed())
            for path in [
                "/v1/posts?product_id=", "/v1/posts?product_id=ksm_post", "/v1/posts/users/\(author.id)?product_id=",
                "/v1/posts/likes/me?", "/v1/posts/hashtags?hashTag=\("전시".encoded)",
            ] {
                #expect(try await reader.pages(path, of: 2, Shape.page) == newest, "\(path)")
                #expect(try await reader.pages(path, of: 5, Shape.page) == newest, "\(path)")
            }
            #expect(try await author.pages("/v1/posts/users/\(author.id)?product_id=", of: 3, Shape.page) == newest)
            #expect(try await reader.pages("/v1/posts?product_id=other", of: 2, Shape.page) == [])
            try await reader.ask(.GET, "/v1/posts?limit=0", nil, 400)
            try await reader.ask(.GET, "/v1/posts?next=x", nil, 400)
        }
    }
}
