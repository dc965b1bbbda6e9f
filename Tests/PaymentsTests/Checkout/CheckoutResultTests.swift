import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CheckoutResultTests {
    private var world: PaymentsWorld { .current }

    @Test(.service) func result_ofPaidOrder_isIdempotent() async throws {
        let code = try await world.order()
        let token = try await world.openCheckout(code)
        let before = try await world.result(code, token)
        #expect(before.state == "payable" && before.message == "아직 결제되지 않았어요.")
        let order = try await world.client(1).send(.get, PaymentsWorld.checkoutPath(code)).text
        #expect(order.contains(#"data-end="\#(try #require(before.expiresAt))""#))
        let paid = try await world.pay(code)
        for _ in 0..<2 {
            let answer = try await world.result(code, token, of: paid)
            #expect(answer == CheckoutAnswer(state: "paid", message: "결제가 완료되었어요."))
        }
        #expect(try await world.result(code, token).state == "paid")
        // The app validates afterwards, and a webhook arrives.
        #expect(try await world.validate(paid).status == .ok)
        #expect(try await world.notify(paid) == 200)
        #expect(try await world.ledger() == ["clearing": 100_000, "sales": -100_000])
    }

    @Test(.service) func result_withoutImpUID_findsPayment() async throws {
        let code = try await world.order()
        let token = try await world.openCheckout(code)
        _ = try await world.pay(code)
        // The request does not name the payment.
        #expect(try await world.result(code, token).state == "paid")
        #expect(try await world.state(of: code) == "paid")
    }

    @Test(.service) func failedAttempt_keepsOrderPayable() async throws {
        let code = try await world.order()
        let token = try await world.openCheckout(code)
        let failed = try await world.pay(code, status: "failed")
        let answer = try await world.result(code, token, of: failed)
        #expect(answer.state == "payable" && answer.message.hasPrefix("결제하지 못했어요") && answer.expiresAt != nil)
        let begun = try await world.pay(code, status: "ready")
        #expect(try await world.result(code, token, of: begun).state == "payable")
        let paid = try await world.pay(code)
        #expect(try await world.result(code, token, of: paid).state == "paid")
        // The result for the failed payment reports the order's state.
        #expect(try await world.result(code, token, of: failed).state == "paid")
    }

    @Test(.service) func wrongAmount_isRefundedAndOrderStaysPayable() async throws {
        let code = try await world.order()
        let token = try await world.openCheckout(code)
        let wrong = try await world.pay(code, 100)
        let answer = try await world.result(code, token, of: wrong)
        #expect(answer.state == "returned" && answer.message.contains("금액이 주문 금액과 달라요"))
        #expect(answer.message.contains("돌려") && answer.expiresAt != nil)
        try await eventually { try await world.portOnePayment(wrong).status == "cancelled" }
        let paid = try await world.pay(code)
        #expect(try await world.result(code, token, of: paid).state == "paid")
        let second = try await world.pay(code)
        let twice = try await world.result(code, token, of: second)
        #expect(twice.state == "returned" && twice.message.contains("이미") && twice.expiresAt == nil)
        #expect(try await world.result(code, token).state == "paid")
        #expect(try await world.state(of: code) == "paid")
    }

    @Test(.service) func paymentAfterHold_isRefunded() async throws {
        let code = try await world.order()
        let token = try await world.openCheckout(code)
        world.clock.advance(by: 601)
        let over = try await world.result(code, token)
        #expect(over.state == "expired" && over.expiresAt == nil)
        #expect(try await world.state(of: code) == "expired")
        let late = try await world.pay(code)
        let answer = try await world.result(code, token, of: late)
        #expect(answer.state == "returned" && answer.message.contains("시간이 지난"))
        // A request that does not name the payment gets the same result.
        #expect(try await world.result(code, token).state == "returned")
    }

    @Test(.service) func failedAttemptAfterHold_expiresOrder() async throws {
        let code = try await world.order()
        let token = try await world.openCheckout(code)
        let failed = try await world.pay(code, status: "failed")
        world.clock.advance(by: 601)
        #expect(try await world.result(code, token, of: failed).state == "expired")
    }

    @Test(.service { $0.portOneTimeout = .milliseconds(300) }, arguments: ["http", "timeout", "lost"])
    func result_duringPortOneOutage_isChecking(_ fault: String) async throws {
        let code = try await world.order()
        let token = try await world.openCheckout(code)
        let paid = try await world.pay(code)
        try await world.fail(fault)
        let dark = CheckoutAnswer(state: "checking", message: "결제를 확인하고 있어요.")
        #expect(try await world.result(code, token, of: paid) == dark)
        #expect(try await world.result(code, token) == dark)
        // The order does not expire before PortOne has answered.
        world.clock.advance(by: 601)
        #expect(try await world.result(code, token) == dark)
        #expect(try await world.state(of: code) == "open")
        try await world.fail(fault, count: 0)
        try await eventually("the payment is verified") {
            try await world.result(code, token, of: paid).state == "paid"
        }
        try await world.fail(fault)
        // A settled order needs no answer from PortOne.
        #expect(try await world.result(code, token).state == "paid")
        #expect(try await world.result(code, token, of: paid).state == "paid")
    }

    @Test(.service) func refundedPayment_isReturned() async throws {
        let code = try await world.order()
        let token = try await world.openCheckout(code)
        let paid = try await world.pay(code)
        #expect(try await world.result(code, token, of: paid).state == "paid")
        #expect(try await world.refund(paid).status == .ok)
        for impUID in [nil, paid] {
            let answer = try await world.result(code, token, of: impUID)
            #expect(answer.state == "returned" && answer.message.contains("취소") && answer.expiresAt == nil)
        }
    }

    @Test(.service) func result_withPaymentOfOtherOrder_isRefused() async throws {
        let (mine, another, theirs) = (try await world.order(), try await world.order(), try await world.order(by: 2))
        let token = try await world.openCheckout(mine)
        let other = try await world.pay(another)
        #expect(try await world.askResult(mine, token, json: #"{"imp_uid":"\#(other)"}"#).status == .conflict)
        let foreign = try await world.pay(theirs)
        #expect(try await world.askResult(mine, token, json: #"{"imp_uid":"\#(foreign)"}"#).status.code == 445)
        let stray = try await world.pay("nobodys-order")
        #expect(try await world.askResult(mine, token, json: #"{"imp_uid":"\#(stray)"}"#).status == .notFound)
        #expect(try await world.result(mine, token).state == "payable")
        // A payment that was sent for the wrong order settles its own order.
        #expect(try await world.state(of: another) == "paid")
        #expect(try await world.state(of: theirs) == "open")
    }

    @Test(.service) func result_withInvalidToken_returns401() async throws {
        let (code, other) = (try await world.order(), try await world.order())
        let token = try await world.openCheckout(code)
        for wrong in [nil, "", "x", String(repeating: "A", count: 43), token + "A", String(token.dropLast())] {
            let answer = try await world.askResult(code, wrong, json: "{}")
            #expect(answer.status == .unauthorized, "\(wrong ?? "nil")")
            #expect(try answer.keys() == ["message"])
        }
        for path in [other, "ABCD000000", "%00", "'"] {
            #expect(try await world.askResult(path, token, json: "{}").status == .unauthorized, "\(path)")
        }
        // Neither a session nor the cookie replaces the token.
        let headers: HTTPFields = [.cookie: "checkout-\(code)=\(token)"]
        let path = PaymentsWorld.checkoutPath(code) + "/result"
        #expect(try await world.client(1).send(.post, path, json: "{}", headers: headers).status == .unauthorized)
    }

    @Test(
        .service,
        arguments: [
            #"{"imp_uid":"imp_000000000000"}"#, #"{"imp_uid":""}"#, #"{"imp_uid":"../x"}"#, #"{"imp_uid":"a\u0000"}"#,
            #"{"imp_uid":7}"#, #"{"imp_uid":["imp_1"]}"#, "[]", "{", "\"imp_1\"",
            #"{"imp_uid":"\#(String(repeating: "a", count: 65))"}"#,
        ]
    )
    func malformedResultRequest_returns400(_ json: String) async throws {
        let code = try await world.order()
        let answer = try await world.askResult(code, try await world.openCheckout(code), json: json)
        #expect(answer.status == .badRequest, "\(answer.text)")
        if json.contains("imp_uid") { #expect(answer.text.contains("imp_uid")) }
    }

    @Test(.service, arguments: ["", #"{"imp_uid":null}"#, #"{"more":1}"#])
    func result_withoutPayment_returnsOrderState(_ json: String) async throws {
        let code = try await world.order()
        let answer = try await world.askResult(code, try await world.openCheckout(code), json: json)
        #expect(try answer.json(CheckoutAnswer.self).state == "payable")
    }

    @Test(.service) func concurrentResultValidationAndWebhook_settleOnce() async throws {
        let code = try await world.order()
        let tokens = [try await world.openCheckout(code), try await world.openCheckout(code)]
        let paid = try await world.pay(code)
        try await withThrowingTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    switch number % 4 {
                    case 0: try await world.result(code, tokens[0], of: paid).state == "paid"
                    case 1: try await world.result(code, tokens[1]).state == "paid"
                    case 2: try await world.validate(paid).status == .ok
                    default: try await world.notify(paid) == 200
                    }
                }
            }
            for try await isPaid in group { #expect(isPaid) }
        }
        #expect(try await world.count("payments") == 1)
        #expect(try await world.ledger() == ["clearing": 100_000, "sales": -100_000])
    }

    @Test(.service) func concurrentPayments_oneIsRefunded() async throws {
        let code = try await world.order()
        let token = try await world.openCheckout(code)
        let both = [try await world.pay(code), try await world.pay(code)]
        let states = try await withThrowingTaskGroup { group in
            for impUID in both { group.addTask { try await world.result(code, token, of: impUID).state } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(states.sorted() == ["paid", "returned"])
        try await eventually { try await world.ledger() == ["clearing": 100_000, "sales": -100_000] }
    }
}
