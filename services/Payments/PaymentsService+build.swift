import Contracts
import Events
import Hummingbird
import Logging
import Postgres
import Profiles
import ServiceDatabase
import ServiceKit

/// Assembles the payments service: configuration → stores → domain → routes → application.
func buildPayments(_ configuration: PaymentsConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(configuration.database, logger: logger)
    func client(to service: ServiceName, at urls: [String]) -> InternalClient {
        InternalClient(to: service, at: urls, from: configuration.host)
    }
    let auth = client(to: .auth, at: configuration.authURLs)
    let estate = client(to: .estate, at: configuration.estateURLs)
    let community = client(to: .community, at: configuration.communityURLs)
    let outbox = Outbox(subscribers: [
        Subscriber(.auth, to: [PaymentsEvents.AccountErased.self], client: auth),
        Subscriber(.estate, to: [PaymentsEvents.ReservationChanged.self], client: estate),
        Subscriber(.community, to: [PaymentsEvents.PurchaseChanged.self], client: community),
        Subscriber(
            .notifications,
            to: [PaymentsEvents.OrderSettled.self],
            client: client(to: .notifications, at: configuration.notificationsURLs)
        ),
    ])
    let domain = PaymentsDomain(
        configuration,
        database: database,
        outbox: outbox,
        people: People(of: EventHandlers.apps, database: database, auth: auth),
        estate: estate,
        community: community
    )
    let handlers = EventHandlers(people: domain.people, withdrawal: domain.withdrawal)
    let inbox = Inbox(database: database, subscriptions: handlers.subscriptions, outbox: outbox)
    return try ServiceHost.application(
        "payments",
        configuration: configuration.host,
        database: database,
        migrations: Migrations.all,
        apiDocument: PackageResources.openapi_json,
        services: [
            inbox,
            PeriodicJobs(domain.jobs, logger: logger),
            OutboxRelay(outbox, database: database, logger: logger),
        ],
        logger: logger,
        routes: Routes(domain, inbox: inbox).add
    )
}
