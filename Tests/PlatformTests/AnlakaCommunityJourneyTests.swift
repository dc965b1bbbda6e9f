import Contracts
import NIOHTTP1
import TestKit
import Testing

@testable import Gateway

/// Posts as Anlaka's client uses them, through the gateway: calls 39 to 52 of the contract, in the shapes of its 1.7.
@Suite(.timeLimit(.minutes(8))) struct AnlakaCommunityJourneyTests {
    private typealias Shape = JSONShape.Anlaka

    private static let like = #"{"like_status":true}"#
    private static let place = "longitude=127.045432300312&latitude=37.6522582058481"

    /// The body of a new post; a higher number moves it a little farther away.
    private static func post(_ title: String, _ files: [String] = [], number: Int = 0) -> String {
        let place: [String: JSONValue] = [
            "longitude": .double(127.045432300312), "latitude": .double(37.6522582058481 + Double(number) / 10_000),
        ]
        let texts = ["category": "맛집", "title": title, "content": "골목 안\n2층"].mapValues(JSONValue.string)
        let members = texts.merging(place) { $1 }.merging(["files": .array(files.map(JSONValue.string))]) { $1 }
        return JSONValue.object(members).json
    }

    private static func publish(_ title: String, by phone: KeyedPhone, number: Int = 0) async throws -> String {
        let made = try await phone.ask(.POST, "/v1/posts", post(title, number: number), 200, Shape.post)
        return try #require(made["post_id"]?.text)
    }

    private static func phones(_ platform: Platform) async throws -> (author: KeyedPhone, reader: KeyedPhone) {
        (
            try await KeyedPhone(platform, .anlaka, "a@b.kr", nick: "하루"),
            try await KeyedPhone(platform, .anlaka, "c@d.kr", nick: "손님")
        )
    }

    @Test func post_lifecycle_matchesContract() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.phones(platform)
            let files = try await author.upload([Picture.jpeg(size: 3000), Array("%PDF-1.7\n%%EOF".utf8)])
            #expect(files.map { $0.hasPrefix("/data/posts/") } == [true, true])
            #expect(files.map { $0.split(separator: ".").last } == ["jpg", "pdf"])

            // The client repeats the request after a lost response.
            let attempt = ["Idempotency-Key": "1"]
            let body = Self.post("국밥", files)
            let made = try await author.ask(.POST, "/v1/posts/", body, 200, Shape.post, headers: attempt)
            #expect(try await author.ask(.POST, "/v1/posts", body, 200, Shape.post, headers: attempt) == made)
            let id = try #require(made["post_id"]?.text)
            #expect(made["creator"] == .object(["user_id": .string(author.id), "nick": .string("하루")]))
            #expect(made["files"] == .array(files.map(JSONValue.string)) && made["comments"] == .array([]))
            #expect(made["geolocation"]?["latitude"] == .double(37.6522582058481))
            for path in ["/v1/posts/\(id)", "/v1/posts/\(id)?post_id=\(id)", "/v1/posts/\(id)?", "/v1/posts/\(id)/"] {
                #expect(try await reader.ask(.GET, path, nil, 200, Shape.post) == made, "\(path)")
            }

            let like = "/v1/posts/\(id)/like?post_id=\(id)"
            for _ in 0..<2 {
                #expect(try await reader.ask(.POST, like, Self.like, 200, .like)["like_status"] == .bool(true))
            }
            let liked = try await reader.ask(.GET, "/v1/posts/likes/me?limit=10", nil, 200, Shape.page)
            #expect(liked.texts("post_id") == [id] && liked["next_cursor"] == .string("0"))
            #expect(liked["data"]?.values.first?["is_like"] == .bool(true))
            #expect(liked["data"]?.values.first?["like_count"] == .int(1))
            #expect(try await author.ask(.GET, "/v1/posts/\(id)", nil, 200, Shape.post)["is_like"] == .bool(false))

            let changed = Self.post("순대국", [files[1]])
            let now = try await author.ask(.PUT, "/v1/posts/\(id)", changed, 200, Shape.post)
            #expect(now["title"] == .string("순대국") && now["files"] == .array([.string(files[1])]))
            #expect(now["createdAt"] == made["createdAt"] && now["updatedAt"] != made["updatedAt"])
            try await reader.ask(.PUT, "/v1/posts/\(id)", Self.post("남의 것"), 445)
            try await reader.ask(.DELETE, "/v1/posts/\(id)", nil, 445)
            try await author.ask(.DELETE, "/v1/posts/\(id)")
            try await author.ask(.DELETE, "/v1/posts/\(id)", nil, 404)
            try await reader.ask(.GET, "/v1/posts/\(id)", nil, 404)
            try await reader.ask(.POST, like, Self.like, 404)
        }
    }

    @Test func comments_nestOneLevel() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.phones(platform)
            let id = try await Self.publish("국밥", by: author)
            let comments = "/v1/posts/\(id)/comments"
            let said = try await reader.ask(
                .POST,
                "\(comments)?post_id=\(id)",
                #"{"content":"어디예요?"}"#,
                200,
                Shape.reply
            )
            let comment = try #require(said["comment_id"]?.text)
            let answering = #"{"parent_comment_id":"\#(comment)","content":"골목 안"}"#
            let answered = try await author.ask(.POST, comments, answering, 200, Shape.reply)
            let reply = try #require(answered["comment_id"]?.text)
            try await reader.ask(.POST, comments, #"{"parent_comment_id":"\#(reply)","content":"?"}"#, 400)

            let shown = try await reader.ask(.GET, "/v1/posts/\(id)", nil, 200, Shape.post)["comments"]?.values
            #expect(shown?.compactMap { $0["comment_id"]?.text } == [comment])
            #expect(shown?.first?["replies"] == .array([answered]))

            let change = #"{"content":"어디인가요?"}"#
            let changed = try await reader.ask(.PUT, "\(comments)/\(comment)", change, 200, Shape.reply)
            #expect(changed["content"] == .string("어디인가요?") && changed["comment_id"] == said["comment_id"])
            try await author.ask(.PUT, "\(comments)/\(comment)", change, 445)
            try await author.ask(.DELETE, "\(comments)/\(comment)", nil, 445)
            try await reader.ask(.DELETE, "\(comments)/\(comment)")
            try await reader.ask(.DELETE, "\(comments)/\(comment)", nil, 404)
            // The client deletes the replies, too, one by one.
            try await author.ask(.DELETE, "\(comments)/\(reply)", nil, 404)
            try await reader.ask(.PUT, "\(comments)/\(comment)", change, 404)
        }
    }

    @Test func postLists_paginateToTheEnd() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.phones(platform)
            var ids: [String] = []
            for number in 0..<5 { ids.append(try await Self.publish("국밥 \(number)", by: author, number: number)) }
            for id in [ids[3], ids[1]] {
                try await reader.ask(.POST, "/v1/posts/\(id)/like", Self.like, 200, .like)
            }
            let near = "/v1/posts/geolocation?\(Self.place)&maxDistance=5000&category=\("맛집".encoded)"
            let newest = Array(ids.reversed())
            #expect(try await reader.pages("\(near)&order=createdAt", of: 2, Shape.page) == newest)
            let ranked = [ids[3], ids[1], ids[4], ids[2], ids[0]]
            for order in ["order=likes", "order_by=likes"] {
                #expect(try await reader.pages("\(near)&\(order)", of: 2, Shape.page) == ranked)
            }
            let elsewhere = try await reader.ask(
                .GET,
                "/v1/posts/geolocation?longitude=129.07&latitude=35.17&maxDistance=1234.56789",
                nil,
                200,
                Shape.page
            )
            #expect(elsewhere == .object(["data": .array([]), "next_cursor": .string("0")]))
            let written = "/v1/posts/users/\(author.id)?category=\("맛집".encoded)"
            #expect(try await reader.pages(written, of: 2, Shape.page) == newest)
            let liked = "/v1/posts/likes/me?category="
            #expect(try await reader.pages(liked, of: 1, Shape.page) == [ids[1], ids[3]])
            let search = "/v1/posts/search?title=\("국밥 2".encoded)"
            #expect(try await reader.ask(.GET, search, nil, 200, Shape.found).texts("post_id") == [ids[2]])
        }
    }
}
