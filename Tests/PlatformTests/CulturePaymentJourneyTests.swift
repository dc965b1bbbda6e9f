import AppClients
import Apps
import FoundationEssentials
import TestKit
import Testing

/// Donations of a hundred won as the client makes them (Culture contract 7, item 8).
@Suite(.timeLimit(.minutes(8))) struct CulturePaymentJourneyTests {
    private typealias Shape = JSONShape.Culture

    private func post(_ author: CultureClient, price: Int64 = 100) async throws -> String {
        let body: RequestBody = [
            "title": "후원하기", "content": "고맙습니다", "price": .integer(price), "product_id": "ksm_post", "files": [],
        ]
        return try await author.send(\.createPost, body: body).value(JSON.self).text("post_id")
    }

    private func buyers(of post: String, _ client: CultureClient) async throws -> [String] {
        try await client.send(\.getPost, post).value(JSON.self)["buyers"]?.elements.compactMap(\.string) ?? []
    }

    @Test func donation_isValidatedListedAndCancelled() async throws {
        try await Platform.test { platform in
            let author = try await CultureClient(platform, "a@b.kr", nick: "후원계")
            let giver = try await CultureClient(platform, "g@b.kr", nick: "관객")
            let other = try await CultureClient(platform, "c@b.kr", nick: "이웃")
            let (wanted, second) = (try await post(author), try await post(author))
            #expect(
                try await giver.send(\.listPurchases).shaped(Shape.payments)["data"]?.elements.isEmpty == true
            )
            let code = "ios_\(giver.key)_\(Int(Date.now.timeIntervalSince1970))"
            let impUID = try await platform.sandboxClient.pay(code, 100)
            let first = try await giver.validate(impUID, for: wanted).shaped(Shape.payment)
            #expect(
                first["buyer_id"]?.string == giver.id && first["merchant_uid"]?.string?.contains(giver.key) == false
            )
            #expect(try await giver.validate(impUID, for: wanted).shaped(Shape.payment) == first)
            try await giver.validate(impUID, for: second).refused(409)
            try await other.validate(impUID, for: wanted).refused(409)

            let half = try await platform.sandboxClient.pay("ios_\(giver.key)_1700000001", 50)
            try await giver.validate(half, for: wanted).refused(400)
            try await eventually { try await platform.sandboxClient.payment(half)["status"] == "cancelled" }
            let nowhere = try await platform.sandboxClient.pay("ios_\(giver.key)_1700000002", 100)
            try await giver.validate(nowhere, for: "0123456789abcdef01234567").refused(410)
            try await giver.validate("imp_1", for: wanted).refused(400)

            let list = try await giver.send(\.listPurchases).shaped(Shape.payments)
            #expect(list["data"]?.elements == [first])
            try await eventually { try await buyers(of: wanted, other) == [giver.id] }

            // PortOne's console refunds a part, and then the rest.
            _ = try await platform.sandboxClient.post("payments/\(impUID)", ["cancel_amount": 30])
            #expect(try await platform.sendWebhook(of: impUID) == [200])
            try await eventually {
                let left = try await giver.send(\.listPurchases).shaped(Shape.payments)
                return left["data"]?.elements.first?["price"] == 70
            }
            #expect(try await buyers(of: wanted, other) == [giver.id])
            _ = try await platform.sandboxClient.post("payments/\(impUID)", ["cancel_amount": 70])
            #expect(try await platform.sendWebhook(of: impUID) == [200])
            try await eventually { try await buyers(of: wanted, other).isEmpty }
        }
    }

    @Test func preparedOrder_isValidatedByItsBuyerOnly() async throws {
        try await Platform.test { platform in
            let author = try await CultureClient(platform, "a@b.kr", nick: "후원계")
            let giver = try await CultureClient(platform, "g@b.kr", nick: "관객")
            let wanted = try await post(author, price: 5000)
            let order = try await giver.send(\.preparePayment, body: ["post_id": "\(wanted)"]).shaped(Shape.order)
            let code = try order.text("merchant_uid")
            let impUID = try await platform.sandboxClient.pay(code, 5000)
            try await author.validate(impUID, for: wanted).refused(409)
            try await giver.validate(impUID, for: wanted).shaped(Shape.payment)
        }
    }
}
