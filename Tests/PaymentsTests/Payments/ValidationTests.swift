import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import Payments

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct ValidationTests {
    private var world: PaymentsWorld { .current }

    struct Answer: Decodable {
        var paymentID: String
        var orderItem: Item
        var createdAt: String
        var updatedAt: String

        enum CodingKeys: String, CodingKey {
            case paymentID = "payment_id"
            case orderItem = "order_item"
            case createdAt, updatedAt
        }

        struct Item: Decodable {
            var code: String
            var paidAt: String

            enum CodingKeys: String, CodingKey {
                case code = "order_code"
                case paidAt
            }
        }
    }

    @Test(.service) func validation_isIdempotent() async throws {
        let code = try await world.order()
        let impUID = try await world.pay(code)
        let first = try await world.validate(impUID)
        #expect(first.status == .ok)
        let answer = try first.json(Answer.self)
        #expect(answer.orderItem.code == code && PublicID(rawValue: answer.paymentID) != nil)
        #expect(try await world.state(of: code) == "paid")
        #expect(try await world.ledger() == ["clearing": 100_000, "sales": -100_000])
        let calls = try await world.calls().count
        for _ in 0..<3 { #expect(try await world.validate(impUID).body == first.body) }
        #expect(try await world.calls().count == calls, "a confirmed payment is not fetched from PortOne again")
        try await eventually("estate receives the event") {
            world.stubs.state.withLock { $0.reservations.last?.state == .paid }
        }
        try await eventually("notifications receives the event") {
            world.stubs.state.withLock { $0.settled.map(\.order) == [code] && $0.settled[0].outcome == .paid }
        }
    }

    @Test(.service) func concurrentValidationAndWebhook_settleOnce() async throws {
        let code = try await world.order()
        let impUID = try await world.pay(code)
        let bodies = try await withThrowingTaskGroup(of: TestResponse?.self) { group in
            for number in 0..<8 {
                group.addTask {
                    guard number.isMultiple(of: 2) else {
                        #expect(try await world.notify(impUID) == 200)
                        return nil
                    }
                    return try await world.validate(impUID)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
        }
        #expect(bodies.allSatisfy { $0.status == .ok } && Set(bodies.map(\.text)).count == 1)
        #expect(try await world.ledger() == ["clearing": 100_000, "sales": -100_000])
    }

    @Test(.service, arguments: [("ready", 0), ("failed", 0), ("cancelled", 0)]) func unpaidPayment_leavesOrderOpen(
        status: String,
        cancelled: Int
    ) async throws {
        let code = try await world.order()
        let failed = try await world.pay(code, status: status)
        #expect(try await world.validate(failed).status == .badRequest)
        // The order can still be paid.
        #expect(try await world.state(of: code) == "open")
        #expect(try await world.validate(world.pay(code)).status == .ok)
    }

    /// A payment may succeed later, as when the buyer enters another card in the same window.
    @Test(.service) func paymentThatSucceedsLater_isConfirmed() async throws {
        let impUID = try await world.pay(world.order(), status: "ready")
        #expect(try await world.validate(impUID).status == .badRequest)
        try await world.change(impUID, #"{"status":"paid"}"#)
        #expect(try await world.validate(impUID).status == .ok)
    }

    @Test(.service, arguments: [Double(1), 99_999, 100_001, 10_000_000]) func tamperedAmount_isRefunded(amount: Double)
        async throws
    {
        let code = try await world.order()
        let impUID = try await world.pay(code, amount)
        for _ in 0..<2 { #expect(try await world.validate(impUID).status == .badRequest) }
        try await eventually("the payment is refunded") { try await world.portOnePayment(impUID).status == "cancelled" }
        let refunded = try await world.portOnePayment(impUID)
        #expect(refunded.cancelAmount == amount && refunded.cancelHistory.count == 1)
        #expect(refunded.cancelReason == PaymentVerification.wrongAmount.reason)
        try await eventually("the ledger is balanced") { try await world.ledger().isEmpty }
        #expect(try await world.state(of: code) == "open", "a forged payment does not close the order")
        #expect(try await world.validate(world.pay(code)).status == .ok)
    }

    /// The amount is changed between the first validation and the payment.
    @Test(.service) func amountChangedBeforePayment_isRefunded() async throws {
        let code = try await world.order()
        let impUID = try await world.pay(code, status: "ready")
        #expect(try await world.validate(impUID).status == .badRequest)
        try await world.change(impUID, #"{"amount":10,"status":"paid"}"#)
        #expect(try await world.validate(impUID).status == .badRequest)
        #expect(try await world.payment(impUID)?.money == .won(10))
        try await eventually("the payment is refunded") { try await world.portOnePayment(impUID).status == "cancelled" }
        #expect(try await world.state(of: code) == "open")
    }

    /// The currency is changed between the first validation and the payment.
    @Test(.service) func currencyChangedBeforePayment_isRefunded() async throws {
        let impUID = try await world.pay(world.order(), status: "failed")
        #expect(try await world.validate(impUID).status == .badRequest)
        try await world.change(impUID, #"{"currency":"USD","status":"paid"}"#)
        #expect(try await world.validate(impUID).status == .badRequest)
        #expect(try await world.payment(impUID)?.verdict == .wrongCurrency)
        try await eventually("the payment is refunded") { try await world.portOnePayment(impUID).status == "cancelled" }
        try await eventually("the ledger is balanced") { try await world.ledger().isEmpty }
    }

    /// The currency of a payment in the ledger does not change, even if PortOne reports another one.
    @Test(.service) func confirmedPayment_keepsItsCurrency() async throws {
        let impUID = try await world.pay(world.order())
        #expect(try await world.validate(impUID).status == .ok)
        var report = try #require(try await world.report(of: impUID))
        report.money.currency = "USD"
        await #expect(throws: PaymentsError.boundElsewhere) { try await world.settle(report) }
        #expect(try await world.ledger() == ["clearing": 100_000, "sales": -100_000])
    }

    @Test(.service) func wrongCurrency_isRefunded() async throws {
        let impUID = try await world.pay(world.order(), 100_000, more: #""currency":"USD""#)
        #expect(try await world.validate(impUID).status == .badRequest)
        try await eventually("the payment is refunded") { try await world.portOnePayment(impUID).status == "cancelled" }
    }

    @Test(.service) func partlyCancelledPayment_isRefundedInFull() async throws {
        let impUID = try await world.pay(world.order())
        try await world.change(impUID, #"{"cancel_amount":40000}"#)
        #expect(try await world.validate(impUID).status == .badRequest)
        try await eventually("the payment is refunded") {
            try await world.portOnePayment(impUID).cancelAmount == 100_000
        }
    }

    @Test(arguments: [true, false]) func testPayment_isConfirmedOnlyIfAccepted(isTaken: Bool) async throws {
        try await PaymentsWorld.test({ $0.takesTests = isTaken }) { world in
            let impUID = try await world.pay(world.order(), more: #""sandbox":true"#)
            #expect(try await world.validate(impUID).status == (isTaken ? .ok : .badRequest))
        }
    }

    @Test(.service) func secondPayment_isRefunded() async throws {
        let code = try await world.order()
        let (first, second) = (try await world.pay(code), try await world.pay(code))
        #expect(try await world.validate(second).status == .ok)
        #expect(try await world.validate(first).status == .conflict)
        try await eventually("the payment is refunded") { try await world.portOnePayment(first).status == "cancelled" }
        #expect(try await world.portOnePayment(second).cancelAmount == 0)
        #expect(try await world.validate(second).status == .ok)
    }

    @Test(.service) func latePayment_isRefunded() async throws {
        world.clock.advance(by: -700)
        let code = try await world.order()
        world.clock.advance(by: 700)
        let impUID = try await world.pay(code)
        #expect(try await world.validate(impUID).status == .conflict)
        try await eventually("the payment is refunded") { try await world.portOnePayment(impUID).status == "cancelled" }
    }

    @Test(.service) func paymentOfOtherAccount_returns445() async throws {
        let code = try await world.order(by: 1)
        let impUID = try await world.pay(code)
        #expect(try await world.validate(impUID, by: 2).status.code == 445)
        #expect(try await world.payment(impUID) == nil, "no payment was stored")
        #expect(try await world.validate(impUID, by: 1).status == .ok)
        #expect(try await world.validate(impUID, by: 2).status.code == 445)
    }

    @Test(.service) func unknownPayment_isRefused() async throws {
        #expect(try await world.validate("imp_000000000000").status == .badRequest)
        for id in ["", " ", "../users/getToken", "imp_1?x=1", "imp_1/..", "결제", String(repeating: "1", count: 65)] {
            #expect(try await world.validate(id).status == .badRequest, "\(id)")
        }
        #expect(try await world.calls().allSatisfy { !$0.contains("..") && !$0.contains("?") })
        // The payment belongs to another shop at the same PortOne account.
        let foreign = try await world.pay("UNKNOWN")
        #expect(try await world.validate(foreign).status == .notFound)
        #expect(try await world.portOnePayment(foreign).cancelAmount == 0)
    }

    /// PortOne's first report determines the payment's order; a later report cannot change it.
    @Test(.service) func payment_isBoundToOneOrder() async throws {
        let (one, other) = (try await world.order(), try await world.order())
        let impUID = try await world.pay(one, status: "failed")
        #expect(try await world.validate(impUID).status == .badRequest)
        var report = try #require(try await world.report(of: impUID))
        report.merchantUID = other
        await #expect(throws: PaymentsError.boundElsewhere) { try await world.settle(report) }
    }

    @Test(
        .service { $0.portOneTimeout = .milliseconds(400) },
        arguments: ["timeout", "http 500", "http 200", "http 404", "slow"]
    )
    func validation_duringPortOneOutage_leavesOrderOpen(kind: String) async throws {
        let code = try await world.order()
        let impUID = try await world.pay(code)
        let words = kind.split(separator: " ")
        try await world.fail(String(words[0]), status: words.count > 1 ? Int(words[1]) ?? 0 : 503)
        let answer = try await world.validate(impUID)
        // PortOne answers 404 for unknown payments, so 404 is an answer and not an outage.
        #expect(answer.status == (kind == "http 404" ? .badRequest : .serviceUnavailable))
        #expect(try await world.state(of: code) == "open")
        try await world.fail(count: 0)
        try await eventually("the payment is verified") { try await world.validate(impUID).status == .ok }
    }

    @Test(.service) func expiredPortOneToken_isRenewed() async throws {
        let (one, other) = (try await world.order(), try await world.order())
        #expect(try await world.validate(world.pay(one)).status == .ok)
        _ = try await world.pull("/_control/payments/tokens/expire", "{}")
        #expect(try await world.validate(world.pay(other)).status == .ok)
    }

    @Test(.service) func receipt_isLimitedToOrderer() async throws {
        let code = try await world.order()
        let path = "/v1/payments/\(code)"
        #expect(try await world.client(1).send(.get, path).status == .notFound)
        let failed = try await world.pay(code, status: "failed")
        _ = try await world.validate(failed)
        #expect(try await world.client(1).send(.get, path).text.contains(failed))
        let impUID = try await world.pay(code, more: #""buyer_name":"하루""#)
        _ = try await world.validate(impUID)
        let answer = try await world.client(1).send(.get, path)
        #expect(answer.status == .ok)
        let receipt = try answer.json(ReceiptAnswer.self)
        #expect(receipt.impUID == impUID && receipt.merchantUID == code && receipt.amount == 100_000)
        #expect(receipt.status == "paid" && receipt.currency == "KRW" && receipt.buyerName == "하루")
        #expect(try await world.client(2).send(.get, path).status.code == 445)
        #expect(try await world.client(1).send(.get, "/v1/payments/ABCD000000").status == .notFound)
    }

    struct ReceiptAnswer: Decodable {
        var impUID: String
        var merchantUID: String
        var amount: Int
        var currency: String
        var status: String
        var buyerName: String?
        var paidAt: String?

        enum CodingKeys: String, CodingKey {
            case amount, currency, status, paidAt
            case impUID = "imp_uid"
            case merchantUID = "merchant_uid"
            case buyerName = "buyer_name"
        }
    }
}
