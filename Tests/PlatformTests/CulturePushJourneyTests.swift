import AppClients
import Apps
import FoundationEssentials
import Testing

/// Notifications of Seoul Culture. The present client uses none of them; newer clients use the same calls as Anlaka's.
@Suite(.timeLimit(.minutes(8))) struct CulturePushJourneyTests {
    private typealias Shape = JSONShape.Culture

    @Test func commentFollowAndDonation_arePushed() async throws {
        try await Platform.test { (platform) async throws in
            let author = try await CultureClient(platform, "a@b.kr", nick: "하루")
            let reader = try await CultureClient(platform, "c@d.kr", nick: "손님")
            for (client, token) in [(author, "a"), (reader, "r")] {
                try await client.registerDevice(token).shaped(.object([:]))
            }
            let review: RequestBody = [
                "title": "후기", "content": "좋았어요", "price": 100, "product_id": "ksm_post", "files": [],
            ]
            let post = try await author.send(\.createPost, body: review).value(JSON.self).text("post_id")

            let comment = try await reader.comment("저도\n봤어요", on: post).shaped(Shape.comment)
            let about = ["type": "COMMENT", "post_id": post, "comment_id": try comment.text("comment_id")]
            var expected = [ReceivedPush.notice("손님님이 댓글을 남겼습니다", "저도\n봤어요", about, badge: 1)]
            let first = try await platform.pushes(1, to: "a")
            #expect(first == expected)

            // Repeating a follow has no effect.
            for _ in 0..<2 { try await reader.send(\.follow, author.id).shaped(Shape.follow) }
            expected.append(.notice("새로운 팔로워", "손님님이 팔로우하기 시작했습니다.", ["type": "FOLLOW"], badge: 2))
            let second = try await platform.pushes(2, to: "a")
            #expect(second == expected)

            // The author gets no push of their own comment.
            try await author.comment("고맙습니다", on: post).shaped(Shape.comment)
            let impUID = try await platform.sandboxClient.pay(
                "ios_\(reader.key)_\(Int(Date.now.timeIntervalSince1970))",
                100
            )
            let payment = try await reader.validate(impUID, for: post).shaped(Shape.payment)
            let gift = try #require(try await platform.pushes(1, to: "r").first)
            let name = try payment.text("productName")
            // The push omits the order code, since the client puts its key into it.
            let text = "\(name) 100원을 결제했습니다."
            #expect(gift == .notice("결제가 완료되었습니다", text, ["type": "PAYMENT"], badge: 1))

            try await reader.comment("또 올게요", on: post).shaped(Shape.comment)
            let third = try await platform.pushes(3, to: "a")
            #expect(third.map(\.body) == expected.map(\.body) + ["또 올게요"])
            let list = try await author.send(\.listNotifications).json()
            #expect(list.texts("type") == ["COMMENT", "FOLLOW", "COMMENT"] && list["unread_count"] == 3)
            #expect(list.texts("body") == ["또 올게요", "손님님이 팔로우하기 시작했습니다.", "저도\n봤어요"])
            #expect(try await reader.send(\.listNotifications).json().texts("body") == [text])
        }
    }
}
