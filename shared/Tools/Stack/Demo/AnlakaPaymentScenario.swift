import AppClients
import Apps
import StackKit

/// Payments, as a part of the real-estate app's scenario: a detected fraud, and a valid payment.
extension Scenario {
    /// Reserves a listing created for this purpose, so that no seeded one stays reserved.
    static func reserve(_ person: AnlakaClient, _ programs: Programs) async throws {
        let body: RequestBody = [
            "category": "원룸", "title": "예약할 수 있는 원룸", "introduction": "역에서 5분", "reservation_price": 70_000,
            "thumbnails": [], "description": "남향, 조용한 골목", "deposit": 5_000_000, "monthly_rent": 450_000,
            "built_year": "2019-03-02", "maintenance_fee": 50_000, "area": 23.1, "parking_count": 0, "floors": 2,
            "is_safe_estate": true, "is_recommended": false, "options": ["sink": true], "longitude": 127.0454,
            "latitude": 37.6522,
        ]
        let listing = try await person.step("A new listing is put on the map.").send(\.createEstate, body: body).json()
            .text("estate_id")
        let order =
            try await person
            .step("The person reserves it. The server sets the price, and registers it with PortOne in advance.")
            .send(\.placeOrder, slash: true, body: ["estate_id": .string(listing), "total_price": 70_000]).json()
        let code = try order.text("order_code")
        person.step("The pay window has been tampered with: one won.")
        let forged = try await programs.outside.pay(code, 1)
        try await person.step("The app posts the payment. The server looks itself, at PortOne.").validate(forged)
            .json(400)
        try await refunded(forged, programs)

        person.step("The person pays as it should be.")
        let impUID = try await programs.outside.pay(code, 70_000)
        let first = try await person.step("The app posts it.").validate(impUID).json()
        let again = try await person.step("The answer was lost; the app posts it again.").validate(impUID).json()
        guard first == again, first["order_item"]?["order_code"]?.string == code else {
            throw StackError("the same payment was answered in two ways")
        }
        try await person.step("It is among the person's orders.").send(\.listOrders, slash: true, query: "").json()
        let receipt = try await person.step("There is a receipt.").send(\.getReceipt, code).json()
        guard receipt["imp_uid"]?.string == impUID else { throw StackError("the receipt is another payment's") }
        try await waitUntil("the listing that is paid for is reserved", every: .milliseconds(50)) {
            try await person.unobserved.send(\.getEstate, listing).json()["is_reserved"] == true
        }
        Console.line("    On the map it is reserved now, for all users.")
    }

    /// Waits until PortOne has refunded a payment.
    private static func refunded(_ impUID: String, _ programs: Programs) async throws {
        var payment: JSON = .null
        try await waitUntil("PortOne has refunded the refused payment", every: .milliseconds(50)) {
            payment = try await programs.unobservedSandbox.payment(impUID)
            return payment["status"] == "cancelled"
        }
        Console.line("    PortOne has given it back: \(payment["cancel_reason"]?.string ?? "")")
    }
}
