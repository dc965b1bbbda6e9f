import Contracts
import NIOHTTP1
import TestKit
import Testing

@testable import Gateway

/// Anlaka and Seoul Culture share paths but no data: the key of a request decides which app answers
/// (Culture contract 7, item 10).
@Suite(.timeLimit(.minutes(8))) struct AppIsolationTests {
    private static let post = """
        {"product_id":"ksm_post","category":"맛집","title":"국밥","content":"골목 안","longitude":127.0454,"latitude":37.6522,
         "files":[]}
        """

    private struct Side {
        var phone: KeyedPhone
        var post: JSONShape
        var page: JSONShape
        var comment: JSONShape
        /// The status for a missing resource.
        var gone: Int
        /// The folder of post files.
        var folder: String
    }

    private static func sides(_ platform: Platform) async throws -> [Side] {
        [
            Side(
                phone: try await KeyedPhone(platform, .anlaka, "a@b.kr", nick: "하루"),
                post: JSONShape.Anlaka.post,
                page: JSONShape.Anlaka.page,
                comment: JSONShape.Anlaka.reply,
                gone: 404,
                folder: "/v1/data/posts/"
            ),
            Side(
                phone: try await KeyedPhone(platform, .culture, "a@b.kr", nick: "하루"),
                post: JSONShape.Culture.post,
                page: JSONShape.Culture.page,
                comment: JSONShape.Culture.comment,
                gone: 410,
                folder: "/v1/uploads/posts/"
            ),
        ]
    }

    @Test func sharedPaths_withOtherAppsKey_exposeNothing() async throws {
        try await Platform.test { (platform) async throws in
            let sides = try await Self.sides(platform)
            for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                let (phone, stranger) = (side.phone, other.phone)
                let made = try await phone.ask(.POST, "/v1/posts", Self.post, 200, side.post)
                let path = "/v1/posts/\(try #require(made["post_id"]?.text))"
                let said = try await phone.ask(.POST, "\(path)/comments", #"{"content":"?"}"#, 200, side.comment)
                let comment = "\(path)/comments/\(try #require(said["comment_id"]?.text))"
                try await phone.ask(.POST, "\(path)/like", #"{"like_status":true}"#, 200, .like)
                for list in ["/v1/posts/likes/me", "/v1/posts/users/\(phone.id)"] {
                    let page = try await phone.ask(.GET, list, nil, 200, side.page)
                    #expect(page.texts("post_id").count == 1)
                    #expect(other.page.faults(in: page) != [])
                }

                // With the other app's key and user, none of it exists.
                for (method, path, json) in [
                    (HTTPMethod.GET, path, nil), (.PUT, path, Self.post), (.DELETE, path, nil),
                    (.POST, "\(path)/like", #"{"like_status":true}"#), (.POST, "\(path)/comments", #"{"content":"?"}"#),
                    (.PUT, comment, #"{"content":"?"}"#), (.DELETE, comment, nil),
                    (.POST, "\(path)/reports", #"{"reason":"광고"}"#), (.GET, "/v1/users/\(phone.id)/profile", nil),
                ] {
                    try await stranger.ask(method, path, json, other.gone)
                }
                let written = try await stranger.ask(.GET, "/v1/posts/users/\(phone.id)", nil, 200, other.page)
                #expect(written["data"] == .array([]))

                let file = try #require(try await phone.upload([Picture.jpeg()]).first)
                let name = file.split(separator: "/").last ?? ""
                #expect(try await phone.file("\(side.folder)\(name)").status == 200)
                try await stranger.ask(.GET, "\(other.folder)\(name)", nil, other.gone)
                try await stranger.ask(.GET, "\(side.folder)\(name)", nil, 444)

                // Nor with the other app's key and the same user.
                let mixed = try await platform.send(.GET, path, key: stranger.key, token: phone.token)
                #expect([401, 403].contains(mixed.status))
                #expect(try JSONShape.refusal.faults(in: mixed.value()) == [])
                #expect(try await phone.ask(.GET, path, nil, 200, side.post)["like_count"] == .int(1))
            }
            let (anlaka, culture) = (sides[0].phone, sides[1].phone)
            try await anlaka.ask(.POST, "/v1/follow/\(culture.id)", nil, 444)
            for path in ["/v1/events", "/v1/events/favorites"] { try await anlaka.ask(.GET, path, nil, 444) }
            for path in ["/v1/estates/today-estates", "/event-application"] {
                try await culture.ask(.GET, path, nil, 444)
            }
            // One app has a list at the path; the other takes the segment for a post id, which it is not.
            try await anlaka.ask(.GET, "/v1/posts/hashtags?hashTag=a", nil, 404)
            try await culture.ask(.GET, "/v1/posts/geolocation?longitude=127&latitude=37", nil, 410)
        }
    }
}
