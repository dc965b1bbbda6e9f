import FoundationEssentials

/// The state of an order, as shown by its checkout page.
struct CheckoutState: Sendable, Equatable {
    enum Name: String, Sendable, Encodable, CaseIterable {
        /// The order can be paid: there is no successful payment yet.
        case payable
        case paid
        /// Paid, but the payment does not or no longer count for the order; it is refunded.
        case returned
        /// The order was not paid in time.
        case expired
        /// The state is not known at the moment; the client should ask again.
        case checking
    }

    var name: Name
    /// Message for the payer, in Korean.
    var message: String
    /// Deadline of the payment; nil when the order cannot be paid.
    var payableUntil: Date?

    /// - Parameter payment: The payment in question, or else the order's; nil when there is none.
    init(_ order: Order, _ payment: Payment?, at now: Date) {
        let isOpen = order.state == .open && order.heldUntil > now
        if let payment, let verdict = payment.verdict, verdict != .confirmed {
            // Another payment may still pay for the order.
            self.init(.returned, "\(verdict.explanation) \(payment.fate)", isOpen ? order.heldUntil : nil)
            return
        }
        switch order.state {
        case .paid: self.init(.paid, "결제가 완료되었어요.")
        case .refunded: self.init(.returned, "결제가 취소되었어요. \(payment?.fate ?? Payment.willReturn)")
        case .expired: self.init(.expired, "결제 시간이 지나 예약이 풀렸어요. 매물에서 다시 예약해 주세요.")
        case .open where isOpen: self.init(.payable, Self.invitation(after: payment), order.heldUntil)
        // The order has expired, and its last check with PortOne is outstanding.
        case .open: self = .checking
        }
    }

    /// PortOne is unavailable, or the order is about to expire.
    static let checking = CheckoutState(.checking, "결제를 확인하고 있어요.")

    private init(_ name: Name, _ message: String, _ payableUntil: Date? = nil) {
        self.name = name
        self.message = message
        self.payableUntil = payableUntil
    }

    /// The message of a payable order, depending on the previous attempt.
    private static func invitation(after payment: Payment?) -> String {
        switch payment?.status {
        case .failed:
            guard let reason = payment?.receipt.texts["fail_reason"], !reason.isEmpty else {
                return "결제하지 못했어요. 다시 시도해 주세요."
            }
            return "결제하지 못했어요: \(reason.prefix(200))"
        case .cancelled: return "결제가 취소되었어요. 다시 결제할 수 있어요."
        case .ready, .paid, nil: return "아직 결제되지 않았어요."
        }
    }
}

extension Payment {
    fileprivate static let willReturn = "결제하신 금액은 돌려드려요."

    /// Message on the refund of a payment that does not pay for its order.
    fileprivate var fate: String {
        balance.held > 0 ? Self.willReturn : "결제하신 금액을 돌려드렸어요."
    }
}

extension PaymentVerification {
    /// Why a payment does not pay for its order, for the payer.
    fileprivate var explanation: String {
        switch self {
        case .confirmed: "결제가 완료되었어요."
        case .wrongAmount: "결제 금액이 주문 금액과 달라요."
        case .wrongCurrency: "결제 통화가 원화가 아니에요."
        case .partlyCancelled: "결제가 확정되기 전에 일부 취소되었어요."
        case .testPayment: "테스트 결제는 받지 않아요."
        case .alreadyPaid: "이미 결제된 주문이에요."
        case .tooLate: "결제 시간이 지난 뒤에 결제되었어요."
        case .claimedTooLate, .unclaimed: "확인되지 않은 결제예요."
        }
    }
}
