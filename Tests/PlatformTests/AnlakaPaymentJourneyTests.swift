import Contracts
import FoundationEssentials
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Gateway
@testable import Payments

/// Paid reservations as the client makes them (Anlaka contract 8, items 3, 4 and 8).
@Suite(.timeLimit(.minutes(8))) struct AnlakaPaymentJourneyTests {
    private typealias Shape = JSONShape.Anlaka

    /// Creates a listing that costs 100 to reserve; returns its id.
    static func list(_ owner: KeyedPhone) async throws -> String {
        let listing = try await owner.platform.send(
            .POST,
            "/v1/estates",
            key: owner.key,
            token: owner.token,
            json: AnlakaEstateJourneyTests.body([])
        )
        return try #require(try listing.value(JSONValue.self)["estate_id"]?.text)
    }

    private func isReserved(_ listing: String, for phone: KeyedPhone) async throws -> Bool {
        let answer = try await phone.platform.send(.GET, "/v1/estates/\(listing)", key: phone.key, token: phone.token)
        return answer.body.contains(#""is_reserved":true"#)
    }

    @Test func payment_validatedAndNotified_isConfirmedOnce() async throws {
        try await Platform.test { platform in
            let owner = try await KeyedPhone(platform, .anlaka, "o@b.kr", nick: "중개사")
            let guest = try await KeyedPhone(platform, .anlaka, "g@b.kr", nick: "손님")
            let listing = try await Self.list(owner)
            // With and without the slash, and with the client's price.
            let json = #"{"estate_id":"\#(listing)","total_price":100}"#
            let order = try await guest.ask(.POST, "/v1/orders/", json, 200, Shape.order)
            let code = try #require(order["order_code"]?.text)
            #expect(try await guest.ask(.POST, "/v1/orders", json, 200, Shape.order) == order)
            #expect(code.utf8.count <= 40)
            try await owner.ask(.POST, "/v1/orders/", json, 409)
            try await guest.ask(.POST, "/v1/orders/", #"{"estate_id":"\#(listing)","total_price":1}"#, 400)
            try await platform.eventually { try await isReserved(listing, for: owner) }

            // The client also posts a failed payment, which does not close the order.
            let failed = try await platform.pay(code, 100, status: "failed")
            try await guest.ask(.POST, "/v1/payments/validation", #"{"imp_uid":"\#(failed)"}"#, 400)
            let impUID = try await platform.pay(code, 100)
            try await owner.ask(.POST, "/v1/payments/validation", #"{"imp_uid":"\#(impUID)"}"#, 445)
            async let told = platform.tell(of: impUID, times: 3)
            let body = #"{"imp_uid":"\#(impUID)"}"#
            let first = try await guest.ask(.POST, "/v1/payments/validation", body, 200, Shape.validation)
            #expect(try await told == [200, 200, 200])
            let again = try await guest.ask(.POST, "/v1/payments/validation", body, 200, Shape.validation)
            #expect(again == first)
            #expect(first["order_item"]?["order_code"]?.text == code)

            let orders = try await guest.ask(.GET, "/v1/orders/?", nil, 200, Shape.orders)
            #expect(orders.texts("order_code") == [code])
            #expect(try await owner.ask(.GET, "/v1/orders/", nil, 200, Shape.orders).texts("order_code") == [])
            let path = "/v1/payments/\(code)?order_code=Optional(%22\(code)%22)"
            let receipt = try await platform.send(.GET, path, key: guest.key, token: guest.token)
            #expect(receipt.status == 200 && receipt.body.contains(impUID))
            try await owner.ask(.GET, "/v1/payments/\(code)", nil, 445)
            try await guest.ask(.GET, "/v1/payments/ABCD000000", nil, 404)
            let confirmed = try await platform.paymentsDatabase.client.one(
                "SELECT count(*) FROM payments WHERE verdict = 'confirmed'"
            ) { try $0.decode(Int.self) }
            #expect(confirmed == 1)
        }
    }

    /// The buyer's order shows the listing's exact position.
    @Test func paidOrder_revealsExactPosition() async throws {
        try await Platform.test { platform in
            let owner = try await KeyedPhone(platform, .anlaka, "o@b.kr", nick: "중개사")
            let guest = try await KeyedPhone(platform, .anlaka, "g@b.kr", nick: "손님")
            let listing = try await Self.list(owner)
            let order = try await guest.ask(.POST, "/v1/orders", #"{"estate_id":"\#(listing)"}"#, 200, Shape.order)
            let code = try #require(order["order_code"]?.text)
            let impUID = try await platform.pay(code, 100)
            // The client was closed: only the webhook reports the payment.
            #expect(try await platform.tell(of: impUID) == [200])
            try await platform.eventually {
                let orders = try await guest.ask(.GET, "/v1/orders", nil, 200, Shape.orders)
                return orders["data"]?.values.first?["estate"]?["geolocation"]?.json.contains("37.652258") ?? false
            }
        }
    }

    @Test func fraudulentPayment_isRefunded() async throws {
        try await Platform.test { platform in
            let owner = try await KeyedPhone(platform, .anlaka, "o@b.kr", nick: "중개사")
            let guest = try await KeyedPhone(platform, .anlaka, "g@b.kr", nick: "손님")
            let listing = try await Self.list(owner)
            let order = try await guest.ask(.POST, "/v1/orders", #"{"estate_id":"\#(listing)"}"#, 200, Shape.order)
            let code = try #require(order["order_code"]?.text)
            let forged = try await platform.pay(code, 1)
            try await guest.ask(.POST, "/v1/payments/validation", #"{"imp_uid":"\#(forged)"}"#, 400)
            try await platform.eventually { try await platform.atPortOne(forged)["status"]?.text == "cancelled" }
            // The payment belongs to no order: 404.
            let foreign = try await platform.pay("NOBODY", 100)
            try await guest.ask(.POST, "/v1/payments/validation", #"{"imp_uid":"\#(foreign)"}"#, 404)
            for junk in [#"{"imp_uid":"imp_1"}"#, #"{"imp_uid":""}"#, #"{}"#, "x"] {
                try await guest.ask(.POST, "/v1/payments/validation", junk, 400)
            }
            let impUID = try await platform.pay(code, 100)
            try await guest.ask(.POST, "/v1/payments/validation", #"{"imp_uid":"\#(impUID)"}"#, 200, Shape.validation)
            let twice = try await platform.pay(code, 100)
            try await guest.ask(.POST, "/v1/payments/validation", #"{"imp_uid":"\#(twice)"}"#, 409)
            try await platform.eventually { try await platform.atPortOne(twice)["status"]?.text == "cancelled" }
            #expect(try await platform.atPortOne(impUID)["status"]?.text == "paid")
        }
    }

    @Test func unpaidOrder_expiresAndReleasesListing() async throws {
        try await Platform.test(payments: { $0.hold = .seconds(2) }) { platform in
            let owner = try await KeyedPhone(platform, .anlaka, "o@b.kr", nick: "중개사")
            let guest = try await KeyedPhone(platform, .anlaka, "g@b.kr", nick: "손님")
            let listing = try await Self.list(owner)
            let json = #"{"estate_id":"\#(listing)"}"#
            let order = try await guest.ask(.POST, "/v1/orders", json, 200, Shape.order)
            let code = try #require(order["order_code"]?.text)
            try await platform.eventually { try await isReserved(listing, for: owner) }
            try await platform.eventually { try await !isReserved(listing, for: owner) }
            // PortOne reports payment times in whole seconds: a payment in the second of the expiry would still be in
            // time.
            try await platform.eventually {
                try await platform.paymentsDatabase.client.one("SELECT state FROM orders WHERE code = \(code)") {
                    try $0.decode(String.self)
                } == "expired"
            }
            let late = try await platform.pay(code, 100)
            try await guest.ask(.POST, "/v1/payments/validation", #"{"imp_uid":"\#(late)"}"#, 409)
            try await platform.eventually { try await platform.atPortOne(late)["status"]?.text == "cancelled" }
            let next = try await owner.ask(.POST, "/v1/orders", json, 200, Shape.order)
            try await owner.ask(.DELETE, "/v1/orders/\(next["order_code"]?.text ?? "")")
            try await guest.ask(.POST, "/v1/orders", json, 200, Shape.order)
        }
    }

    @Test func withdrawal_releasesUnpaidOrder() async throws {
        try await Platform.test { platform in
            let owner = try await KeyedPhone(platform, .anlaka, "o@b.kr", nick: "중개사")
            let guest = try await KeyedPhone(platform, .anlaka, "g@b.kr", nick: "손님")
            let listing = try await Self.list(owner)
            let json = #"{"estate_id":"\#(listing)"}"#
            try await guest.ask(.POST, "/v1/orders", json, 200, Shape.order)
            try await guest.ask(.DELETE, "/v1/users/me")
            try await platform.eventually {
                let answer = try await platform.send(
                    .POST,
                    "/v1/orders",
                    key: owner.key,
                    token: owner.token,
                    json: json
                )
                return answer.status == 200
            }
        }
    }

    /// A web view opens the page with key and token; PortOne's window redirects to it with only a cookie.
    @Test func checkoutPage_opensForOrdererOnly() async throws {
        try await Platform.test { platform in
            let owner = try await KeyedPhone(platform, .anlaka, "o@b.kr", nick: "중개사")
            let guest = try await KeyedPhone(platform, .anlaka, "g@b.kr", nick: "손님")
            let listing = try await Self.list(owner)
            let order = try await guest.ask(.POST, "/v1/orders", #"{"estate_id":"\#(listing)"}"#, 200, Shape.order)
            let code = try #require(order["order_code"]?.text)
            let path = "/v1/payments/checkout/\(code)"
            let page = try await platform.send(.GET, path, key: guest.key, token: guest.token)
            #expect(page.status == 200 && page.headers["content-type"] == ["text/html; charset=utf-8"])
            let token = try #require(page.body.firstMatch(of: /data-token="([^"]+)"/)).1
            let cookie = try #require(page.headers["set-cookie"].first?.split(separator: ";").first)

            #expect(try await platform.send(.GET, path, key: owner.key, token: owner.token).status == 445)
            #expect(try await platform.send(.GET, path).status == 401)
            #expect(try await platform.send(.GET, path, headers: ["cookie": "\(cookie)x"]).status == 401)
            let back = try await platform.send(.GET, path + "?imp_uid=imp_1", headers: ["cookie": String(cookie)])
            #expect(back.status == 200 && back.body.contains(token))

            func state(_ json: String, _ token: String) async throws -> String {
                let answer = try await platform.send(
                    .POST,
                    path + "/result",
                    headers: ["x-page-token": token],
                    json: json
                )
                return answer.status == 200 ? try answer.value(JSONValue.self)["state"]?.text ?? "" : "\(answer.status)"
            }
            #expect(try await state("{}", String(token)) == "payable")
            #expect(try await state("{}", "x") == "401")
            let forged = try await platform.pay(code, 1)
            #expect(try await state(#"{"imp_uid":"\#(forged)"}"#, String(token)) == "returned")
            let impUID = try await platform.pay(code, 100)
            #expect(try await state(#"{"imp_uid":"\#(impUID)"}"#, String(token)) == "paid")
            let body = #"{"imp_uid":"\#(impUID)"}"#
            try await guest.ask(.POST, "/v1/payments/validation", body, 200, Shape.validation)
        }
    }
}
