import Logging
import ServiceHost

/// Payments: what people of Anlaka and Seoul Culture pay for, verified at PortOne. Never a won astray.
///
/// **Owns** orders, what PortOne has told of payments, the ledger, and what is to go back.
///
/// **Tables** (schema `payments`): `people` (from auth); `orders`; `payments`, `ledger_transactions`, `ledger_entries`, `audit`
/// (these three are only ever added to); `refunds`; `notices` (PortOne's webhooks); `requests` (answers to requests that may be
/// repeated); `checkout_pages`; `comparisons` and `differences` (what PortOne has otherwise); inbox and outbox.
///
/// **Consumes** `auth.account-registered`, `auth.profile-changed` and `auth.account-withdrawn`. **Publishes**
/// `payments.reservation-changed` (estate), `payments.purchase-changed` (community), `payments.account-erased` (auth) and
/// `payments.order-settled` (notifications).
///
/// **Twice verified.** The amount is fixed in the order (`Domain/Orders/Orders.swift`) and PortOne told of it in advance; then
/// whatever an app, a webhook or a timer says of a payment is only a reason to ask PortOne, and its answer alone decides.
///
/// **One place** takes that answer in: `Domain/Payments/Settlement.swift`. The order is locked and then the payment, a plain
/// value decides (`Verdict`), and money moves in the ledger in the same transaction (`Balance`). A payment that does not pay
/// for its order goes back (`Domain/Refunds/Refunds.swift`), asked for until PortOne has done it.
///
/// **Nothing is waited for** that can get lost: open orders are asked after (`OpenOrders`), webhooks are kept first and looked
/// into afterwards (`Notices`), and all timers are rows. Once a day everything is compared with PortOne
/// (`Domain/Comparison/Comparison.swift`).
///
/// Every URL is in `Routes/Routes.swift`; `PaymentsService+build.swift` puts the pieces together.
@main
struct PaymentsService {
    static func main() async {
        await ServiceHost.run(
            "payments",
            read: { try PaymentsConfiguration(&$0) },
            logLevel: \.host.logLevel,
            build: { try buildPayments($0, logger: $1) }
        )
    }
}
