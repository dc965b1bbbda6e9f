import StackKit

/// Payments, as a part of the real-estate app's scenario: a detected fraud, and a valid payment.
extension Phone {
    /// Reserves a listing created for this purpose, so that no seeded one stays reserved.
    func playPayment() async throws {
        let listing = try await listToReserve()
        let order = try await send(
            "The person reserves it. The server sets the price, and PortOne is told it in advance.",
            .post,
            "/v1/orders/",
            body: ["estate_id": .string(listing), "total_price": 70_000]
        )
        let code = try order.text("order_code")
        let forged = try await pay("Somebody has tampered with the pay window: one won.", code, 1)
        try await validate("The app posts the payment. The server looks itself, at PortOne.", forged, expecting: 400)
        try await returned(forged)

        let impUID = try await pay("The person pays as it should be.", code, 70_000)
        let first = try await validate("The app posts it.", impUID, expecting: 200)
        let again = try await validate("The answer was lost; the app posts it again.", impUID, expecting: 200)
        guard first == again, first["order_item"]?["order_code"]?.string == code else {
            throw StackError("the same payment was answered in two ways")
        }
        try await send("It is among the person's orders.", .get, "/v1/orders/?")
        let receipt = try await send("There is a receipt.", .get, "/v1/payments/\(code)")
        guard receipt["imp_uid"]?.string == impUID else { throw StackError("the receipt is another payment's") }
        try await untilReserved(listing)
    }

    /// Pays in PortOne's window; the amount is not sent by the app.
    ///
    /// - Returns: The payment's `imp_uid`.
    func pay(_ story: String, _ code: String, _ amount: Int64) async throws -> String {
        let body: JSON = ["merchant_uid": .string(code), "amount": .integer(amount)]
        return try await outside(story, .post, "/_control/payments", body: body).text("imp_uid")
    }

    /// Waits until PortOne has refunded a payment.
    func returned(_ impUID: String) async throws {
        for _ in 0..<100 {
            let payment = try await request(.get, sandbox, "/_control/payments/\(impUID)", [], nil)
            if let text = JSON(parsing: payment.text.utf8), text["status"]?.string == "cancelled" {
                tell("    PortOne has given it back: \(text["cancel_reason"]?.string ?? "")")
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw StackError("a payment that was refused is not given back")
    }

    @discardableResult
    private func validate(_ story: String, _ impUID: String, expecting status: UInt) async throws -> JSON {
        let body: JSON = ["imp_uid": .string(impUID)]
        return try await send(story, .post, "/v1/payments/validation", body: body, expecting: status)
    }

    private func listToReserve() async throws -> String {
        let body: JSON = [
            "category": "원룸", "title": "예약할 수 있는 원룸", "introduction": "역에서 5분", "reservation_price": 70_000,
            "thumbnails": [], "description": "남향, 조용한 골목", "deposit": 5_000_000, "monthly_rent": 450_000,
            "built_year": "2019-03-02", "maintenance_fee": 50_000, "area": 23.1, "parking_count": 0, "floors": 2,
            "is_safe_estate": true, "is_recommended": false, "options": ["sink": true], "longitude": 127.0454,
            "latitude": 37.6522,
        ]
        return try await send("A new listing is put on the map.", .post, "/v1/estates", body: body).text("estate_id")
    }

    private func untilReserved(_ listing: String) async throws {
        for _ in 0..<100 {
            let detail = try await request(.get, gateway, "/v1/estates/\(listing)", headers, nil)
            if JSON(parsing: detail.text.utf8)?["is_reserved"] == true {
                return tell("    On the map it is reserved now, for everybody.")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw StackError("the listing that is paid for is not reserved")
    }
}
