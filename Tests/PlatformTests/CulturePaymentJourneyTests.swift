import Contracts
import FoundationEssentials
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Gateway

/// Donations of a hundred won as the client makes them (Culture contract 7, item 8).
@Suite(.timeLimit(.minutes(8))) struct CulturePaymentJourneyTests {
    private typealias Shape = JSONShape.Culture

    private func post(_ author: KeyedPhone, price: Int = 100) async throws -> String {
        let json = #"{"title":"후원하기","content":"고맙습니다","price":\#(price),"product_id":"ksm_post","files":[]}"#
        let answer = try await author.platform.send(
            .POST,
            "/v1/posts",
            key: author.key,
            token: author.token,
            json: json
        )
        return try #require(try answer.value(JSONValue.self)["post_id"]?.text)
    }

    private func buyers(of post: String, _ phone: KeyedPhone) async throws -> [String] {
        let answer = try await phone.platform.send(.GET, "/v1/posts/\(post)", key: phone.key, token: phone.token)
        return try answer.value(JSONValue.self)["buyers"]?.values.compactMap(\.text) ?? []
    }

    private func json(_ impUID: String, _ post: String) -> String { #"{"imp_uid":"\#(impUID)","post_id":"\#(post)"}"# }

    @Test func donation_isValidatedListedAndCancelled() async throws {
        try await Platform.test { platform in
            let author = try await KeyedPhone(platform, .culture, "a@b.kr", nick: "후원계")
            let giver = try await KeyedPhone(platform, .culture, "g@b.kr", nick: "관객")
            let other = try await KeyedPhone(platform, .culture, "c@b.kr", nick: "이웃")
            let (wanted, second) = (try await post(author), try await post(author))
            #expect(
                try await giver.ask(.GET, "/v1/payments/me", nil, 200, Shape.payments)["data"]?.values.isEmpty == true
            )
            let code = "ios_\(giver.key)_\(Int(Date.now.timeIntervalSince1970))"
            let impUID = try await platform.pay(code, 100)
            let path = "/v1/payments/validation"
            let first = try await giver.ask(.POST, path, json(impUID, wanted), 200, Shape.payment)
            #expect(first["buyer_id"]?.text == giver.id && first["merchant_uid"]?.text?.contains(giver.key) == false)
            #expect(try await giver.ask(.POST, path, json(impUID, wanted), 200, Shape.payment) == first)
            try await giver.ask(.POST, path, json(impUID, second), 409)
            try await other.ask(.POST, path, json(impUID, wanted), 409)

            let half = try await platform.pay("ios_\(giver.key)_1700000001", 50)
            try await giver.ask(.POST, path, json(half, wanted), 400)
            try await platform.eventually { try await platform.atPortOne(half)["status"]?.text == "cancelled" }
            let nowhere = try await platform.pay("ios_\(giver.key)_1700000002", 100)
            try await giver.ask(.POST, path, json(nowhere, "0123456789abcdef01234567"), 410)
            try await giver.ask(.POST, path, json("imp_1", wanted), 400)

            let list = try await giver.ask(.GET, "/v1/payments/me", nil, 200, Shape.payments)
            #expect(list["data"]?.values == [first])
            try await platform.eventually { try await buyers(of: wanted, other) == [giver.id] }

            // PortOne's console refunds a part, and then the rest.
            let lever = "\(platform.sandbox)/_control/payments/\(impUID)"
            _ = try await Wire.send(.POST, lever, json: #"{"cancel_amount":30}"#)
            #expect(try await platform.tell(of: impUID) == [200])
            try await platform.eventually {
                let left = try await giver.ask(.GET, "/v1/payments/me", nil, 200, Shape.payments)
                return left["data"]?.values.first?["price"] == .int(70)
            }
            #expect(try await buyers(of: wanted, other) == [giver.id])
            _ = try await Wire.send(.POST, lever, json: #"{"cancel_amount":70}"#)
            #expect(try await platform.tell(of: impUID) == [200])
            try await platform.eventually { try await buyers(of: wanted, other).isEmpty }
        }
    }

    @Test func preparedOrder_isValidatedByItsBuyerOnly() async throws {
        try await Platform.test { platform in
            let author = try await KeyedPhone(platform, .culture, "a@b.kr", nick: "후원계")
            let giver = try await KeyedPhone(platform, .culture, "g@b.kr", nick: "관객")
            let wanted = try await post(author, price: 5000)
            let order = try await giver.ask(
                .POST,
                "/v1/payments/prepare",
                #"{"post_id":"\#(wanted)"}"#,
                200,
                Shape.order
            )
            let code = try #require(order["merchant_uid"]?.text)
            let impUID = try await platform.pay(code, 5000)
            try await author.ask(.POST, "/v1/payments/validation", json(impUID, wanted), 409)
            try await giver.ask(.POST, "/v1/payments/validation", json(impUID, wanted), 200, Shape.payment)
        }
    }
}
