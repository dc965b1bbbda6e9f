import Contracts
import Hummingbird
import InternalClient
import Logging
import Outbox
import People
import Postgres
import ServiceDatabase
import ServiceHost
import Uploads

/// Puts the community service together: configuration → stores → domain → routes → application.
func buildCommunity(_ configuration: CommunityConfiguration, logger: Logger) throws -> some ApplicationProtocol {
    let database = PostgresClient(configuration.database, logger: logger)
    let auth = InternalClient(
        to: "auth",
        at: configuration.authURLs,
        from: "community",
        secret: configuration.host.internalSecret
    )
    let outbox = Outbox(subscribers: [Subscriber(.auth, to: [CommunityEvents.AccountErased.self], client: auth)])
    let domain = CommunityDomain(
        configuration,
        database: database,
        outbox: outbox,
        people: People(of: EventHandlers.apps, database: database, auth: auth),
        auth: auth
    )
    let handlers = EventHandlers(domain)
    let inbox = Inbox(database: database, subscriptions: handlers.subscriptions)
    return try ServiceHost.application(
        "community",
        configuration: configuration.host,
        database: database,
        migrations: Migrations.all,
        apiDocument: PackageResources.openapi_yaml,
        services: [
            inbox,
            UploadCollector(domain.attachments.uploads, logger: logger),
            // culture
            // withsuhyeon
            OutboxRelay(outbox, database: database, logger: logger),
        ],
        logger: logger,
        prepare: { try await domain.attachments.uploads.prepare() },
        routes: Routes(domain, inbox: inbox).add
    )
}
