import AppClients
import Apps
import TestKit
import Testing

/// Anlaka and Seoul Culture share paths but no data: the key of a request decides which app answers
/// (Culture contract 7, item 10).
@Suite(.timeLimit(.minutes(8))) struct AppIsolationTests {
    private static let post: RequestBody = [
        "product_id": "ksm_post", "category": "맛집", "title": "국밥", "content": "골목 안", "longitude": 127.0454,
        "latitude": 37.6522, "files": [],
    ]

    private struct Side<Calls: SeSACCalls> {
        var client: SeSACClient<Calls>
        var post: JSONShape
        var page: JSONShape
        var comment: JSONShape
        /// The status for a missing resource.
        var gone: Int
    }

    /// What one side creates does not exist for the other one.
    private static func separates<One, Other>(_ side: Side<One>, from other: Side<Other>) async throws {
        let (client, stranger) = (side.client, other.client)
        let post = try await client.send(\.createPost, body: post).shaped(side.post).text("post_id")
        let comment = try await client.comment("?", on: post).shaped(side.comment).text("comment_id")
        try await client.like(post).shaped(.like)
        for page in [
            try await client.send(\.listLikedPosts).shaped(side.page),
            try await client.send(\.listPostsByUser, client.id).shaped(side.page),
        ] {
            #expect(page.texts("post_id").count == 1)
            #expect(other.page.faults(in: page) != [])
        }

        // With the other app's key and user, none of it exists.
        for answer in [
            try await stranger.send(\.getPost, post), try await stranger.send(\.updatePost, post, body: Self.post),
            try await stranger.send(\.deletePost, post), try await stranger.like(post),
            try await stranger.comment("?", on: post),
            try await stranger.send(\.updateComment, post, comment, body: ["content": "?"]),
            try await stranger.send(\.deleteComment, post, comment),
            try await stranger.send(\.reportPost, post, body: ["reason": "광고"]),
            try await stranger.send(\.getUserProfile, client.id),
        ] {
            try answer.refused(other.gone)
        }
        let written = try await stranger.send(\.listPostsByUser, client.id).shaped(other.page)
        #expect(written["data"] == [])

        let file = try #require(try await client.upload([Picture.jpeg()]).first)
        let name = String(file.split(separator: "/").last ?? "")
        #expect(try await client.send(\.getPostFile, name).status == 200)
        try await stranger.send(\.getPostFile, name).refused(other.gone)
        try await stranger.send(.get, One().getPostFile.path(with: [name])).refused(444)

        // Nor with the other app's key and the same user.
        let mixed = try await stranger.send(\.getPost, post, headers: ["Authorization": client.token])
        #expect([401, 403].contains(mixed.status))
        try mixed.refused(mixed.status)
        #expect(try await client.send(\.getPost, post).shaped(side.post)["like_count"] == 1)
    }

    @Test func sharedPaths_withOtherAppsKey_exposeNothing() async throws {
        try await Platform.test { (platform) async throws in
            let anlaka = Side(
                client: try await AnlakaClient(platform, "a@b.kr", nick: "하루"),
                post: JSONShape.Anlaka.post,
                page: JSONShape.Anlaka.page,
                comment: JSONShape.Anlaka.reply,
                gone: 404
            )
            let culture = Side(
                client: try await CultureClient(platform, "a@b.kr", nick: "하루"),
                post: JSONShape.Culture.post,
                page: JSONShape.Culture.page,
                comment: JSONShape.Culture.comment,
                gone: 410
            )
            try await Self.separates(anlaka, from: culture)
            try await Self.separates(culture, from: anlaka)

            try await anlaka.client.send(.post, "/v1/follow/\(culture.client.id)").refused(444)
            for path in ["/v1/events", "/v1/events/favorites"] {
                try await anlaka.client.send(.get, path).refused(444)
            }
            for path in ["/v1/estates/today-estates", "/event-application"] {
                try await culture.client.send(.get, path).refused(444)
            }
            // One app has a list at the path; the other takes the segment for a post id, which it is not.
            try await anlaka.client.send(.get, "/v1/posts/hashtags?hashTag=a").refused(404)
            try await culture.client.send(.get, "/v1/posts/geolocation?longitude=127&latitude=37").refused(410)
        }
    }
}
