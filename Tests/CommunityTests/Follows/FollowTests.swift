import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct FollowTests {
    private var world: CommunityWorld { .current }

    private func follow(
        _ other: AccountID,
        by account: AccountID,
        _ method: HTTPRequest.Method = .post,
        in world: CommunityWorld
    ) async throws -> TestResponse {
        try await world.client(account).send(method, "/v1/follow/\(CommunityWorld.publicID(other))")
    }

    private func circle(_ account: AccountID, _ world: CommunityWorld) async throws -> CommunityAPI.Circle {
        try await ServiceClient(world.client, to: .community, process: .auth).send(
            .get,
            CommunityAPI.Circle.path(account)
        ).json()
    }

    @Test(.culture) func follow_isIdempotent() async throws {
        struct Answer: Decodable, Equatable {
            var nick: String
            var opponentNick: String
            var followingStatus: Bool

            enum CodingKeys: String, CodingKey {
                case nick
                case opponentNick = "opponent_nick"
                case followingStatus = "following_status"
            }
        }
        for (method, status) in [(.post, true), (.post, true), (.delete, false), (.delete, false)]
            as [(HTTPRequest.Method, Bool)]
        {
            let answer = try await follow(2, by: 1, method, in: world)
            #expect(answer.status == .ok)
            let wanted = Answer(nick: "하루", opponentNick: "나무", followingStatus: status)
            #expect(try answer.json(Answer.self) == wanted)
            #expect(try await circle(1, world).following == (status ? [2] : []))
            #expect(try await circle(2, world).followers == (status ? [1] : []))
        }
    }

    @Test func follow_notifiesOnce() async throws {
        @Sendable func followed() async throws -> [CommunityEvents.Followed] {
            try await TestDatabase.current.client.all(
                "SELECT body FROM outbox WHERE name = \(CommunityEvents.Followed.name) ORDER BY id"
            ) { try $0.decode(PostgresJSON<CommunityEvents.Followed>.self).value }
        }
        try await CommunityWorld.test(.culture) { (world) async throws in
            try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<8 { group.addTask { try await follow(2, by: 1, in: world).status } }
                for try await status in group { #expect(status == .ok) }
            }
            let all = try await followed()
            #expect(all.map { "\($0.app) \($0.sender)>\($0.account)" } == ["culture 1>2"])
            _ = try await follow(2, by: 1, .delete, in: world)
            #expect(try await followed().count == 1)
            _ = try await follow(2, by: 1, in: world)
            #expect(try await followed().count == 2)
        }
    }

    @Test(.culture) func follow_ofSelfOrUnknownUser_isRefused() async throws {
        try await CommunityWorld.addProfile(50, "안락", .anlaka)
        for method in [HTTPRequest.Method.post, .delete] {
            let own = try await follow(1, by: 1, method, in: world)
            #expect(own.status == .badRequest && own.text.contains("user_id"))
            for id in [CommunityWorld.publicID(50), CommunityWorld.publicID(77), "1", "%00", "junk"] {
                let answer = try await world.client(1).send(method, "/v1/follow/\(id)")
                #expect(answer.status == .gone, "\(id)")
            }
        }
        #expect(try await world.count("follows") == 0)
    }

    @Test(.culture) func circle_isLatestFirst() async throws {
        for (account, other) in [(2, 1), (9, 1), (1, 9), (1, 2)] as [(AccountID, AccountID)] {
            #expect(try await follow(other, by: account, in: world).status == .ok)
        }
        var posts: [PublicID] = []
        for _ in 0..<3 { posts.append(PublicID(unchecked: try await world.review().postID)) }
        _ = try await world.likeEvent(.fixture("전시"))
        let wanted = CommunityAPI.Circle(followers: [9, 2], following: [2, 9], posts: posts.reversed())
        #expect(try await circle(1, world) == wanted)
        #expect(try await circle(77, world) == CommunityAPI.Circle())
        let answer = try await ServiceClient(world.client, to: .community, process: .auth).send(
            .get,
            "/internal/people/x/circle"
        )
        #expect(answer.status == .badRequest)
    }

    @Test(.culture) func circle_isLimited() async throws {
        try await world.database.execute(
            """
            INSERT INTO people (account_id, app, public_id, nickname)
            SELECT n, 'culture', lpad(to_hex(n), 24, 'e'), 'n' || n FROM generate_series(100000, 110004) n
            """
        )
        try await world.database.execute(
            """
            INSERT INTO follows (follower_id, followed_id, created_at)
            SELECT n, 1, now() + n * interval '1 second' FROM generate_series(100000, 110004) n
            """
        )
        try await world.database.execute(
            """
            INSERT INTO posts (public_id, app, author_id, title)
            SELECT 'd' || lpad(to_hex(n), 23, '0'), 'culture', 1, '글' FROM generate_series(1, 1003) n
            """
        )
        let circle = try await circle(1, world)
        #expect(circle.followers.count == 10_000 && circle.followers.first == 110_004)
        #expect(circle.posts.count == 1000)
    }

    /// All users follow each other while some withdraw: no follow of a withdrawn user remains.
    @Test func concurrentFollowsAndWithdrawals_leaveNoFollows() async throws {
        let people = Dictionary(uniqueKeysWithValues: (AccountID(1)...8).map { ($0, "사람\($0)") })
        try await CommunityWorld.test(.culture, people: people) { (world) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for account in AccountID(1)...8 {
                    for other in AccountID(1)...8 where other != account {
                        group.addTask {
                            let answer = try await follow(other, by: account, in: world)
                            #expect(answer.status.code < 500, "\(answer.text)")
                        }
                    }
                }
                for account in AccountID(1)...4 {
                    group.addTask {
                        let code = try await world.withdraw(account)
                        #expect(code == 204)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await world.count("follows") == 12)
            #expect(try await circle(1, world) == CommunityAPI.Circle())
            #expect(try await circle(5, world).followers.sorted() == [6, 7, 8])
        }
    }
}
