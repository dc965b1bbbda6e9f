import Testing

@testable import Sandbox

@Suite(.sandbox) struct PortOnePrepareRoutesTests {
    private static let path = "/portone/payments/prepare"

    @Test func amount_isRegisteredOnce_andChangedByPut() async throws {
        let shop = try await PortOneShop()
        let order = #"{"merchant_uid": "ABCD123456", "amount": 12000}"#
        let registered = try await shop.sandbox.post(Self.path, json: order, authorization: shop.token)
        let expected = PortOneAnswer.Preparation(merchantUid: "ABCD123456", amount: 12_000)
        #expect(try registered.portOne(PortOneAnswer.Preparation.self).value == expected)

        let other = #"{"merchant_uid": "ABCD123456", "amount": 9000}"#
        let again = try await shop.sandbox.post(Self.path, json: other, authorization: shop.token)
        #expect(again.status == 200)
        #expect(try again.portOne(PortOneAnswer.Preparation.self).code == 1)
        let path = "payments/prepare/ABCD123456"
        #expect(try await shop.get(path, as: PortOneAnswer.Preparation.self).value == expected)

        let changed = try await shop.sandbox.put(Self.path, json: other, authorization: shop.token)
        #expect(try changed.portOne(PortOneAnswer.Preparation.self).value.amount == 9000)
        #expect(try await shop.get(path, as: PortOneAnswer.Preparation.self).value.amount == 9000)
    }

    @Test func formBody_isAccepted() async throws {
        let shop = try await PortOneShop()
        let form = ["merchant_uid": "A%20B", "amount": "10.5"]
        let reply = try await shop.sandbox.post(Self.path, form: form, authorization: shop.token)
        #expect(reply.status == 200)
        let known = try await shop.get("payments/prepare/A%20B", as: PortOneAnswer.Preparation.self)
        #expect(try known.value == PortOneAnswer.Preparation(merchantUid: "A B", amount: 10.5))
    }

    @Test func concurrentRegistrations_oneSucceeds() async throws {
        let shop = try await PortOneShop()
        let codes = try await concurrently(20) { amount in
            let order = #"{"merchant_uid": "ABCD123456", "amount": \#(amount + 1)}"#
            return try await shop.sandbox.post(Self.path, json: order, authorization: shop.token)
                .portOne(PortOneAnswer.Preparation.self).code
        }
        #expect(codes.count { $0 == 0 } == 1)
        #expect(codes.count { $0 == 1 } == 19)
    }

    @Test func unregisteredOrder_returns404() async throws {
        let shop = try await PortOneShop()
        let known = try await shop.get("payments/prepare/NOBODY", as: PortOneAnswer.Preparation.self)
        #expect(known.status == 404)
        #expect(known.code == -1)
        let order = #"{"merchant_uid": "NOBODY", "amount": 1}"#
        #expect(try await shop.sandbox.put(Self.path, json: order, authorization: shop.token).status == 404)
        #expect(try await shop.get("payments/prepare/NOBODY", as: PortOneAnswer.Preparation.self).status == 404)
    }

    @Test(arguments: [
        (#"{"amount": 1}"#, "merchant_uid"), (#"{"merchant_uid": "", "amount": 1}"#, "merchant_uid"),
        (#"{"merchant_uid": "12345678901234567890123456789012345678901", "amount": 1}"#, "merchant_uid"),
        (#"{"merchant_uid": "A"}"#, "amount"), (#"{"merchant_uid": "A", "amount": 0}"#, "amount"),
        (#"{"merchant_uid": "A", "amount": -5}"#, "amount"), (#"{"merchant_uid": "A", "amount": 1.005}"#, "amount"),
    ])
    func invalidRequest_namesField(order: String, field: String) async throws {
        let shop = try await PortOneShop()
        let replies = [
            try await shop.sandbox.post(Self.path, json: order, authorization: shop.token),
            try await shop.sandbox.put(Self.path, json: order, authorization: shop.token),
        ]
        for reply in replies {
            #expect(reply.status == 400)
            let refusal = try reply.portOne(PortOneAnswer.Preparation.self)
            #expect(refusal.code == -1)
            #expect(refusal.message?.contains(field) == true)
        }
    }
}
