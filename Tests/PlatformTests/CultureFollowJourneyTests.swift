import AppClients
import Apps
import TestKit
import Testing

/// Follows of Seoul Culture (calls 21 and 22 of the contract), and what remains of a withdrawn user.
@Suite(.timeLimit(.minutes(8))) struct CultureFollowJourneyTests {
    private typealias Shape = JSONShape.Culture

    private static let unknownUser = String(repeating: "0", count: 24)
    private static let review: RequestBody = [
        "product_id": "ksm_post", "title": "후기", "content": "좋았어요", "files": [],
    ]

    private static func publish(by client: CultureClient) async throws -> String {
        try await client.send(\.createPost, body: review).shaped(Shape.post).text("post_id")
    }

    private static func clients(_ platform: Platform) async throws -> (author: CultureClient, reader: CultureClient) {
        (
            try await CultureClient(platform, "a@b.kr", nick: "하루"),
            try await CultureClient(platform, "c@d.kr", nick: "손님")
        )
    }

    @Test func profile_listsFollowersAndPosts() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.clients(platform)
            let review = try await Self.publish(by: author)
            for _ in 0..<2 {
                let now = try await reader.send(\.follow, author.id).shaped(Shape.follow)
                #expect(now["nick"] == "손님" && now["opponent_nick"] == "하루")
                #expect(now["following_status"] == true)
            }
            let theirs = try await reader.send(\.getUserProfile, author.id).shaped(Shape.profile)
            let me: JSON = ["user_id": "\(reader.id)", "nick": "손님"]
            #expect(theirs["followers"] == [me] && theirs["following"] == [])
            #expect(theirs["posts"] == ["\(review)"])
            let own = try await reader.send(\.getOwnProfile).shaped(Shape.ownProfile)
            #expect(own["following"]?.elements.map { $0["user_id"] } == ["\(author.id)"])
            #expect(own["followers"] == [] && own["posts"] == [])

            try await reader.send(\.follow, reader.id).refused(400)
            for id in ["x", Self.unknownUser] { try await reader.send(\.follow, id).refused(410) }
            for _ in 0..<2 {
                let now = try await reader.send(\.unfollow, author.id).shaped(Shape.follow)
                #expect(now["following_status"] == false)
            }
            let alone = try await reader.send(\.getUserProfile, author.id).shaped(Shape.profile)
            #expect(alone["followers"] == [])
        }
    }

    @Test func withdrawal_removesFollowsAndAnonymizesPosts() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.clients(platform)
            let (own, others) = (try await Self.publish(by: author), try await Self.publish(by: reader))
            try await author.send(\.createComment, others, body: ["content": "저도요"]).shaped(Shape.comment)
            try await author.send(\.setLike, others, body: ["like_status": true]).shaped(.like)
            try await author.send(\.follow, reader.id).shaped(Shape.follow)
            try await reader.send(\.follow, author.id).shaped(Shape.follow)

            let account = try await platform.account(of: author)
            #expect(try await author.send(\.withdrawByGet).status == 200)
            try await eventually { try await platform.hasLeft(account) }

            let kept = try await reader.send(\.getPost, own).shaped(Shape.post)
            #expect(kept["creator"]?["nick"] == "탈퇴한 사용자" && kept["content"] == "좋았어요")
            let answered = try await reader.send(\.getPost, others).shaped(Shape.post)
            #expect(answered["comments"]?.elements.map { $0["creator"] } == [kept["creator"]])
            #expect(answered["likes"] == [] && answered["like_count"] == 0)
            let profile = try await reader.send(\.getOwnProfile).shaped(Shape.ownProfile)
            #expect(profile["followers"] == [] && profile["following"] == [])
            try await reader.send(\.follow, author.id).refused(410)
            try await reader.send(\.getUserProfile, author.id).refused(410)
        }
    }
}
