import FoundationEssentials
import Values

/// The final decision whether a payment pays for its order. Every value but `confirmed` leads to a refund.
enum PaymentVerification: String, Sendable, Equatable {
    case confirmed
    case wrongAmount = "wrong_amount"
    case wrongCurrency = "wrong_currency"
    case partlyCancelled = "partly_cancelled"
    /// Made in PortOne's test mode, where that does not count.
    case testPayment = "test_payment"
    /// Another payment has paid for the order.
    case alreadyPaid = "already_paid"
    /// Paid after the order had expired.
    case tooLate = "too_late"
    /// Claimed too long after the payment.
    case claimedTooLate = "claimed_too_late"
    /// Not claimed in time.
    case unclaimed

    /// - Parameters:
    ///   - report: A report of a paid payment.
    ///   - cancelled: The amount known to be refunded; the report may be older.
    ///   - takesTests: Whether payments of PortOne's test mode count.
    init(_ report: PaymentReport, cancelled: Int64, for order: Order, takesTests: Bool) {
        self =
            if report.money.currency != "KRW" {
                .wrongCurrency
            } else if report.money.amount != order.amount, !Sabotage.amountNotCompared.isBuiltIn {
                .wrongAmount
            } else if cancelled > 0 {
                .partlyCancelled
            } else if report.isTest && !takesTests {
                .testPayment
            } else if order.state == .paid || order.state == .refunded {
                .alreadyPaid
            } else if order.state == .expired || report.paidAt.map({ $0 > order.heldUntil }) ?? false {
                .tooLate
            } else {
                .confirmed
            }
    }

    /// The reason of the refund, passed to PortOne and shown to the payer.
    var reason: String {
        switch self {
        case .confirmed: "주문 취소"
        case .wrongAmount: "결제 금액이 주문 금액과 다름"
        case .wrongCurrency: "결제 통화가 주문 통화와 다름"
        case .partlyCancelled: "주문 확정 전에 일부 취소된 결제"
        case .testPayment: "테스트 결제는 받지 않음"
        case .alreadyPaid: "이미 결제된 주문"
        case .tooLate: "주문 유효 시간이 지난 뒤의 결제"
        case .claimedTooLate, .unclaimed: "확인되지 않은 결제"
        }
    }

    /// The error message for the client.
    var sentence: String {
        switch self {
        case .confirmed: "The order is paid."
        case .wrongAmount: "The paid amount is not the order's; the payment is cancelled."
        case .wrongCurrency: "The currency is not the order's; the payment is cancelled."
        case .partlyCancelled: "A part of the payment was cancelled before; the rest is cancelled, too."
        case .testPayment: "Test payments are not taken."
        case .alreadyPaid: "The order was paid before; this payment is cancelled."
        case .tooLate: "The order had run out before it was paid; the payment is cancelled."
        case .claimedTooLate, .unclaimed: "The payment was made too long ago; it is cancelled."
        }
    }

    /// Whether the payment itself was valid and only conflicts with the order's state (409, otherwise 400).
    var isConflict: Bool { self == .alreadyPaid || self == .tooLate }
}
