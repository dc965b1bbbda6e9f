import Authentication
import Contracts
import Events
import FoundationEssentials
import Postgres
import Profiles
import ServiceKit
import TestKit
import Testing
import Values

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct PostsTests {
    private static let draft = PostDraft(
        category: "맛집",
        title: "국밥",
        content: "#맛집 골목 #국밥#부산",
        place: Coordinate(latitude: 37.65, longitude: 127.04)
    )

    private func posts() async throws -> Posts {
        for account in [1, 2] as [AccountID] { try await CommunityWorld.addProfile(account, "하루\(account)", .anlaka) }
        let database = TestDatabase.current
        let domain = CommunityDomain(
            CommunityConfiguration(database: database.configuration),
            database: database.client,
            outbox: .init(subscribers: []),
            people: People(database: database.client) { _ in nil },
            auth: .init(to: .auth, at: ["http://127.0.0.1:9"], keys: .development(.community))
        )
        return domain.posts
    }

    @Test func newPost_isShownWithHashtags() async throws {
        let posts = try await posts()
        let post = try await posts.create(Self.draft, in: .anlaka, by: 1)
        #expect(post.title == "국밥" && post.hashtags == ["맛집", "국밥", "부산"] && post.place == Self.draft.place)
        #expect(try await posts.post(post.publicID, in: .anlaka, for: 2).author.nickname == "하루1")
        await #expect(throws: CommunityError.postNotFound) { try await posts.post(post.publicID, in: .culture, for: 2) }
    }

    @Test func edit_keepsOmittedMembers() async throws {
        let posts = try await posts()
        let post = try await posts.create(Self.draft, in: .anlaka, by: 1)
        let changed = try await posts.change(post.publicID, to: PostDraft(title: "순대국"), in: .anlaka, by: 1)
        #expect(changed.title == "순대국" && changed.content == post.content && changed.hashtags == post.hashtags)
        #expect(changed.place == post.place && changed.updatedAt >= post.updatedAt)
    }

    @Test func post_ofOtherUser_cannotBeEdited() async throws {
        let posts = try await posts()
        let post = try await posts.create(Self.draft, in: .anlaka, by: 1)
        await #expect(throws: CommunityError.notYours) {
            try await posts.change(post.publicID, to: PostDraft(title: "?"), in: .anlaka, by: 2)
        }
        await #expect(throws: CommunityError.notYours) { try await posts.delete(post.publicID, in: .anlaka, by: 2) }
        await #expect(throws: CommunityError.postNotFound) {
            try await posts.delete(post.publicID, in: .culture, by: 1)
        }
        try await posts.delete(post.publicID, in: .anlaka, by: 1)
        await #expect(throws: CommunityError.postNotFound) { try await posts.delete(post.publicID, in: .anlaka, by: 1) }
    }

    @Test func repeatedRequest_createsOnePost() async throws {
        let posts = try await posts()
        var draft = Self.draft
        draft.requestKey = "k"
        async let one = posts.create(draft, in: .anlaka, by: 1)
        async let other = posts.create(draft, in: .anlaka, by: 1)
        let ids = try await [one.publicID, other.publicID]
        #expect(ids[0] == ids[1])
        #expect(try await posts.create(draft, in: .anlaka, by: 2).publicID != ids[0])
    }
}
