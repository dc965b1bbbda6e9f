import Logging
import ServiceKit

/// Payments: orders and payments of Anlaka and Seoul Culture, verified with PortOne.
///
/// **Owns** orders, the state of PortOne's payments, the ledger, and refunds.
///
/// **Tables** (schema `payments`): `people` (from auth); `orders`; `payments`, `ledger_transactions`, `ledger_entries`,
/// `audit` (the last three are append-only); `refunds`; `notices` (PortOne's webhooks); `requests` (responses by
/// idempotency key); `checkout_pages`; `comparisons`, `compared_payments` and `differences` (daily reconciliation with
/// PortOne); inbox and outbox. `Domain/Retention.swift` says how long each is kept.
///
/// **Consumes** `auth.account-registered`, `auth.profile-changed` and `auth.account-withdrawn`. **Publishes**
/// `payments.reservation-changed` (estate), `payments.purchase-changed` (community), `payments.account-erased` (auth)
/// and `payments.order-settled` (notifications).
///
/// **Two verifications.** The order fixes the amount (`Domain/Orders/Orders.swift`), which is registered with PortOne
/// before the payment. After it, a message from an app, a webhook or a timer only triggers a request to PortOne; the
/// decision depends on PortOne's response alone.
///
/// **One place** processes that response: `Domain/Payments/PaymentProcessor.swift`. It locks the order and then the
/// payment, decides (`PaymentVerification`), and records the movement of money in the ledger in the same transaction
/// (`Balance`). A payment that does not pay for its order is refunded (`Domain/Refunds/Refunds.swift`), with retries
/// until PortOne has done it.
///
/// **No lost messages.** Open orders are polled (`OrderPolling`), webhooks are stored before they are processed
/// (`Webhooks`), and all timers are rows. Once a day all payments are reconciled with PortOne
/// (`Domain/Reconciliation/Reconciliation.swift`).
///
/// **Operators** see orders and comparisons on pages of the console (`Domain/Operators/OrderLookup.swift`), which may also
/// request refunds and comparisons, as `stack` does.
///
/// The routes are in `Routes/Routes.swift`; `PaymentsService+build.swift` assembles the service.
@main
struct PaymentsService {
    static func main() async {
        await ServiceHost.run(
            "payments",
            "orders and payments of Anlaka and Seoul Culture, verified at PortOne",
            read: { try PaymentsConfiguration(&$0) },
            build: { try buildPayments($0, logger: $1) }
        )
    }
}
