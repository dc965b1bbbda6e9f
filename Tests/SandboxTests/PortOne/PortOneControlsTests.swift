import Testing

@testable import Sandbox

@Suite(.sandbox) struct PortOneControlsTests {
    private let sandbox = SandboxClient.current

    @Test(arguments: ["ready", "paid", "failed", "cancelled"])
    func payment_isCreatedInAnyState(status: String) async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay(more: #", "status": "\#(status)", "paid_at": 1700000000"#)
        let state = try await shop.state(impUid)
        #expect(state.status == status)
        #expect(state.startedAt == 1_700_000_000)
        #expect((state.paidAt == 1_700_000_000) == ["paid", "cancelled"].contains(status))
        #expect((state.failedAt > 0) == (status == "failed"))
        #expect((state.failReason != nil) == (status == "failed"))
        #expect((state.cancelledAt > 0) == (status == "cancelled"))
        #expect(state.cancelAmount == (status == "cancelled" ? 12_000 : 0))
        #expect(try await shop.get("payments/\(impUid)").value.status == status)
    }

    @Test func impUIDs_areUnique() async throws {
        let shop = try await PortOneShop()
        let all = try await concurrently(50) { _ in try await shop.pay() }
        #expect(Set(all).count == 50)
        let page = try await shop.get("payments/findAll/ABCD123456?limit=1000", as: PortOneAnswer.Page.self).value
        #expect(Set(page.list.map(\.impUid)) == Set(all))
    }

    @Test func control_cancelsPartiallyAndFully() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        let part = try await shop.change(impUid, #"{"cancel_amount": 2000}"#)
        #expect(part.status == 200)
        let state = try await shop.state(impUid)
        #expect(state.status == "paid")
        #expect(state.cancelHistory.map(\.amount) == [2000])
        #expect(try await shop.change(impUid, #"{"status": "cancelled", "cancel_amount": 9000}"#).status == 400)
        #expect(try await shop.state(impUid).cancelAmount == 2000)
        _ = try await shop.change(impUid, #"{"cancel_amount": 10000}"#)
        #expect(try await shop.state(impUid).status == "cancelled")
        #expect(try await shop.state(impUid).cancelHistory.map(\.amount) == [2000, 10_000])
    }

    @Test func control_changesPaymentFields() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        _ = try await shop.change(impUid, #"{"amount": 10.5, "currency": "USD"}"#)
        var state = try await shop.state(impUid)
        #expect(state.amount == 10.5)
        #expect(state.currency == "USD")
        _ = try await shop.change(impUid, #"{"status": "cancelled"}"#)
        state = try await shop.state(impUid)
        #expect(state.status == "cancelled")
        #expect(state.cancelHistory.map(\.amount) == [10.5])
        _ = try await shop.change(impUid, #"{"status": "failed"}"#)
        state = try await shop.state(impUid)
        #expect(state.status == "failed")
        #expect(state.failReason != nil)
        #expect(state.cancelAmount == 0)
        _ = try await shop.change(impUid, #"{"status": "ready"}"#)
        state = try await shop.state(impUid)
        #expect(state.status == "ready")
        #expect(state.failedAt == 0)
        _ = try await shop.change(impUid, #"{"status": "paid"}"#)
        #expect(try await shop.state(impUid).paidAt > 0)
    }

    @Test func unknownPayment_returns404() async throws {
        let shop = try await PortOneShop()
        let path = "/_control/payments/imp_000000000000"
        #expect(try await shop.sandbox.get(path).status == 404)
        for reply in [
            try await shop.sandbox.post(path, json: #"{"status": "paid"}"#),
            try await shop.sandbox.post("\(path)/webhook", json: "{}"),
        ] {
            #expect(reply.status == 404)
            #expect(reply.texts["message"]?.contains("imp_uid") == true)
        }
    }

    @Test(arguments: [
        (#"{"amount": 1}"#, "merchant_uid"), (#"{"merchant_uid": "", "amount": 1}"#, "merchant_uid"),
        (#"{"merchant_uid": "12345678901234567890123456789012345678901", "amount": 1}"#, "merchant_uid"),
        (#"{"merchant_uid": "A"}"#, "amount"), (#"{"merchant_uid": "A", "amount": 0}"#, "amount"),
        (#"{"merchant_uid": "A", "amount": "1"}"#, "amount"), (#"{"merchant_uid": "A", "amount": 1.5}"#, "amount"),
        (#"{"merchant_uid": "A", "amount": 1.005, "currency": "USD"}"#, "amount"),
        (#"{"merchant_uid": "A", "amount": 1, "status": "lost"}"#, "status"),
        (#"{"merchant_uid": "A", "amount": 1, "currency": "won"}"#, "currency"),
        (#"{"merchant_uid": "A", "amount": 1, "paid_at": 0}"#, "paid_at"),
        (#"{"merchant_uid": "A", "amount": 1, "paid_at": 99999999999}"#, "paid_at"),
        (#"{"merchant_uid": "A", "amount": 1, "sandbox": 1}"#, "sandbox"),
    ])
    func invalidPayment_namesField(order: String, field: String) async throws {
        let shop = try await PortOneShop()
        let reply = try await shop.sandbox.post("/_control/payments", json: order)
        reply.expectRefusal(naming: field)
        let all = try await shop.get("payments/status/all", as: PortOneAnswer.Page.self)
        #expect(try all.value.total == 0)
    }

    @Test(arguments: [
        (#"{"status": "lost"}"#, "status"), (#"{"amount": 0}"#, "amount"), (#"{"amount": 1999}"#, "amount"),
        (#"{"cancel_amount": 10001}"#, "cancel_amount"), (#"{"cancel_amount": 0}"#, "cancel_amount"),
        (#"{"cancel_amount": -1}"#, "cancel_amount"), (#"{"currency": "₩"}"#, "currency"),
        (#"{"status": "failed", "cancel_amount": 1}"#, "cancel_amount"),
        (#"{"amount": 2000.5}"#, "amount"),
    ])
    func invalidChange_namesField_andChangesNothing(change: String, field: String) async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        _ = try await shop.change(impUid, #"{"cancel_amount": 2000}"#)
        let reply = try await shop.change(impUid, change)
        reply.expectRefusal(naming: field)
        let state = try await shop.state(impUid)
        #expect(state.status == "paid")
        #expect(state.amount == 12_000)
        #expect(state.currency == "KRW")
        #expect(state.cancelAmount == 2000)
    }

    @Test func currencyChange_withDecimals_isRefused() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay("USD1", "10.5", more: #", "currency": "USD""#)
        let reply = try await shop.change(impUid, #"{"currency": "KRW"}"#)
        reply.expectRefusal(naming: "currency")
    }
}

extension PortOneShop {
    fileprivate func change(_ impUid: String, _ json: String) async throws -> Reply {
        try await sandbox.post("/_control/payments/\(impUid)", json: json)
    }
}
