import FoundationEssentials

/// Whether a payment pays for its order, once and for all. Every one but `confirmed` sends the money back.
enum Verdict: String, Sendable, Equatable {
    case confirmed
    case wrongAmount = "wrong_amount"
    case wrongCurrency = "wrong_currency"
    case partlyCancelled = "partly_cancelled"
    /// Of PortOne's test mode, where that is not taken.
    case testPayment = "test_payment"
    /// Another payment has paid for the order.
    case alreadyPaid = "already_paid"
    /// Paid after the order had run out.
    case tooLate = "too_late"
    /// Whoever says that it is theirs says so too long after it was paid.
    case claimedTooLate = "claimed_too_late"
    /// Nobody has said for too long that it is theirs.
    case unclaimed

    /// - Parameters:
    ///   - report: of a payment that is paid.
    ///   - cancelled: what is known to have gone back of it; the report may be older.
    ///   - takesTests: whether payments of PortOne's test mode are taken for real ones.
    init(_ report: PaymentReport, cancelled: Int64, for order: Order, takesTests: Bool) {
        self =
            if report.money.currency != "KRW" {
                .wrongCurrency
            } else if report.money.amount != order.amount {
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

    /// What PortOne is told when the money is to go back, and through it the payer.
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

    /// What the payer's app is told.
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

    /// Whether the payment as such was right, and only came at the wrong time (409, else 400).
    var isConflict: Bool { self == .alreadyPaid || self == .tooLate }
}
