import Contracts
import FoundationEssentials
import TestKit
import Testing

@testable import Payments

@Suite struct CheckoutStateTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func order(_ state: Order.State, left: TimeInterval = 60) -> Order {
        Order(
            id: 1,
            app: .anlaka,
            code: "ABCD123456",
            account: 1,
            subject: PublicID.random(),
            name: "원룸",
            amount: 1000,
            state: state,
            heldUntil: now + left,
            createdAt: now - 60,
            updatedAt: now
        )
    }

    private func payment(
        _ status: PaymentReport.Status,
        _ verdict: PaymentVerification? = nil,
        reason: String? = nil,
        held: Int64 = 0
    ) -> Payment {
        Payment(
            impUID: "imp_1",
            publicID: PublicID.random(),
            merchantUID: "ABCD123456",
            order: 1,
            status: status,
            money: .won(1000),
            balance: Balance(paid: 1000, cancelled: 1000 - held, due: verdict == .confirmed ? 0 : held),
            paidAt: nil,
            verdict: verdict,
            decidedAt: verdict == nil ? nil : now,
            receipt: Receipt(texts: reason.map { ["fail_reason": $0] } ?? [:]),
            createdAt: now
        )
    }

    @Test func openOrder_isPayableUntilHoldEnds() {
        let open = order(.open)
        let fresh = CheckoutState(open, nil, at: now)
        #expect(fresh.name == .payable && fresh.payableUntil == open.heldUntil)
        #expect(CheckoutState(open, payment(.ready), at: now) == fresh)
        #expect(CheckoutState(order(.open, left: 0), nil, at: now) == .checking)
        #expect(CheckoutState(order(.open, left: -1), payment(.failed), at: now) == .checking)
    }

    @Test func failedAttempt_showsReason() {
        let failed = CheckoutState(order(.open), payment(.failed, reason: "한도 초과"), at: now)
        #expect(failed.name == .payable && failed.message.contains("한도 초과") && failed.payableUntil != nil)
        let silent = CheckoutState(order(.open), payment(.failed), at: now)
        #expect(silent.name == .payable && silent.message.contains("결제하지 못했어요"))
        let long = CheckoutState(order(.open), payment(.failed, reason: String(repeating: "가", count: 5000)), at: now)
        #expect(long.message.count < 250)
        let cancelled = CheckoutState(order(.open), payment(.cancelled), at: now)
        #expect(cancelled.name == .payable && cancelled.message.contains("취소"))
    }

    @Test func settledOrder_showsFinalState() {
        #expect(CheckoutState(order(.paid), payment(.paid, .confirmed, held: 1000), at: now).name == .paid)
        #expect(CheckoutState(order(.paid), payment(.failed), at: now).name == .paid)
        let expired = CheckoutState(order(.expired), payment(.failed), at: now)
        #expect(expired.name == .expired && expired.payableUntil == nil)
        let refunded = CheckoutState(order(.refunded), payment(.cancelled, .confirmed), at: now)
        #expect(refunded.name == .returned && refunded.message.contains("돌려드렸어요"))
    }

    @Test(arguments: [
        (PaymentVerification.wrongAmount, "금액"), (.wrongCurrency, "통화"), (.partlyCancelled, "일부"),
        (.testPayment, "테스트"),
        (.alreadyPaid, "이미"), (.tooLate, "시간"), (.unclaimed, "확인"), (.claimedTooLate, "확인"),
    ])
    func rejectedPayment_isReturnedWithReason(_ verdict: PaymentVerification, _ why: String) {
        for (held, promise) in [(Int64(1000), "돌려드려요"), (0, "돌려드렸어요")] {
            let state = CheckoutState(order(.open), payment(.paid, verdict, held: held), at: now)
            #expect(state.name == .returned && state.message.contains(why) && state.message.contains(promise))
            // The order stays payable while it is held.
            #expect(state.payableUntil == order(.open).heldUntil)
        }
        for over in [order(.paid), order(.expired), order(.open, left: 0)] {
            let state = CheckoutState(over, payment(.paid, verdict, held: 1000), at: now)
            #expect(state.name == .returned && state.payableUntil == nil)
        }
    }
}
