import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CompanionPostTests {
    private var world: CompanionWorld { .current }

    private struct Detail: Decodable {
        struct Info: Decodable, Equatable {
            var region: String
            var gender: Bool
            var age: String
            var date: String
            var requests: [String]
        }

        struct Talk: Decodable, Equatable {
            var postId: CompanionPostID
            var ownerId: AccountID
            var writerId: Int64
            var ownerChatRoomId: String
            var peerChatRoomId: String
        }

        var title: String
        var content: String
        var nickname: String
        var createdAt: String
        var profileImage: String
        var price: Int
        var owner: Bool
        var matching: Bool
        var isExpired: Bool
        var postDetailInfo: Info
        var chatRoomInfoPost: Talk
    }

    private struct Own: Decodable {
        struct Item: Decodable {
            var postId: CompanionPostID
            var region: String
            var date: String
            var createdDate: String
            var matching: Bool
        }

        var userPosts: [Item]
    }

    @Test(.companions) func post_isShownWithAuthor() async throws {
        let id = try await world.post()
        let seen: Detail = try await world.get("/api/v1/posts/\(id)", 2)
        #expect(seen.title == "같이 가요" && seen.content == "한강에서 봐요" && seen.price == 10_000)
        #expect(seen.nickname == "하루" && seen.profileImage == "img_red_suma")
        #expect(!seen.owner && !seen.matching && !seen.isExpired)
        let created = try await world.database.one("SELECT created_at FROM companion_posts") {
            try $0.decode(Date.self)
        }
        #expect(seen.createdAt == KoreanDate.short(created))
        #expect(
            seen.postDetailInfo
                == .init(
                    region: "잠실/송파/강동",
                    gender: true,
                    age: "20~24",
                    date: "1월 1일 (금) 오후 6시 00분",
                    requests: ["사진 촬영"]
                )
        )
        let own: Detail = try await world.get("/api/v1/posts/\(id)", 1)
        #expect(own.owner)
        world.clock.advance(by: 3 * 86_400)
        let later: Detail = try await world.get("/api/v1/posts/\(id)", 2)
        #expect(later.isExpired)
    }

    @Test func roomIds_comeFromChat() async throws {
        try await CompanionWorld.test { world in
            let id = try await world.post()
            func talk(_ account: AccountID) async throws -> Detail.Talk {
                try await world.get("/api/v1/posts/\(id)", account, as: Detail.self).chatRoomInfoPost
            }
            func none(_ account: AccountID) -> Detail.Talk {
                .init(postId: id, ownerId: account, writerId: 1, ownerChatRoomId: "NO", peerChatRoomId: "NO")
            }
            #expect(try await talk(2) == none(2))
            let (own, peer) = ("aaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbb")
            let room = ChatAPI.Room(inquirersCopy: "\(own)", authorsCopy: "\(peer)")
            world.stubs.state.withLock { $0.rooms = ["\(id)/2": room, "\(id)/1": room] }
            #expect(
                try await talk(2)
                    == .init(postId: id, ownerId: 2, writerId: 1, ownerChatRoomId: own, peerChatRoomId: peer)
            )
            #expect(try await talk(9) == none(9))
            #expect(try await talk(1) == none(1))
            world.stubs.state.withLock { $0.isChatAway = true }
            #expect(try await talk(2) == none(2))
        }
        try await CompanionWorld.test(people: [3: "산", 4: "들"], { $0.chatURLs = [] }) { world in
            let id = try await world.post(by: 3)
            let seen: Detail = try await world.get("/api/v1/posts/\(id)", 4)
            #expect(seen.chatRoomInfoPost.ownerChatRoomId == "NO")
        }
    }

    @Test(.companions) func deletion_byAuthorOnly_notifiesChat() async throws {
        let (id, other) = (try await world.post(), try await world.post())
        let path = "/api/v1/posts/\(id)"
        #expect(try await world.client(2).send(.delete, path).refusal == "403 POST_005")
        let statuses = try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { try await world.client(1).send(.delete, path).status.code } }
            return try await group.reduce(into: []) { $0.append($1) }.sorted()
        }
        #expect(statuses == [204, 410, 410, 410])
        for phone in [world.client(1), world.client(2)] {
            #expect(try await phone.send(.get, path).refusal == "410 POST_006")
            #expect(try await phone.send(.delete, path).refusal == "410 POST_006")
        }
        #expect(try await world.list().posts.map(\.postId) == [other])
        while world.stubs.state.withLock(\.deletedPosts).isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        #expect(world.stubs.state.withLock(\.deletedPosts) == [id])
    }

    @Test(.companions) func matching_isSetByAuthorOnly() async throws {
        let id = try await world.post()
        let path = "/api/v1/posts/\(id)/matching"
        #expect(try await world.client(2).send(.patch, path, json: #"{"matching":true}"#).refusal == "403 POST_005")
        for json in [#"{"matching":null}"#, "{}", #"{"matching":1}"#] {
            let answer = try await world.client(1).send(.patch, path, json: json)
            #expect(answer.refusal == "400 REQUEST_001" && answer.text.contains("matching"))
        }
        for matching in [true, true, false] {
            let answer = try await world.client(1).send(.patch, path, json: #"{"matching":\#(matching)}"#)
            #expect(answer.isPlainSuccess, "\(answer.text)")
            #expect(try await world.list().posts.first?.matching == matching)
            #expect(try await world.get("/api/v1/posts/\(id)", 2, as: Detail.self).matching == matching)
            #expect(try await world.get("/api/v1/mypage/posts", 1, as: Own.self).userPosts[0].matching == matching)
            #expect(
                try await world.get("/api/v1/home", 2, as: CompanionWorld.Home.self).homePosts[0].matching
                    == matching
            )
        }
        let gone = try await world.client(1).send(.patch, "/api/v1/posts/99/matching", json: #"{"matching":true}"#)
        #expect(gone.refusal == "410 POST_006")
    }

    @Test(.companions, arguments: ["x", "0", "-1", "9223372036854775808", "1.5", "%00", "1%00"])
    func invalidId_returns410(id: String) async throws {
        for (method, path) in [(HTTPRequest.Method.get, ""), (.delete, ""), (.patch, "/matching")] {
            let json = method == .patch ? #"{"matching":true}"# : nil
            let answer = try await world.client(1).send(method, "/api/v1/posts/\(id)\(path)", json: json)
            #expect(answer.refusal == "410 REQUEST_009", "\(method) \(answer.text)")
        }
    }

    @Test(.companions) func ownPosts_showDaysLeft() async throws {
        let dates = [
            "2026-12-30T17:59", "2026-12-30T18:00", "2026-12-30T23:59", "2026-12-31T00:00", "2027-01-01T18:00",
            "2027-12-30T18:00",
        ]
        for date in dates { _ = try await world.post(date: date) }
        _ = try await world.post(by: 2)
        let own: Own = try await world.get("/api/v1/mypage/posts", 1)
        #expect(own.userPosts.reversed().map(\.date) == ["기간 만료", "D-Day", "D-Day", "D-1", "D-2", "D-365"])
        #expect(own.userPosts.allSatisfy { $0.region == "잠실/송파/강동" && $0.createdDate.hasSuffix("일") })
    }
}
