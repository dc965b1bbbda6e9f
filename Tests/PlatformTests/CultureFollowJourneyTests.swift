import Contracts
import NIOHTTP1
import Testing

@testable import Gateway

/// Follows of Seoul Culture (calls 21 and 22 of the contract), and what remains of a withdrawn user.
@Suite(.timeLimit(.minutes(8))) struct CultureFollowJourneyTests {
    private typealias Shape = JSONShape.Culture

    private static let nobody = String(repeating: "0", count: 24)
    private static let review = #"{"product_id":"ksm_post","title":"후기","content":"좋았어요","files":[]}"#

    private static func publish(by phone: KeyedPhone) async throws -> String {
        try #require(try await phone.ask(.POST, "/v1/posts", review, 200, Shape.post)["post_id"]?.text)
    }

    private static func phones(_ platform: Platform) async throws -> (author: KeyedPhone, reader: KeyedPhone) {
        (
            try await KeyedPhone(platform, .culture, "a@b.kr", nick: "하루"),
            try await KeyedPhone(platform, .culture, "c@d.kr", nick: "손님")
        )
    }

    @Test func profile_listsFollowersAndPosts() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.phones(platform)
            let review = try await Self.publish(by: author)
            let follow = "/v1/follow/\(author.id)"
            for _ in 0..<2 {
                let now = try await reader.ask(.POST, follow, nil, 200, Shape.follow)
                #expect(now["nick"] == .string("손님") && now["opponent_nick"] == .string("하루"))
                #expect(now["following_status"] == .bool(true))
            }
            let theirs = try await reader.ask(.GET, "/v1/users/\(author.id)/profile", nil, 200, Shape.profile)
            let me = JSONValue.object(["user_id": .string(reader.id), "nick": .string("손님")])
            #expect(theirs["followers"] == .array([me]) && theirs["following"] == .array([]))
            #expect(theirs["posts"] == .array([.string(review)]))
            let own = try await reader.ask(.GET, "/v1/users/me/profile", nil, 200, Shape.ownProfile)
            #expect(own["following"]?.values.map { $0["user_id"] } == [.string(author.id)])
            #expect(own["followers"] == .array([]) && own["posts"] == .array([]))

            try await reader.ask(.POST, "/v1/follow/\(reader.id)", nil, 400)
            for id in ["x", Self.nobody] { try await reader.ask(.POST, "/v1/follow/\(id)", nil, 410) }
            for _ in 0..<2 {
                let now = try await reader.ask(.DELETE, follow, nil, 200, Shape.follow)
                #expect(now["following_status"] == .bool(false))
            }
            let alone = try await reader.ask(.GET, "/v1/users/\(author.id)/profile", nil, 200, Shape.profile)
            #expect(alone["followers"] == .array([]))
        }
    }

    @Test func withdrawal_removesFollowsAndAnonymizesPosts() async throws {
        try await Platform.test { (platform) async throws in
            let (author, reader) = try await Self.phones(platform)
            let (own, others) = (try await Self.publish(by: author), try await Self.publish(by: reader))
            try await author.ask(.POST, "/v1/posts/\(others)/comments", #"{"content":"저도요"}"#, 200, Shape.comment)
            try await author.ask(.POST, "/v1/posts/\(others)/like", #"{"like_status":true}"#, 200, .like)
            try await author.ask(.POST, "/v1/follow/\(reader.id)", nil, 200, Shape.follow)
            try await reader.ask(.POST, "/v1/follow/\(author.id)", nil, 200, Shape.follow)

            let account = try await author.account
            let left = try await platform.send(.GET, "/v1/users/withdraw", key: author.key, token: author.token)
            #expect(left.status == 200)
            while try await !platform.hasLeft(account) { try await Task.sleep(for: .milliseconds(20)) }

            let kept = try await reader.ask(.GET, "/v1/posts/\(own)", nil, 200, Shape.post)
            #expect(kept["creator"]?["nick"] == .string("탈퇴한 사용자") && kept["content"] == .string("좋았어요"))
            let answered = try await reader.ask(.GET, "/v1/posts/\(others)", nil, 200, Shape.post)
            #expect(answered["comments"]?.values.map { $0["creator"] } == [kept["creator"]])
            #expect(answered["likes"] == .array([]) && answered["like_count"] == .int(0))
            let profile = try await reader.ask(.GET, "/v1/users/me/profile", nil, 200, Shape.ownProfile)
            #expect(profile["followers"] == .array([]) && profile["following"] == .array([]))
            try await reader.ask(.POST, "/v1/follow/\(author.id)", nil, 410)
            try await reader.ask(.GET, "/v1/users/\(author.id)/profile", nil, 410)
        }
    }
}
