import HTTPTypes
import Synchronization

/// The payment window: payments start, and the user pays, fails or cancels.
final class PortOneWindows: Sendable {
    /// The page that opened a window.
    struct Opener: Sendable {
        /// The redirect URL, which replaces a callback.
        var redirect: String?
        /// The page's origin, the only one that receives the result; nil if it has none.
        var origin: String?
    }

    /// The user's action in the window.
    enum Action: String, Sendable {
        case pay, fail, cancel
    }

    private let payments: PortOnePayments
    private let prepared: PortOnePrepared
    private let webhooks: PortOneWebhooks
    private let openers = Mutex<[String: Opener]>([:])

    init(payments: PortOnePayments, prepared: PortOnePrepared, webhooks: PortOneWebhooks) {
        self.payments = payments
        self.prepared = prepared
        self.webhooks = webhooks
    }

    /// Starts a payment: it is ready, or has failed if the order was registered with another amount.
    func begin(_ payment: PortOnePayment, openedBy opener: Opener) -> PortOnePayment {
        let registered = prepared.amount(of: payment.merchantUid)
        let payment = payments.add(payment) { payment in
            if let registered, registered != payment.amount {
                payment.fail("사전등록된 결제금액과 요청된 결제금액이 다릅니다.", at: payment.startedAt)
            }
        }
        openers.withLock { $0[payment.impUid] = opener }
        return payment
    }

    /// - Throws: `PortOneError` for an unknown `imp_uid`.
    func payment(_ impUid: String) throws(PortOneError) -> PortOnePayment {
        try payments.payment(impUid)
    }

    func opener(of impUid: String) -> Opener {
        openers.withLock { $0[impUid] } ?? Opener()
    }

    /// Applies the user's action. A webhook is sent for a successful payment.
    ///
    /// - Throws: `PortOneError` for an unknown `imp_uid`, or a finished payment.
    func finish(_ impUid: String, by action: Action) throws -> PortOnePayment {
        let payment = try payments.change(impUid) { payment in
            guard payment.status == .ready else { throw PortOneError(.conflict, "이미 처리된 결제입니다.") }
            switch action {
            case .pay: payment.confirm(at: PortOneTime.now)
            case .fail: payment.fail("카드사 승인이 거절되었습니다.", at: PortOneTime.now)
            case .cancel: payment.fail("사용자가 결제를 취소하셨습니다", at: PortOneTime.now)
            }
        }
        if payment.status == .paid { webhooks.sendWithRetries(PortOneWebhook(payment)) }
        return payment
    }
}
