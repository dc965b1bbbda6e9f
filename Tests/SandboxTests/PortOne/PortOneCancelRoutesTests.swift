import Testing

@testable import Sandbox

@Suite(.sandbox) struct PortOneCancelRoutesTests {
    @Test(arguments: ["", #", "amount": 0"#, #", "amount": null"#, #", "amount": 12000"#, #", "amount": "12000""#])
    func cancellation_ofWholeAmount_cancelsPayment(amount: String) async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        let reply = try await shop.cancel(
            #"{"imp_uid": "\#(impUid)", "reason": "금액 불일치", "checksum": 12000\#(amount)}"#
        )
        #expect(reply.status == 200)
        #expect(reply.code == 0)
        #expect(reply.message == nil)
        let payment = try reply.value
        #expect(payment.status == "cancelled")
        #expect(payment.cancelAmount == 12_000)
        #expect(payment.amount == 12_000)
        #expect(payment.cancelledAt >= payment.paidAt)
        #expect(payment.cancelReason == "금액 불일치")
        #expect(payment.cancelHistory.map(\.amount) == [12_000])
        #expect(payment.cancelHistory.map(\.reason) == ["금액 불일치"])
        #expect(payment.cancelReceiptUrls == payment.cancelHistory.map(\.receiptUrl))
        #expect(try await shop.get("payments/\(impUid)").value.status == "cancelled")
    }

    @Test func partialCancellation_leavesPaymentPaid() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        let first = try await shop.cancel(#"{"imp_uid": "\#(impUid)", "amount": 2000, "checksum": 12000}"#).value
        #expect(first.status == "paid")
        #expect(first.cancelAmount == 2000)
        #expect(first.cancelledAt == 0)

        let second = try await shop.cancel(#"{"imp_uid": "\#(impUid)", "amount": 3000, "checksum": 10000}"#).value
        #expect(second.cancelHistory.map(\.amount) == [2000, 3000])
        #expect(Set(second.cancelHistory.map(\.cancellationId)).count == 2)

        let rest = try await shop.cancel(#"{"imp_uid": "\#(impUid)"}"#).value
        #expect(rest.status == "cancelled")
        #expect(rest.cancelHistory.map(\.amount) == [2000, 3000, 7000])
        #expect(rest.cancelReceiptUrls.count == 3)
    }

    @Test(arguments: [
        (#""checksum": 11999"#, "checksum"), (#""checksum": 0"#, "checksum"), (#""amount": 12001"#, "12001"),
        (#""amount": 0.5"#, "amount"),
    ])
    func impossibleCancellation_isRefusedWith200(fields: String, word: String) async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        let reply = try await shop.cancel(#"{"imp_uid": "\#(impUid)", \#(fields)}"#)
        #expect(reply.status == 200)
        #expect(reply.code == 1)
        #expect(reply.message?.contains(word) == true)
        #expect(reply.response == nil)
        let state = try await shop.state(impUid)
        #expect(state.status == "paid")
        #expect(state.cancelAmount == 0)
        #expect(state.cancelHistory.isEmpty)
    }

    @Test func secondCancellation_isRefused() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        let order = #"{"imp_uid": "\#(impUid)"}"#
        #expect(try await shop.cancel(order).code == 0)
        let again = try await shop.cancel(order)
        #expect(again.status == 200)
        #expect(again.code == 1)
        #expect(again.message == "이미 전액취소된 주문입니다.")
        #expect(try await shop.state(impUid).cancelHistory.count == 1)
    }

    @Test(arguments: ["ready", "failed"])
    func unpaidPayment_cancellation_isRefused(status: String) async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay(more: #", "status": "\#(status)""#)
        let reply = try await shop.cancel(#"{"imp_uid": "\#(impUid)"}"#)
        #expect(reply.code == 1)
        #expect(try await shop.state(impUid).status == status)
    }

    @Test func concurrentPartialCancellations_neverExceedAmount() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay("ABCD123456", "1000")
        let codes = try await concurrently(20) { _ in
            try await shop.cancel(#"{"imp_uid": "\#(impUid)", "amount": 300}"#).code
        }
        #expect(codes.count { $0 == 0 } == 3)
        #expect(codes.count { $0 == 1 } == 17)
        #expect(try await shop.state(impUid).cancelAmount == 900)
    }

    @Test func merchantUID_selectsPaidAttempt_andImpUIDPrecedes() async throws {
        let shop = try await PortOneShop()
        let paid = try await shop.pay()
        let failed = try await shop.pay(more: #", "status": "failed""#)
        let other = try await shop.pay("OTHER")
        let both = try await shop.cancel(#"{"merchant_uid": "ABCD123456", "imp_uid": "\#(other)"}"#)
        #expect(try both.value.impUid == other)
        #expect(try await shop.state(paid).status == "paid")
        #expect(try await shop.cancel(#"{"merchant_uid": "ABCD123456"}"#).value.impUid == paid)
        #expect(try await shop.state(failed).status == "failed")
    }

    @Test func formBody_withAllFields_isAccepted() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        let form = [
            "imp_uid": impUid, "amount": "2000", "checksum": "12000", "tax_free": "0", "vat_amount": "100",
            "reason": "%ED%99%98%EB%B6%88", "refund_holder": "kim", "refund_bank": "04", "refund_account": "1",
            "refund_tel": "01012345678", "enable_webhook": "false", "extra[requester]": "customer",
        ]
        let reply = try await shop.sandbox.post("/portone/payments/cancel", form: form, authorization: shop.token)
        let payment = try reply.portOne(PortOneAnswer.Payment.self).value
        #expect(payment.cancelAmount == 2000)
        #expect(payment.cancelReason == "환불")
    }

    @Test(arguments: ["amount=%F", "amount=%FF", "imp%uid=1"])
    func formBody_withInvalidEncoding_isRefused(form: String) async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        let parts = form.split(separator: "=").map(String.init)
        let fields = ["imp_uid": impUid, parts[0]: parts[1]]
        let reply = try await shop.sandbox.post("/portone/payments/cancel", form: fields, authorization: shop.token)
        #expect(reply.status == 400)
        #expect(try reply.portOne(PortOneAnswer.Payment.self).message?.contains(parts[0]) == true)
        #expect(try await shop.state(impUid).cancelAmount == 0)
    }

    @Test func foreignAmounts_haveDecimals() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay("USD1", "10.1", more: #", "currency": "USD""#)
        let order =
            #"{"imp_uid": "\#(impUid)", "amount": 3.35, "checksum": 10.10, "extra": {"requester": "admin"}}"#
        let reply = try await shop.sandbox.post("/portone/payments/cancel", json: order, authorization: shop.token)
        #expect(reply.text.contains(#""cancel_amount":3.35,"#))
        #expect(try await shop.cancel(#"{"imp_uid": "\#(impUid)", "checksum": 6.75}"#).value.status == "cancelled")
    }

    @Test(arguments: [
        ("{}", 400, "imp_uid"), (#"{"imp_uid": "imp_000000000000"}"#, 404, ""),
        (#"{"merchant_uid": "UNKNOWN"}"#, 404, ""), (#"{"imp_uid": "UID", "amount": -1}"#, 400, "amount"),
        (#"{"imp_uid": "UID", "amount": "much"}"#, 400, "amount"),
        (#"{"imp_uid": "UID", "amount": {}}"#, 400, "amount"),
        (#"{"imp_uid": "UID", "checksum": true}"#, 400, "checksum"), (#"{"imp_uid": ["UID"]}"#, 400, "imp_uid"),
        (#"{"imp_uid": "UID", "tax_free": "x"}"#, 400, "tax_free"),
        (#"{"imp_uid": "UID", "vat_amount": "x"}"#, 400, "vat_amount"),
        (#"{"imp_uid": "UID", "refund_tel": {}}"#, 400, "refund_tel"),
        (#"{"imp_uid": "UID", "enable_webhook": "maybe"}"#, 400, "enable_webhook"), (#"{"imp_uid""#, 400, "JSON"),
    ])
    func invalidRequest_namesField(order: String, status: Int, word: String) async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        let reply = try await shop.cancel(order.replacing("UID", with: impUid))
        reply.expectRefusal(status, word)
        #expect(try await shop.state(impUid).cancelAmount == 0)
    }
}
