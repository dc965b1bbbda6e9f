import Contracts
import NIOHTTP1
import TestKit
import Testing

@testable import Gateway

/// Which requests of Anlaka's client are refused, who may use a file, and what remains of a withdrawn user.
@Suite(.timeLimit(.minutes(8))) struct AnlakaCommunityRulesTests {
    private typealias Shape = JSONShape.Anlaka

    private static let post = """
        {"category":"맛집","title":"국밥","content":"골목 안","longitude":127.0454,"latitude":37.6522,"files":[]}
        """

    @Test func invalidRequests_returnAnlakasStatuses() async throws {
        try await Platform.test { (platform) async throws in
            let phone = try await KeyedPhone(platform, .anlaka, "a@b.kr", nick: "하루")
            let made = try await phone.ask(.POST, "/v1/posts", Self.post, 200, Shape.post)
            let path = "/v1/posts/\(try #require(made["post_id"]?.text))"
            for key in [nil, "", "anlaka-dev-keyy"] {
                let answer = try await platform.send(.GET, path, key: key, token: phone.token)
                #expect(answer.status == 420)
                #expect(try JSONShape.refusal.faults(in: answer.value()) == [])
            }
            #expect(try await platform.send(.GET, path, key: phone.key).status == 401)
            #expect(try await platform.send(.GET, path, key: phone.key, token: "x.y.z").status == 401)
            for unknown in ["/v1/posts/nearby/me", "\(path)/nothing", "\(path)/comments/x/y", "/v1/log"] {
                try await phone.ask(.GET, unknown, nil, 444)
            }
            for id in ["1", "\(String(repeating: "0", count: 24))", "%EA%B5%AD"] {
                try await phone.ask(.GET, "/v1/posts/\(id)", nil, 404)
            }

            // The client sends such a form when it has rejected every file itself.
            for form in [MultipartForm(), MultipartForm().text("post_id", "1")] {
                let answer = try await platform.send(
                    .POST,
                    "/v1/posts/files",
                    key: phone.key,
                    token: phone.token,
                    form: form
                )
                #expect(answer.status == 400 && answer.body.contains("files"))
            }
            for (json, field) in [
                ("{}", "category"), (Self.post.replacing("127.0454", with: "181"), "longitude"),
                (Self.post.replacing("국밥", with: " "), "title"),
                (Self.post.replacing("[]", with: #"["/data/posts/x.jpg"]"#), "files"),
                (Self.post.replacing("골목 안", with: "\\u0000"), "content"),
            ] {
                let refusal = try await phone.ask(.POST, "/v1/posts", json, 400)
                #expect(refusal["message"]?.text?.contains(field) == true, "\(refusal)")
            }
            for query in ["", "?longitude=127", "?longitude=x&latitude=37", "?longitude=127&latitude=37&next=x"] {
                try await phone.ask(.GET, "/v1/posts/geolocation\(query)", nil, 400)
            }
            try await phone.ask(.GET, "/v1/posts/search", nil, 400)
            try await phone.ask(.POST, "\(path)/like", #"{"like_status":"yes"}"#, 400)
            try await phone.ask(.POST, "\(path)/comments", #"{"content":""}"#, 400)
            #expect(try await phone.ask(.GET, path, nil, 200, Shape.post) == made)
        }
    }

    /// The client has one call to upload files, and uses the resulting paths in listings, too.
    @Test func postFile_supportsRangesAndIsCopiedToListing() async throws {
        try await Platform.test { (platform) async throws in
            let owner = try await KeyedPhone(platform, .anlaka, "a@b.kr", nick: "중개사")
            let guest = try await KeyedPhone(platform, .anlaka, "c@d.kr", nick: "손님")
            let picture = Picture.jpeg(size: 5000)
            let path = try #require(try await owner.upload([picture]).first)

            let whole = try await guest.file("/v1\(path)", isSignedIn: false)
            #expect(whole.status == 200 && whole.bytes == picture)
            #expect(whole.headers["content-type"] == ["image/jpeg"])
            #expect(whole.headers["x-content-type-options"] == ["nosniff"])
            let part = try await guest.file("/v1\(path)", headers: ["range": "bytes=100-299"])
            #expect(part.status == 206 && part.bytes == Array(picture[100..<300]))
            #expect(part.headers["content-range"] == ["bytes 100-299/5000"])
            let beyond = try await guest.file("/v1\(path)", headers: ["range": "bytes=5000-"])
            #expect(beyond.status == 416 && beyond.headers["content-range"] == ["bytes */5000"])
            #expect(try await platform.send(.GET, "/v1\(path)").status == 420)
            try await guest.ask(.GET, "/v1/data/posts/nothing.jpg", nil, 404)

            let body = AnlakaEstateJourneyTests.body([path])
            try await guest.ask(.POST, "/v1/estates", body, 400)
            let made = try await platform.send(.POST, "/v1/estates", key: owner.key, token: owner.token, json: body)
            #expect(made.status == 200, "\(made.body)")
            let thumbnails = try made.value(JSONValue.self)["thumbnails"]?.values.compactMap(\.text) ?? []
            #expect(thumbnails.map { $0.hasPrefix("/data/estates/") } == [true])
            #expect(try await guest.file("/v1\(thumbnails.first ?? "")").bytes == picture)
        }
    }

    @Test func withdrawal_anonymizesPostsAndComments() async throws {
        try await Platform.test { (platform) async throws in
            let author = try await KeyedPhone(platform, .anlaka, "a@b.kr", nick: "하루")
            let reader = try await KeyedPhone(platform, .anlaka, "c@d.kr", nick: "손님")
            func publish(_ phone: KeyedPhone) async throws -> String {
                try #require(try await phone.ask(.POST, "/v1/posts", Self.post, 200, Shape.post)["post_id"]?.text)
            }
            let (own, others) = (try await publish(author), try await publish(reader))
            try await author.ask(.POST, "/v1/posts/\(others)/like", #"{"like_status":true}"#, 200, .like)
            try await author.ask(.POST, "/v1/posts/\(others)/comments", #"{"content":"맛있어요"}"#, 200, Shape.reply)

            let account = try await author.account
            let left = try await platform.send(.DELETE, "/v1/users/me", key: author.key, token: author.token)
            #expect(left.status == 200)
            while try await !platform.hasLeft(account) { try await Task.sleep(for: .milliseconds(20)) }

            let kept = try await reader.ask(.GET, "/v1/posts/\(own)", nil, 200, Shape.post)
            #expect(kept["creator"]?["nick"] == .string("탈퇴한 사용자"))
            #expect(kept["content"] == .string("골목 안"))
            let answered = try await reader.ask(.GET, "/v1/posts/\(others)", nil, 200, Shape.post)
            #expect(answered["like_count"] == .int(0))
            #expect(answered["comments"]?.values.first?["creator"] == kept["creator"])
            #expect(answered["comments"]?.values.first?["content"] == .string("맛있어요"))
            try await reader.ask(.PUT, "/v1/posts/\(own)", Self.post, 445)
            let written = try await reader.ask(.GET, "/v1/posts/users/\(author.id)", nil, 200, Shape.page)
            #expect(written == .object(["data": .array([]), "next_cursor": .string("0")]))
            var status = 200
            while status == 200 {
                status = try await author.file("/v1/posts/\(own)").status
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(status == 403)
        }
    }
}
