import FoundationEssentials
import InternalClient
import Outbox
import People
import Postgres

/// The use cases of the service, put together.
struct PaymentsDomain: Sendable {
    let people: People
    let withdrawal: Withdrawal
    let orders: Orders
    let openOrders: OpenOrders
    let validation: Validation
    let checkout: Checkout
    let payWindow: PayWindow
    let publicURL: String
    let purchases: Purchases
    let refunds: Refunds
    let notices: Notices
    let requests: RepeatableRequests
    let comparison: Comparison

    init(
        _ configuration: PaymentsConfiguration,
        database: PostgresClient,
        outbox: Outbox,
        people: People,
        estate: InternalClient,
        community: InternalClient
    ) {
        // To the millisecond, as it is stored: whoever is answered from memory reads what is answered later.
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
            patience: configuration.portOnePatience,
            now: now
        )
        let settlement = Settlement(
            outbox: outbox,
            takesTests: configuration.takesTests,
            claimWindow: configuration.claimWindow / .seconds(1),
            now: now
        )
        // Longer than whoever took something may need for it: a token, a look, and what is to be done.
        let lease = 4 * (configuration.portOnePatience / .seconds(1))
        let refunds = Refunds(database: database, portOne: portOne, settlement: settlement, lease: lease, now: now)
        self.refunds = refunds
        let openOrders = OpenOrders(
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
        notices = Notices(
            database: database,
            portOne: portOne,
            settlement: settlement,
            refunds: refunds.waker,
            lease: lease,
            now: now
        )
        requests = RepeatableRequests(database: database, now: now)
        comparison = Comparison(
            database: database,
            portOne: portOne,
            settlement: settlement,
            refunds: refunds.waker,
            now: now
        )
    }
}
