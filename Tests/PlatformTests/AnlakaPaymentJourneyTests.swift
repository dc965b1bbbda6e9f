import AppClients
import Apps
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Payments

/// Paid reservations as the client makes them (Anlaka contract 8, items 3, 4 and 8).
@Suite(.timeLimit(.minutes(8))) struct AnlakaPaymentJourneyTests {
    private typealias Shape = JSONShape.Anlaka

    /// Creates a listing that costs 100 to reserve; returns its id.
    static func list(_ owner: AnlakaClient) async throws -> String {
        try await owner.send(\.createEstate, body: AnlakaEstateJourneyTests.body([])).value(JSON.self).text("estate_id")
    }

    /// Runs `body` with the owner of a listing, and a guest.
    private func test(
        payments adjust: @escaping @Sendable (inout PaymentsConfiguration) -> Void = { _ in },
        _ body:
            @escaping @Sendable (Platform, _ owner: AnlakaClient, _ guest: AnlakaClient, String) async throws -> Void
    ) async throws {
        try await Platform.test(payments: adjust) { platform in
            let owner = try await AnlakaClient(platform, "o@b.kr", nick: "중개사")
            let guest = try await AnlakaClient(platform, "g@b.kr", nick: "손님")
            try await body(platform, owner, guest, Self.list(owner))
        }
    }

    /// Orders a listing; returns the order's code.
    private func order(_ listing: String, _ client: AnlakaClient) async throws -> String {
        let body: RequestBody = ["estate_id": "\(listing)"]
        return try await client.send(\.placeOrder, body: body).shaped(Shape.order).text("order_code")
    }

    private func isReserved(_ listing: String, for client: AnlakaClient) async throws -> Bool {
        try await client.send(\.getEstate, listing).body.contains(#""is_reserved":true"#)
    }

    /// Waits until PortOne has refunded a payment.
    private func refunded(_ impUID: String, _ platform: Platform) async throws {
        try await eventually { try await platform.sandboxClient.payment(impUID)["status"] == "cancelled" }
    }

    @Test func payment_validatedAndNotified_isConfirmedOnce() async throws {
        try await test { platform, owner, guest, listing in
            // With and without the slash, and with the client's price.
            let body: RequestBody = ["estate_id": "\(listing)", "total_price": 100]
            let order = try await guest.send(\.placeOrder, slash: true, body: body).shaped(Shape.order)
            let code = try order.text("order_code")
            #expect(try await guest.send(\.placeOrder, body: body).shaped(Shape.order) == order)
            #expect(code.utf8.count <= 40)
            try await owner.send(\.placeOrder, slash: true, body: body).refused(409)
            try await guest.send(\.placeOrder, slash: true, body: ["estate_id": "\(listing)", "total_price": 1])
                .refused(400)
            try await eventually { try await isReserved(listing, for: owner) }

            // The client also posts a failed payment, which does not close the order.
            let failed = try await platform.sandboxClient.pay(code, 100, status: "failed")
            try await guest.validate(failed).refused(400)
            let impUID = try await platform.sandboxClient.pay(code, 100)
            try await owner.validate(impUID).refused(445)
            async let webhooks = platform.sendWebhook(of: impUID, times: 3)
            let first = try await guest.validate(impUID).shaped(Shape.validation)
            #expect(try await webhooks == [200, 200, 200])
            let again = try await guest.validate(impUID).shaped(Shape.validation)
            #expect(again == first)
            #expect(first["order_item"]?["order_code"]?.string == code)

            let orders = try await guest.send(\.listOrders, slash: true, query: "").shaped(Shape.orders)
            #expect(orders.texts("order_code") == [code])
            #expect(try await owner.send(\.listOrders, slash: true).shaped(Shape.orders).texts("order_code") == [])
            let receipt = try await guest.send(\.getReceipt, code, query: "order_code=Optional(%22\(code)%22)")
            #expect(receipt.status == 200 && receipt.body.contains(impUID))
            try await owner.send(\.getReceipt, code).refused(445)
            try await guest.send(\.getReceipt, "ABCD000000").refused(404)
            let confirmed = try await platform.paymentsDatabase.client.one(
                "SELECT count(*) FROM payments WHERE verdict = 'confirmed'"
            ) { try $0.decode(Int.self) }
            #expect(confirmed == 1)
        }
    }

    /// The buyer's order shows the listing's exact position.
    @Test func paidOrder_revealsExactPosition() async throws {
        try await test { platform, owner, guest, listing in
            let code = try await order(listing, guest)
            let impUID = try await platform.sandboxClient.pay(code, 100)
            // The client was closed: only the webhook reports the payment.
            #expect(try await platform.sendWebhook(of: impUID) == [200])
            try await eventually {
                let orders = try await guest.send(\.listOrders).shaped(Shape.orders)
                return orders["data"]?.elements.first?["estate"]?["geolocation"]?.description.contains("37.652258")
                    ?? false
            }
        }
    }

    @Test func fraudulentPayment_isRefunded() async throws {
        try await test { platform, owner, guest, listing in
            let code = try await order(listing, guest)
            let forged = try await platform.sandboxClient.pay(code, 1)
            try await guest.validate(forged).refused(400)
            try await refunded(forged, platform)
            // The payment belongs to no order: 404.
            let foreign = try await platform.sandboxClient.pay("UNKNOWN", 100)
            try await guest.validate(foreign).refused(404)
            for junk: RequestBody in [["imp_uid": "imp_1"], ["imp_uid": ""], "{}", "x"] {
                try await guest.send(\.validatePayment, body: junk).refused(400)
            }
            let impUID = try await platform.sandboxClient.pay(code, 100)
            try await guest.validate(impUID).shaped(Shape.validation)
            let twice = try await platform.sandboxClient.pay(code, 100)
            try await guest.validate(twice).refused(409)
            try await refunded(twice, platform)
            #expect(try await platform.sandboxClient.payment(impUID)["status"] == "paid")
        }
    }

    @Test func unpaidOrder_expiresAndReleasesListing() async throws {
        try await test(payments: { $0.hold = .seconds(2) }) { platform, owner, guest, listing in
            let code = try await order(listing, guest)
            try await eventually { try await isReserved(listing, for: owner) }
            try await eventually { try await !isReserved(listing, for: owner) }
            // PortOne reports payment times in whole seconds: a payment in the second of the expiry would still be in
            // time.
            try await eventually {
                try await platform.paymentsDatabase.client.one("SELECT state FROM orders WHERE code = \(code)") {
                    try $0.decode(String.self)
                } == "expired"
            }
            let late = try await platform.sandboxClient.pay(code, 100)
            try await guest.validate(late).refused(409)
            try await refunded(late, platform)
            try await owner.send(\.cancelOrder, order(listing, owner)).empty()
            _ = try await order(listing, guest)
        }
    }

    @Test func withdrawal_releasesUnpaidOrder() async throws {
        try await test { platform, owner, guest, listing in
            _ = try await order(listing, guest)
            try await guest.send(\.withdraw).empty()
            try await eventually {
                try await owner.send(\.placeOrder, body: ["estate_id": "\(listing)"]).status == 200
            }
        }
    }

    /// A web view opens the page with key and token; PortOne's window redirects to it with only a cookie.
    @Test func checkoutPage_opensForOrdererOnly() async throws {
        try await test { platform, owner, guest, listing in
            let code = try await order(listing, guest)
            let path = "/v1/payments/checkout/\(code)"
            let page = try await guest.send(\.getCheckoutPage, code)
            #expect(page.status == 200 && page.headers["content-type"] == ["text/html; charset=utf-8"])
            let token = try #require(page.body.firstMatch(of: /data-token="([^"]+)"/)).1
            let cookie = try #require(page.headers["set-cookie"].first?.split(separator: ";").first)

            #expect(try await owner.send(\.getCheckoutPage, code).status == 445)
            #expect(try await platform.send(.get, path).status == 401)
            #expect(try await platform.send(.get, path, headers: ["Cookie": "\(cookie)x"]).status == 401)
            let back = try await platform.send(.get, path + "?imp_uid=imp_1", headers: ["Cookie": String(cookie)])
            #expect(back.status == 200 && back.body.contains(token))

            func state(_ body: RequestBody, _ token: String) async throws -> String {
                let answer = try await platform.send(
                    .post,
                    path + "/result",
                    headers: ["X-Page-Token": token],
                    body: body
                )
                return answer.status == 200 ? try answer.value(JSON.self)["state"]?.string ?? "" : "\(answer.status)"
            }
            #expect(try await state("{}", String(token)) == "payable")
            #expect(try await state("{}", "x") == "401")
            let forged = try await platform.sandboxClient.pay(code, 1)
            #expect(try await state(["imp_uid": "\(forged)"], String(token)) == "returned")
            let impUID = try await platform.sandboxClient.pay(code, 100)
            #expect(try await state(["imp_uid": "\(impUID)"], String(token)) == "paid")
            try await guest.validate(impUID).shaped(Shape.validation)
        }
    }
}
