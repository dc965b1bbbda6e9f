import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Auth
@testable import Stack
@testable import StackKit

/// Companion posts and the gallery as With Suhyeon's client uses them, through the gateway (With Suhyeon contract 1.2,
/// calls 10 to 20, 29 and 30).
@Suite(.timeLimit(.minutes(8))) struct WithSuhyeonCommunityJourneyTests {
    private static let post = #"""
        {"gender":true,"age":"40세 이상","requests":["사진 촬영","영상 통화"],"region":"강릉","date":"2099-01-25T14:30",
         "price":10000,"title":"경포에서 같이 걸어요","content":"사진도 찍어 주세요"}
        """#
    private static let itemKeys: Set = ["postId", "title", "price", "age", "gender", "date", "matching"]

    private func test(_ body: @escaping @Sendable (Platform, Companion, Companion) async throws -> Void) async throws {
        try await Platform.test { platform in
            let author = try await Companion.join(platform, kakao: 11, number: "01011110000", nickname: "하루")
            let reader = try await Companion.join(platform, kakao: 12, number: "01022220000", nickname: "나무")
            try await body(platform, author, reader)
        }
    }

    private func titles(_ path: String, _ list: String, of phone: Companion) async throws -> [String] {
        try await phone.result(.GET, path)[list]?.elements.compactMap { $0["title"]?.string } ?? []
    }

    @Test func enumsAndImages_areServedWithoutToken() async throws {
        try await Platform.test { platform in
            let regions = try await Companion.result(platform.send(.GET, "/api/v1/enums/regions"))
            #expect(regions.keys == ["regions"])
            let locations = regions["regions"]?.elements ?? []
            #expect(locations.count == 10 && locations.allSatisfy { $0.keys == ["location", "subLocations"] })
            #expect(locations.reduce(0) { $0 + ($1["subLocations"]?.elements.count ?? 0) } == 80)
            #expect(locations.first?["subLocations"] == ["전국 전체"])

            let categories = try await Companion.result(platform.send(.GET, "/api/v1/enums/categories"))
            #expect(categories.keys == ["categories"])
            let items = categories["categories"]?.elements ?? []
            #expect(items.count == 15 && items.allSatisfy { $0.keys == ["imageUrl", "category"] })
            for item in items {
                let served = try await Wire.send(.GET, item.text("imageUrl"))
                #expect(served.status == 200 && served.headers["content-type"] == ["image/png"])
                #expect(served.bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]))
            }
        }
    }

    @Test func companionPost_lifecycle_matchesContract() async throws {
        try await test { (_, author, reader) async throws in
            #expect(try await author.result(.POST, "posts", Self.post) == .null)

            let list = try await reader.result(.GET, "posts?region=&date=")
            #expect(list.keys == ["region", "days", "posts"] && list["region"] == "강릉")
            #expect(list["days"]?.elements.count == 8 && list["days"]?[0] == "전체")
            let item = try #require(list["posts"]?[0])
            #expect(item.keys == Self.itemKeys.union(["isExpired"]))
            #expect(item["age"] == "40세 이상" && item["date"] == "1월 25일 (일) 오후 2시 30분")
            let post = "posts/\(try item.number("postId"))"

            let home = try await reader.result(.GET, "home")
            #expect(home.keys == ["count", "region", "nickname", "homePosts"])
            #expect(home["nickname"] == "나무" && home["homePosts"]?[0]?.keys == Self.itemKeys)

            let detail = try await reader.result(.GET, post)
            #expect(
                detail.keys == [
                    "title", "content", "nickname", "createdAt", "profileImage", "price", "owner", "matching",
                    "isExpired", "postDetailInfo", "chatRoomInfoPost",
                ]
            )
            #expect(detail["nickname"] == "하루" && detail["profileImage"] == "img_red_suma" && detail["owner"] == false)
            #expect(detail["postDetailInfo"]?.keys == ["region", "gender", "age", "date", "requests"])
            #expect(detail["postDetailInfo"]?["age"] == "40세이상")
            let room = try #require(detail["chatRoomInfoPost"])
            #expect(room.keys == ["postId", "ownerId", "writerId", "ownerChatRoomId", "peerChatRoomId"])
            #expect(room["ownerChatRoomId"] == "NO" && room["peerChatRoomId"] == "NO")
            #expect(room["ownerId"]?.integer != room["writerId"]?.integer)

            let own = try await author.result(.GET, "mypage/posts")
            #expect(own.keys == ["userPosts"])
            #expect(
                own["userPosts"]?[0]?.keys == ["postId", "title", "region", "date", "createdDate", "matching"]
            )

            #expect(try await reader.refusal(.DELETE, post) == "403 POST_005")
            let deleted = try await author.ask(.DELETE, post)
            #expect(deleted.status == 204 && deleted.bytes.isEmpty)
            #expect(try await reader.refusal(.GET, post) == "410 POST_006")
            #expect(try await author.refusal(.DELETE, post) == "410 POST_006")
            #expect(try await reader.refusal(.GET, "posts/nothing") == "410 REQUEST_009")
        }
    }

    @Test func blockedReader_doesNotSeePosts() async throws {
        try await test { (_, author, reader) async throws in
            try await author.result(.POST, "posts", Self.post)
            try await author.result(.POST, "mypage/blocks", #"{"phoneNumber":"\#(reader.number)"}"#)
            #expect(try await titles("posts?region=&date=", "posts", of: reader) == [])
            #expect(try await titles("home", "homePosts", of: reader) == [])
            #expect(try await titles("posts?region=&date=", "posts", of: author).count == 1)
            #expect(try await author.ask(.DELETE, "mypage/blocks?number=\(reader.number)").status == 204)
            #expect(try await titles("posts?region=&date=", "posts", of: reader).count == 1)
            #expect(try await titles("home", "homePosts", of: reader).count == 1)
        }
    }

    @Test func regionPreference_changesPostList() async throws {
        try await test { (platform, author, reader) async throws in
            try await author.result(.POST, "posts", Self.post)
            try await reader.result(.PATCH, "mypage/preference", #"{"region":"속초/고성"}"#)
            // Events of the sign-up may still be undelivered, with the previous region.
            try await platform.eventually {
                try await platform.authDatabase.client.one(
                    "SELECT count(*) FROM outbox_deliveries WHERE subscriber = 'community'"
                ) { try $0.decode(Int.self) } == 0
            }
            #expect(try await reader.result(.GET, "posts?region=&date=")["region"] == "속초/고성")
            #expect(try await titles("posts?region=&date=", "posts", of: reader) == [])
            #expect(try await titles("home", "homePosts", of: reader) == [])
            #expect(try await titles("posts?region=my-region", "posts", of: author).count == 1)
        }
    }

    @Test func galleryPicture_lifecycle_matchesContract() async throws {
        try await test { (_, author, reader) async throws in
            let pictures = [Picture.jpeg(size: 700), Picture.jpeg(size: 900)]
            #expect(try await author.show(pictures[0], category: "바다", title: "노을") == .null)
            try await author.show(pictures[1], category: "카페", title: "라테")

            let all = try await reader.result(.GET, "galleries?category=all&size=20")
            #expect(all.keys == ["galleries"])
            let items = all["galleries"]?.elements ?? []
            #expect(items.map { $0["title"] } == ["라테", "노을"])
            #expect(items.allSatisfy { $0.keys == ["galleryId", "imageUrl", "title"] })
            let last = try #require(items.last).number("galleryId")
            #expect(try await titles("galleries?category=all&size=1", "galleries", of: reader) == ["라테"])
            let second = "galleries?category=all&size=1&cursorId=\(last + 1)"
            #expect(try await titles(second, "galleries", of: reader) == ["노을"])
            #expect(try await titles("galleries?category=all&size=1&cursorId=\(last)", "galleries", of: reader) == [])
            let sea = "galleries?category=%EB%B0%94%EB%8B%A4&size=20"
            #expect(try await titles(sea, "galleries", of: reader) == ["노을"])

            let picture = "galleries/\(last)"
            let detail = try await reader.result(.GET, picture)
            #expect(
                detail.keys == [
                    "imageUrl", "category", "title", "profileImage", "nickname", "createdAt", "content", "owner",
                ]
            )
            #expect(detail["category"] == "바다" && detail["content"] == "" && detail["owner"] == false)
            // The client's image library sends no headers, only the URL.
            let address = try detail.text("imageUrl")
            let served = try await Wire.send(.GET, address)
            #expect(served.bytes == pictures[0] && served.headers["content-type"] == ["image/jpeg"])

            let own = try await author.result(.GET, "mypage/galleries")
            #expect(own.keys == ["userGalleries"] && own["userGalleries"] == all["galleries"])

            #expect(try await reader.refusal(.DELETE, picture) == "403 GALLERY_006")
            let deleted = try await author.ask(.DELETE, picture)
            #expect(deleted.status == 204 && deleted.bytes.isEmpty)
            #expect(try await reader.refusal(.GET, picture) == "410 GALLERY_005")
            #expect(try await author.refusal(.DELETE, picture) == "410 GALLERY_005")
            #expect(try await Wire.send(.GET, address).status == 410)
        }
    }

    @Test func withdrawal_deletesPostsAndPictures() async throws {
        try await test { (platform, author, reader) async throws in
            try await author.result(.POST, "posts", Self.post)
            try await author.show(Picture.jpeg(), category: "바다", title: "노을")
            let post = try #require(try await reader.result(.GET, "posts?region=")["posts"]?[0]).number("postId")
            let item = try #require(try await reader.result(.GET, "galleries")["galleries"]?[0])
            #expect(try await author.ask(.DELETE, "auth/withdraw").status == 200)

            var isFinished = false
            while !isFinished {
                try await Task.sleep(for: .milliseconds(50))
                isFinished = try await platform.authDatabase.client.one(
                    "SELECT count(*) = 1 FROM withdrawals WHERE finished_at IS NOT NULL"
                ) { try $0.decode(Bool.self) }
            }
            #expect(try await reader.refusal(.GET, "posts/\(post)") == "410 POST_006")
            #expect(try await titles("posts?region=", "posts", of: reader) == [])
            #expect(try await titles("galleries", "galleries", of: reader) == [])
            #expect(try await reader.refusal(.GET, "galleries/\(item.number("galleryId"))") == "410 GALLERY_005")
            #expect(try await Wire.send(.GET, item.text("imageUrl")).status == 410)
            #expect(try await author.ask(.GET, "home").status == 401)
        }
    }
}
