import Testing

@testable import Sandbox

@Suite(.sandbox) struct PortOnePrepareRoutesTests {
    private typealias Answer = PortOneAnswer.Envelope<PortOneAnswer.Preparation>

    private func register(_ json: String, _ shop: PortOneShop) async throws -> Answer {
        try await shop.sandbox.post("/portone/payments/prepare", json: json, authorization: shop.token).portOne()
    }

    private func change(_ json: String, _ shop: PortOneShop) async throws -> Answer {
        try await shop.sandbox.put("/portone/payments/prepare", json: json, authorization: shop.token).portOne()
    }

    private func amount(_ merchantUid: String, _ shop: PortOneShop) async throws -> Answer {
        try await shop.get("payments/prepare/\(merchantUid)", as: PortOneAnswer.Preparation.self)
    }

    @Test func amount_isRegisteredOnce_andChangedByPut() async throws {
        let shop = try await PortOneShop()
        let expected = PortOneAnswer.Preparation(merchantUid: "ABCD123456", amount: 12_000)
        #expect(try await register(#"{"merchant_uid": "ABCD123456", "amount": 12000}"#, shop).value == expected)

        let other = #"{"merchant_uid": "ABCD123456", "amount": 9000}"#
        let again = try await register(other, shop)
        #expect(again.status == 200)
        #expect(again.code == 1)
        #expect(try await amount("ABCD123456", shop).value == expected)

        #expect(try await change(other, shop).value.amount == 9000)
        #expect(try await amount("ABCD123456", shop).value.amount == 9000)
    }

    @Test func formBody_isAccepted() async throws {
        let shop = try await PortOneShop()
        let form = ["merchant_uid": "A%20B", "amount": "10.5"]
        let reply = try await shop.sandbox.post("/portone/payments/prepare", form: form, authorization: shop.token)
        #expect(reply.status == 200)
        let known = try await amount("A%20B", shop)
        #expect(try known.value == PortOneAnswer.Preparation(merchantUid: "A B", amount: 10.5))
    }

    @Test func concurrentRegistrations_oneSucceeds() async throws {
        let shop = try await PortOneShop()
        let codes = try await concurrently(20) { index in
            try await register(#"{"merchant_uid": "ABCD123456", "amount": \#(index + 1)}"#, shop).code
        }
        #expect(codes.count { $0 == 0 } == 1)
        #expect(codes.count { $0 == 1 } == 19)
    }

    @Test func unregisteredOrder_returns404() async throws {
        let shop = try await PortOneShop()
        let known = try await amount("UNKNOWN", shop)
        #expect(known.status == 404)
        #expect(known.code == -1)
        #expect(try await change(#"{"merchant_uid": "UNKNOWN", "amount": 1}"#, shop).status == 404)
        #expect(try await amount("UNKNOWN", shop).status == 404)
    }

    @Test(arguments: [
        (#"{"amount": 1}"#, "merchant_uid"), (#"{"merchant_uid": "", "amount": 1}"#, "merchant_uid"),
        (#"{"merchant_uid": "12345678901234567890123456789012345678901", "amount": 1}"#, "merchant_uid"),
        (#"{"merchant_uid": "A"}"#, "amount"), (#"{"merchant_uid": "A", "amount": 0}"#, "amount"),
        (#"{"merchant_uid": "A", "amount": -5}"#, "amount"), (#"{"merchant_uid": "A", "amount": 1.005}"#, "amount"),
    ])
    func invalidRequest_namesField(order: String, field: String) async throws {
        let shop = try await PortOneShop()
        for refusal in [try await register(order, shop), try await change(order, shop)] {
            refusal.expectRefusal(400, field)
        }
    }
}
