import Contracts
import FoundationEssentials
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Gateway

/// Notifications of Seoul Culture. The present client uses none of them; newer clients use the same calls as Anlaka's.
@Suite(.timeLimit(.minutes(8))) struct CulturePushJourneyTests {
    private typealias Shape = JSONShape.Culture

    @Test func commentFollowAndDonation_arePushed() async throws {
        try await Platform.test { (platform) async throws in
            let author = try await KeyedPhone(platform, .culture, "a@b.kr", nick: "하루")
            let reader = try await KeyedPhone(platform, .culture, "c@d.kr", nick: "손님")
            for (phone, token) in [(author, "a"), (reader, "r")] { try await phone.say(device: token) }
            let writing = #"{"title":"후기","content":"좋았어요","price":100,"product_id":"ksm_post","files":[]}"#
            let made = try await platform.send(.POST, "/v1/posts", key: author.key, token: author.token, json: writing)
            let post = try #require(try made.value(JSONValue.self)["post_id"]?.text)

            let comments = "/v1/posts/\(post)/comments"
            let comment = try await reader.ask(.POST, comments, #"{"content":"저도\n봤어요"}"#, 200, Shape.comment)
            let about = ["type": "COMMENT", "post_id": post, "comment_id": try #require(comment["comment_id"]?.text)]
            var told = [PhonePush.notice("손님님이 댓글을 남겼습니다", "저도\n봤어요", about, badge: 1)]
            #expect(try await platform.pushes(1, to: "a") == told)

            // Repeating a follow has no effect.
            for _ in 0..<2 { try await reader.ask(.POST, "/v1/follow/\(author.id)", nil, 200, Shape.follow) }
            told.append(.notice("새로운 팔로워", "손님님이 팔로우하기 시작했습니다.", ["type": "FOLLOW"], badge: 2))
            #expect(try await platform.pushes(2, to: "a") == told)

            // The author gets no push of their own comment.
            try await author.ask(.POST, comments, #"{"content":"고맙습니다"}"#, 200, Shape.comment)
            let impUID = try await platform.pay("ios_\(reader.key)_\(Int(Date.now.timeIntervalSince1970))", 100)
            let json = #"{"imp_uid":"\#(impUID)","post_id":"\#(post)"}"#
            let payment = try await reader.ask(.POST, "/v1/payments/validation", json, 200, Shape.payment)
            let gift = try #require(try await platform.pushes(1, to: "r").first)
            let name = try #require(payment["productName"]?.text)
            // The push omits the order code, since the client puts its key into it.
            let text = "\(name) 100원을 결제했습니다."
            #expect(gift == .notice("결제가 완료되었습니다", text, ["type": "PAYMENT"], badge: 1))

            try await reader.ask(.POST, comments, #"{"content":"또 올게요"}"#, 200, Shape.comment)
            #expect(try await platform.pushes(3, to: "a").map(\.body) == told.map(\.body) + ["또 올게요"])
            let list = try await author.notices()
            #expect(list.texts("type") == ["COMMENT", "FOLLOW", "COMMENT"] && list["unread_count"] == .int(3))
            #expect(list.texts("body") == ["또 올게요", "손님님이 팔로우하기 시작했습니다.", "저도\n봤어요"])
            #expect(try await reader.notices().texts("body") == [text])
        }
    }
}
