import Events
import FoundationEssentials
import Postgres
import Profiles
import ServiceDatabase
import ServiceKit

/// The use cases of the service and their dependencies.
struct PaymentsDomain: Sendable {
    let people: People
    let withdrawal: Withdrawal
    let orders: Orders
    let openOrders: OrderPolling
    let validation: Validation
    let checkout: Checkout
    let payWindow: PaymentWindow
    let publicURL: String
    let purchases: Purchases
    let refunds: Refunds
    let notices: Webhooks
    let requests: IdempotencyKeys
    let comparison: Reconciliation
    let orderLookup: OrderLookup
    let retention: Retention

    init(
        _ configuration: PaymentsConfiguration,
        database: PostgresClient,
        outbox: Outbox,
        people: People,
        estate: InternalClient,
        community: InternalClient
    ) {
        // Rounded to the milliseconds of the database, so that responses from memory and from the database agree.
        let clock = configuration.now
        let now: @Sendable () -> Date = {
            Date(timeIntervalSince1970: (clock().timeIntervalSince1970 * 1000).rounded() / 1000)
        }
        self.people = people
        withdrawal = Withdrawal(people: people, outbox: outbox, now: now)
        let portOne = PortOneClient(
            url: configuration.portOneURL,
            key: configuration.portOneKey,
            secret: configuration.portOneSecret,
            timeout: configuration.portOneTimeout,
            now: now
        )
        let settlement = PaymentProcessor(
            outbox: outbox,
            takesTests: configuration.takesTests,
            claimWindow: configuration.claimWindow / .seconds(1),
            now: now
        )
        // Longer than one job can take: a token, a request for the payment, and the change.
        let lease = 4 * (configuration.portOneTimeout / .seconds(1))
        let refunds = Refunds(database: database, portOne: portOne, settlement: settlement, lease: lease, now: now)
        self.refunds = refunds
        let openOrders = OrderPolling(
            database: database,
            portOne: portOne,
            settlement: settlement,
            outbox: outbox,
            refunds: refunds.waker,
            pause: configuration.askPause / .seconds(1),
            lease: lease,
            now: now
        )
        self.openOrders = openOrders
        orders = Orders(
            database: database,
            people: people,
            estate: estate,
            portOne: portOne,
            open: openOrders,
            outbox: outbox,
            hold: configuration.hold / .seconds(1),
            now: now
        )
        validation = Validation(database: database, portOne: portOne, settlement: settlement, refunds: refunds.waker)
        checkout = Checkout(
            database: database,
            people: people,
            orders: orders,
            openOrders: openOrders,
            validation: validation,
            now: now
        )
        payWindow = configuration.payWindow
        publicURL = configuration.publicURL
        purchases = Purchases(
            database: database,
            people: people,
            community: community,
            portOne: portOne,
            open: openOrders,
            settlement: settlement,
            refunds: refunds.waker,
            hold: configuration.hold / .seconds(1),
            now: now
        )
        notices = Webhooks(
            database: database,
            portOne: portOne,
            settlement: settlement,
            refunds: refunds.waker,
            lease: lease,
            now: now
        )
        requests = IdempotencyKeys(database: database, now: now)
        comparison = Reconciliation(
            database: database,
            portOne: portOne,
            settlement: settlement,
            refunds: refunds.waker,
            now: now
        )
        orderLookup = OrderLookup(database: database)
        retention = Retention(database: database, now: now)
    }
}
