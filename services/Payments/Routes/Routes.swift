import Contracts
import Hummingbird
import Outbox
import ServiceHost

/// The URL map of the payments service, an app at a time, and what PortOne and other processes of ours tell and ask.
struct Routes {
    let domain: PaymentsDomain
    let inbox: Inbox

    init(_ domain: PaymentsDomain, inbox: Inbox) {
        self.domain = domain
        self.inbox = inbox
    }

    func add(to router: RouterGroup<AppRequestContext>) {
        let repeatable = RepeatableRequestMiddleware<SignedInContext>(requests: domain.requests, account: \.account)
        anlaka(router.app(.anlaka).signedIn.add(middleware: repeatable))
        culture(router.app(.culture).signedIn.add(middleware: repeatable))
        open(router.app(.anlaka))
        processes(router)
    }

    /// Anlaka (contract 2.5, calls 35 to 38).
    private func anlaka(_ app: RouterGroup<SignedInContext>) {
        let orders = OrderRoutes(orders: domain.orders)
        app.post("v1/orders", use: orders.place)
        app.get("v1/orders", use: orders.list)
        app.delete("v1/orders/:orderCode", use: orders.giveUp)

        let payments = PaymentRoutes(orders: domain.orders, validation: domain.validation)
        app.post("v1/payments/validation", use: payments.validate)
        app.get("v1/payments/:orderCode", use: payments.receipt)
    }

    /// Seoul Culture (contract 2, calls 23 and 24).
    private func culture(_ app: RouterGroup<SignedInContext>) {
        let purchases = PurchaseRoutes(purchases: domain.purchases)
        app.post("v1/payments/prepare", use: purchases.order)
        app.post("v1/payments/validation", use: purchases.validate)
        app.get("v1/payments/me", use: purchases.list)
    }

    /// What comes from outside, as nobody.
    private func open(_ app: RouterGroup<AppRequestContext>) {
        app.post("notices/portone", use: NoticeRoutes(notices: domain.notices).receive)
        let checkout = CheckoutRoutes(
            checkout: domain.checkout,
            window: domain.payWindow,
            publicURL: domain.publicURL
        )
        app.get("v1/payments/checkout/:orderCode", use: checkout.page)
        app.post("v1/payments/checkout/:orderCode/result", use: checkout.result)
    }

    /// What other processes of ours ask and tell.
    private func processes(_ router: RouterGroup<AppRequestContext>) {
        inbox.add(to: router)
        // Nobody's account has the number 0: operators share one list of keys.
        let repeatable = RepeatableRequestMiddleware<AppRequestContext>(requests: domain.requests) { _ in 0 }
        let refunds = RefundRoutes(refunds: domain.refunds)
        router.group("internal/payments").add(middleware: repeatable).post(":impUid/refunds", use: refunds.create)
        let comparisons = ComparisonRoutes(comparison: domain.comparison)
        router.get("internal/comparisons/:day", use: comparisons.show)
        router.post("internal/comparisons/:day", use: comparisons.run)
    }
}
