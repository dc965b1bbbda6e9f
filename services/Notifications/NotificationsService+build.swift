import AsyncHTTPClient
import Contracts
import Events
import Hummingbird
import Logging
import Postgres
import Profiles
import ServiceDatabase
import ServiceKit

/// Assembles the notifications service: configuration → stores → domain → routes → application.
func buildNotifications(
    _ configuration: NotificationsConfiguration,
    logger: Logger
) throws -> some ApplicationProtocol {
    let database = PostgresClient(configuration.database, logger: logger)
    let auth = InternalClient(to: .auth, at: configuration.authURLs, from: configuration.host)
    let outbox = Outbox(subscribers: [
        Subscriber(.auth, to: [NotificationsEvents.AccountErased.self], client: auth)
    ])
    let http = FCMConnections(configuration)
    let domain = NotificationsDomain(
        configuration,
        database: database,
        outbox: outbox,
        people: People(of: EventHandlers.apps, database: database, auth: auth),
        auth: auth,
        http: http.client,
        logger: logger
    )
    let inbox = Inbox(database: database, subscriptions: EventHandlers(domain).subscriptions, outbox: outbox)
    return try ServiceHost.application(
        "notifications",
        configuration: configuration.host,
        database: database,
        migrations: Migrations.all,
        apiDocument: PackageResources.openapi_json,
        services: [
            inbox,
            http,
            domain.sender,
            PeriodicJobs(domain.jobs, logger: logger),
            OutboxRelay(outbox, database: database, logger: logger),
        ],
        logger: logger,
        routes: Routes(domain, inbox: inbox).add
    )
}
