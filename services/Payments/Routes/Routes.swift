import Apps
import Contracts
import Events
import Hummingbird
import ServiceDatabase
import ServiceKit

/// The routes of the payments service, per app, with those for PortOne, browsers and other services.
struct Routes {
    let domain: PaymentsDomain
    let inbox: Inbox

    init(_ domain: PaymentsDomain, inbox: Inbox) {
        self.domain = domain
        self.inbox = inbox
    }

    func add(to router: ServiceRouter) {
        let repeatable = IdempotencyMiddleware<SignedInContext>(requests: domain.requests, account: \.account)
        anlaka(router.app(Anlaka.self).add(middleware: repeatable))
        culture(router.app(Culture.self).add(middleware: repeatable))
        open(router.app(Anlaka.self))
        processes(router)
    }

    /// Anlaka (contract 2.5, calls 35 to 38).
    private func anlaka(_ app: AppRoutes<Anlaka>) {
        let orders = OrderRoutes(orders: domain.orders)
        app.on(\.placeOrder, use: orders.place)
        app.on(\.listOrders, use: orders.list)
        app.on(\.cancelOrder, use: orders.giveUp)

        let payments = PaymentRoutes(orders: domain.orders, validation: domain.validation)
        app.on(\.validatePayment, use: payments.validate)
        app.on(\.getReceipt, use: payments.receipt)
    }

    /// Seoul Culture (contract 2, calls 23 and 24).
    private func culture(_ app: AppRoutes<Culture>) {
        let purchases = PurchaseRoutes(purchases: domain.purchases)
        app.on(\.preparePayment, use: purchases.order)
        app.on(\.validatePayment, use: purchases.validate)
        app.on(\.listPurchases, use: purchases.list)
    }

    /// Routes without sign-in: PortOne's webhook and the checkout page.
    private func open(_ app: AppRoutes<Anlaka>) {
        app.on(\.receivePaymentWebhook, use: WebhookRoutes(notices: domain.notices).receive)
        let checkout = CheckoutRoutes(
            checkout: domain.checkout,
            window: domain.payWindow,
            publicURL: domain.publicURL
        )
        app.on(\.getCheckoutPage, use: checkout.page)
        app.on(\.getCheckoutResult, use: checkout.result)
    }

    /// Internal routes for other services and operators.
    private func processes(_ router: ServiceRouter) {
        inbox.add(to: router)
        // No account has the number 0: operators share one set of keys.
        let repeatable = IdempotencyMiddleware<AppRequestContext>(requests: domain.requests) { _ in
            AccountID(rawValue: 0)
        }
        let refunds = RefundRoutes(refunds: domain.refunds)
        router.on(
            .post,
            "internal/payments/:impUid/refunds",
            from: .stack,
            .console,
            through: repeatable,
            use: refunds.create
        )
        let comparisons = ReconciliationRoutes(comparison: domain.comparison)
        router.on(.get, "internal/comparisons/:day", from: .stack, .console, use: comparisons.show)
        router.on(.post, "internal/comparisons/:day", from: .stack, .console, use: comparisons.run)
        let operators = OperatorRoutes(orders: domain.orderLookup, comparison: domain.comparison)
        router.on(.get, "internal/operators/orders", from: .console, use: operators.list)
        router.on(.get, "internal/operators/orders/:id", from: .console, use: operators.show)
        router.on(.get, "internal/operators/refunds", from: .console, use: operators.refunds)
        router.on(.get, "internal/operators/differences", from: .console, use: operators.differences)
    }
}
