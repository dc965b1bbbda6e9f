import AppClients
import Apps
import NIOHTTP1
import Postgres
import TestKit
import Testing

/// Companion posts and the gallery as With Suhyeon's client uses them, through the gateway (With Suhyeon contract 1.2,
/// calls 10 to 20, 29 and 30).
@Suite(.timeLimit(.minutes(8))) struct WithSuhyeonCommunityJourneyTests {
    static let post: RequestBody = [
        "gender": true, "age": "40세 이상", "requests": ["사진 촬영", "영상 통화"], "region": "강릉",
        "date": "2099-01-25T14:30", "price": 10000, "title": "경포에서 같이 걸어요", "content": "사진도 찍어 주세요",
    ]
    private static let itemKeys: Set = ["postId", "title", "price", "age", "gender", "date", "matching"]

    private func test(
        _ body: @escaping @Sendable (Platform, WithSuhyeonClient, WithSuhyeonClient) async throws -> Void
    ) async throws {
        try await Platform.test { platform in
            let author = try await WithSuhyeonClient(platform, kakao: 11, number: "01011110000", nickname: "하루")
            let reader = try await WithSuhyeonClient(platform, kakao: 12, number: "01022220000", nickname: "나무")
            try await body(platform, author, reader)
        }
    }

    /// The titles in a response's list of a name.
    private func titles(_ list: String, _ response: ClientResponse) throws -> [String] {
        try response.result()[list]?.elements.compactMap { $0["title"]?.string } ?? []
    }

    private func postTitles(_ client: WithSuhyeonClient, _ query: String = "region=&date=") async throws -> [String] {
        try titles("posts", await client.send(\.listPosts, query: query))
    }

    private func homeTitles(_ client: WithSuhyeonClient) async throws -> [String] {
        try titles("homePosts", await client.send(\.getHome))
    }

    private func galleryTitles(_ client: WithSuhyeonClient, _ query: String? = nil) async throws -> [String] {
        try titles("galleries", await client.send(\.listGalleryPictures, query: query))
    }

    @Test func enumsAndImages_areServedWithoutToken() async throws {
        try await Platform.test { platform in
            let client = WithSuhyeonClient(platform.gateway)
            let regions = try await client.send(\.listRegions).result()
            #expect(regions.keys == ["regions"])
            let locations = regions["regions"]?.elements ?? []
            #expect(locations.count == 10 && locations.allSatisfy { $0.keys == ["location", "subLocations"] })
            #expect(locations.reduce(0) { $0 + ($1["subLocations"]?.elements.count ?? 0) } == 80)
            #expect(locations.first?["subLocations"] == ["전국 전체"])

            let categories = try await client.send(\.listCategories).result()
            #expect(categories.keys == ["categories"])
            let items = categories["categories"]?.elements ?? []
            #expect(items.count == 15 && items.allSatisfy { $0.keys == ["imageUrl", "category"] })
            for item in items {
                let served = try await HTTPTransport(item.text("imageUrl")).send(.get)
                #expect(served.status == 200 && served.headers["content-type"] == ["image/png"])
                #expect(served.bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]))
            }
        }
    }

    @Test func companionPost_lifecycle_matchesContract() async throws {
        try await test { (_, author, reader) async throws in
            #expect(try await author.send(\.createPost, body: Self.post).result() == .null)

            let list = try await reader.send(\.listPosts, query: "region=&date=").result()
            #expect(list.keys == ["region", "days", "posts"] && list["region"] == "강릉")
            #expect(list["days"]?.elements.count == 8 && list["days"]?[0] == "전체")
            let item = try #require(list["posts"]?[0])
            #expect(item.keys == Self.itemKeys.union(["isExpired"]))
            #expect(item["age"] == "40세 이상" && item["date"] == "1월 25일 (일) 오후 2시 30분")
            let post = try item.number("postId")

            let home = try await reader.send(\.getHome).result()
            #expect(home.keys == ["count", "region", "nickname", "homePosts"])
            #expect(home["nickname"] == "나무" && home["homePosts"]?[0]?.keys == Self.itemKeys)

            let detail = try await reader.send(\.getPost, post).result()
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

            let own = try await author.send(\.listOwnPosts).result()
            #expect(own.keys == ["userPosts"])
            #expect(
                own["userPosts"]?[0]?.keys == ["postId", "title", "region", "date", "createdDate", "matching"]
            )

            #expect(try await reader.send(\.deletePost, post).refusal == "403 POST_005")
            let deleted = try await author.send(\.deletePost, post)
            #expect(deleted.status == 204 && deleted.bytes.isEmpty)
            #expect(try await reader.send(\.getPost, post).refusal == "410 POST_006")
            #expect(try await author.send(\.deletePost, post).refusal == "410 POST_006")
            #expect(try await reader.send(\.getPost, "nothing").refusal == "410 REQUEST_009")
        }
    }

    @Test func blockedReader_doesNotSeePosts() async throws {
        try await test { (_, author, reader) async throws in
            try await author.send(\.createPost, body: Self.post).result()
            try await author.send(\.blockPhoneNumber, body: ["phoneNumber": "\(reader.number)"]).result()
            #expect(try await postTitles(reader) == [])
            #expect(try await homeTitles(reader) == [])
            #expect(try await postTitles(author).count == 1)
            #expect(try await author.send(\.unblockPhoneNumber, query: "number=\(reader.number)").status == 204)
            #expect(try await postTitles(reader).count == 1)
            #expect(try await homeTitles(reader).count == 1)
        }
    }

    @Test func regionPreference_changesPostList() async throws {
        try await test { (platform, author, reader) async throws in
            try await author.send(\.createPost, body: Self.post).result()
            try await reader.send(\.updateRegion, body: ["region": "속초/고성"]).result()
            // Events of the sign-up may still be undelivered, with the previous region.
            try await eventually {
                try await platform.authDatabase.client.one(
                    "SELECT count(*) FROM outbox_deliveries WHERE subscriber = 'community'"
                ) { try $0.decode(Int.self) } == 0
            }
            #expect(try await reader.send(\.listPosts, query: "region=&date=").result()["region"] == "속초/고성")
            #expect(try await postTitles(reader) == [])
            #expect(try await homeTitles(reader) == [])
            #expect(try await postTitles(author, "region=my-region").count == 1)
        }
    }

    @Test func galleryPicture_lifecycle_matchesContract() async throws {
        try await test { (_, author, reader) async throws in
            let pictures = [Picture.jpeg(size: 700), Picture.jpeg(size: 900)]
            #expect(try await author.publish(pictures[0], category: "바다", title: "노을") == .null)
            try await author.publish(pictures[1], category: "카페", title: "라테")

            let all = try await reader.send(\.listGalleryPictures, query: "category=all&size=20").result()
            #expect(all.keys == ["galleries"])
            let items = all["galleries"]?.elements ?? []
            #expect(items.map { $0["title"] } == ["라테", "노을"])
            #expect(items.allSatisfy { $0.keys == ["galleryId", "imageUrl", "title"] })
            let last = try #require(items.last).number("galleryId")
            #expect(try await galleryTitles(reader, "category=all&size=1") == ["라테"])
            let second = "category=all&size=1&cursorId=\(last + 1)"
            #expect(try await galleryTitles(reader, second) == ["노을"])
            #expect(try await galleryTitles(reader, "category=all&size=1&cursorId=\(last)") == [])
            #expect(try await galleryTitles(reader, "category=바다&size=20") == ["노을"])

            let detail = try await reader.send(\.getGalleryPicture, last).result()
            #expect(
                detail.keys == [
                    "imageUrl", "category", "title", "profileImage", "nickname", "createdAt", "content", "owner",
                ]
            )
            #expect(detail["category"] == "바다" && detail["content"] == "" && detail["owner"] == false)
            // The client's image library sends no headers, only the URL.
            let address = try detail.text("imageUrl")
            let served = try await HTTPTransport(address).send(.get)
            #expect(served.bytes == pictures[0] && served.headers["content-type"] == ["image/jpeg"])

            let own = try await author.send(\.listOwnGalleryPictures).result()
            #expect(own.keys == ["userGalleries"] && own["userGalleries"] == all["galleries"])

            #expect(try await reader.send(\.deleteGalleryPicture, last).refusal == "403 GALLERY_006")
            let deleted = try await author.send(\.deleteGalleryPicture, last)
            #expect(deleted.status == 204 && deleted.bytes.isEmpty)
            #expect(try await reader.send(\.getGalleryPicture, last).refusal == "410 GALLERY_005")
            #expect(try await author.send(\.deleteGalleryPicture, last).refusal == "410 GALLERY_005")
            #expect(try await HTTPTransport(address).send(.get).status == 410)
        }
    }

    @Test func withdrawal_deletesPostsAndPictures() async throws {
        try await test { (platform, author, reader) async throws in
            try await author.send(\.createPost, body: Self.post).result()
            try await author.publish(Picture.jpeg(), category: "바다", title: "노을")
            let post = try #require(try await reader.send(\.listPosts, query: "region=").result()["posts"]?[0]).number(
                "postId"
            )
            let item = try #require(try await reader.send(\.listGalleryPictures).result()["galleries"]?[0])
            #expect(try await author.send(\.withdraw).status == 200)

            try await eventually {
                try await platform.authDatabase.client.one(
                    "SELECT count(*) = 1 FROM withdrawals WHERE finished_at IS NOT NULL"
                ) { try $0.decode(Bool.self) }
            }
            #expect(try await reader.send(\.getPost, post).refusal == "410 POST_006")
            #expect(try await postTitles(reader, "region=") == [])
            #expect(try await galleryTitles(reader) == [])
            #expect(try await reader.send(\.getGalleryPicture, item.number("galleryId")).refusal == "410 GALLERY_005")
            #expect(try await HTTPTransport(item.text("imageUrl")).send(.get).status == 410)
            #expect(try await author.send(\.getHome).status == 401)
        }
    }
}
