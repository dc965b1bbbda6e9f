import AppClients
import Apps
import Postgres
import TestKit
import Testing

/// Notifications of Anlaka other than messages: as pushes, and in the notification list.
@Suite(.timeLimit(.minutes(8))) struct AnlakaPushJourneyTests {
    private typealias Shape = JSONShape.Anlaka

    /// Publishes a post.
    private static func publish(by author: AnlakaClient) async throws -> String {
        let post: RequestBody = [
            "category": "맛집", "title": "국밥", "content": "골목 안", "longitude": 127.045, "latitude": 37.652, "files": [],
        ]
        return try await author.send(\.createPost, body: post).shaped(Shape.post).text("post_id")
    }

    /// Comments on a post.
    ///
    /// - Returns: the push that the post's author gets.
    private static func comment(
        _ text: String,
        on post: String,
        by client: AnlakaClient,
        badge: Int
    ) async throws -> ReceivedPush {
        let comment = try await client.comment(text, on: post).shaped(Shape.reply).text("comment_id")
        let data = ["type": "COMMENT", "post_id": post, "comment_id": comment]
        return .notice("중개사님이 댓글을 남겼습니다", text, data, badge: badge)
    }

    @Test func notices_arePushedOnceAndListed() async throws {
        try await Platform.test { (platform) async throws in
            let owner = try await AnlakaClient(platform, "o@b.kr", nick: "중개사")
            let guest = try await AnlakaClient(platform, "g@b.kr", nick: "손님", device: "g1")
            try await platform.device("g1", belongsTo: platform.account(of: guest))
            let listing = try await AnlakaPaymentJourneyTests.list(owner)
            let order = try await guest.send(\.placeOrder, body: ["estate_id": "\(listing)"]).shaped(Shape.order)
            let code = try order.text("order_code")
            let impUID = try await platform.sandboxClient.pay(code, 100)
            // The client and PortOne report the payment several times: the buyer gets one push.
            async let webhooks = platform.sendWebhook(of: impUID, times: 2)
            try await guest.validate(impUID).shaped(Shape.validation)
            #expect(try await webhooks == [200, 200])
            let payment = ["type": "PAYMENT", "order_code": code]
            var all = [ReceivedPush.notice("결제가 완료되었습니다", "햇살 100원을 결제했습니다.", payment, badge: 1)]
            #expect(try await platform.pushes(1, to: "g1") == all)

            _ = try await platform.sandboxClient.post("payments/\(impUID)", ["cancel_amount": 100])
            #expect(try await platform.sendWebhook(of: impUID) == [200])
            all.append(.notice("결제가 취소되었습니다", "햇살 100원을 돌려 드립니다.", payment, badge: 2))
            #expect(try await platform.pushes(2, to: "g1") == all)
            let notices = try await guest.send(\.listNotifications).json()
            #expect(notices["unread_count"] == 2 && notices["next_cursor"] == "0")
            #expect(notices.texts("title") == ["결제가 취소되었습니다", "결제가 완료되었습니다"])
            #expect(notices["data"]?.elements.map { $0["data"]?["order_code"]?.string } == [code, code])
            let unread = JSONShape.object(["unread_count": .integer])
            #expect(try await guest.send(\.markNotificationsRead).shaped(unread)["unread_count"] == 0)

            let post = try await Self.publish(by: guest)
            all.append(try await Self.comment("맛있나요?", on: post, by: owner, badge: 1))
            #expect(try await platform.pushes(3, to: "g1") == all)

            // A kind with pushes turned off still appears in the list.
            try await guest.prefer("COMMENT", false)
            _ = try await Self.comment("조용히", on: post, by: owner, badge: 2)
            try await eventually {
                try await guest.send(\.listNotifications).json().texts("body").first == "조용히"
            }

            // Only the devices that were signed in before get the push of a new sign-in.
            _ = try await AnlakaClient(
                platform,
                signingIn: "g@b.kr",
                device: "g2",
                headers: ["User-Agent": "Anlaka/2 (iPad)"]
            )
            #expect(try await platform.pushes(4, to: "g1").count == 4)
            try await platform.device("g2", belongsTo: platform.account(of: guest))
            let signIn = try #require(try await platform.pushes(to: "g1").last)
            let session = try #require(signIn.data["session_id"])
            let text = "새로운 기기 (Anlaka/2 (iPad))에서 로그인했습니다. 본인이 아니라면 그 기기를 로그아웃해 주세요."
            all.append(
                .notice("새로운 기기에서 로그인했습니다", text, ["type": "NEW_DEVICE", "session_id": session], badge: 3)
            )
            try await guest.prefer("COMMENT", true)
            let last = try await Self.comment("다시 들려요", on: post, by: owner, badge: 4)
            #expect(try await platform.pushes(5, to: "g1") == all + [last])
            #expect(try await platform.pushes(1, to: "g2") == [last])
        }
    }

    /// FCM is down for a while: the pushes of that time arrive when it is back.
    @Test func pushes_duringFCMOutage_arriveOnceAfterwards() async throws {
        try await Platform.test { (platform) async throws in
            let owner = try await AnlakaClient(platform, "o@b.kr", nick: "중개사")
            let guest = try await AnlakaClient(platform, "g@b.kr", nick: "손님", device: "g1")
            try await platform.device("g1", belongsTo: platform.account(of: guest))
            let post = try await Self.publish(by: guest)
            var texts = ["먼저"]
            _ = try await Self.comment("먼저", on: post, by: owner, badge: 1)
            #expect(try await platform.pushes(1, to: "g1").map(\.body) == texts)

            try await platform.fault("fcm", count: 1_000_000)
            for text in ["하나", "둘", "셋", "넷"] {
                texts.append(text)
                _ = try await Self.comment(text, on: post, by: owner, badge: 0)
            }
            try await eventually {
                try await platform.notificationsDatabase.client.one(
                    "SELECT count(*) = 4 AND max(attempts) > 0 FROM pushes"
                ) { try $0.decode(Bool.self) }
            }
            #expect(try await platform.pushes(to: "g1").map(\.body) == ["먼저"])
            try await platform.fault("fcm", count: 0)
            let got = try await platform.pushes(5, to: "g1")
            #expect(got.map(\.body) == texts)
            // Each badge is the number of unread notices at the time of sending.
            #expect(got.dropFirst().allSatisfy { $0.payload["aps"]?["badge"] == 5 })
            try await eventually { try await platform.waitingPushes() == 0 }
            #expect(try await platform.pushes(to: "g1") == got)
        }
    }
}
